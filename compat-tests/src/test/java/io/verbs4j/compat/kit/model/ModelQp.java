/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit.model;

import io.verbs4j.AccessFlags;
import io.verbs4j.AsyncEvent;
import io.verbs4j.CompCntrOps;
import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.EventType;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.QpAttr;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpCap;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpOpenAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.SendBuilder;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.compat.kit.Capability;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The model's queue pair: its states, its posted requests and its completions. {@link Transfer} moves the data;
 * programs hold a {@link Handle}.
 */
// Longer than 500 lines because each fault of the model changes one line of an otherwise simple queue pair, which is
// easiest to follow in one place.
final class ModelQp {
    private static final int MAX_SGE = 4;

    final Handle handle;
    final ModelOps ops;
    private final int number;
    final Receives receives;
    final QpExtras extras;
    final CounterOps.Attached counters = new CounterOps.Attached();
    private final ModelBuilt built = new ModelBuilt(this);
    private final ModelSrd srd = new ModelSrd(this);
    private final Deque<Send> sends = new ArrayDeque<>();
    private final QpCap cap;
    private final boolean sigAll;
    private final int tsoHeader;
    private final boolean ofDevice;

    /** The hash key of a queue pair that spreads what it receives. */
    final byte[] hashKey;

    final long hashFields;

    /** The options of its connection. */
    int eceOptions = GrownOps.ECE_OPTIONS;

    private final QpAttr set = new QpAttr();
    private int state = QpState.RESET;
    private boolean closed;
    private boolean asked;

    /** The handle has only methods of the header; anything else that the model needs is in {@link ModelQp}. */
    static final class Handle extends QueuePair {
        final ModelQp model;

        private Handle(ModelQp model, QpInitAttrEx attr, int number) {
            super(model.ops.context(), attr, Unlike.LATE_NUMBERS.on() ? 0 : number);
            this.model = model;
        }

        private void numbered(int number) {
            updateQpNum(number);
        }

        @Override
        public int postSend(SendWorkRequest wr, SendWorkRequest[] badWr) {
            return model.postSend(wr, badWr);
        }

        @Override
        protected int postBuilt(SendBuilder builder) {
            return model.postBuilt(builder);
        }

        @Override
        public int postRecv(RecvWorkRequest wr, RecvWorkRequest[] badWr) {
            return model.postRecv(wr, badWr);
        }

        @Override
        public int bindMw(MemoryWindow mw, MwBind bind) {
            return model.bindMw(mw, bind);
        }
    }

    /** A second handle of a queue pair, to change its attributes: of type XRC_RECV, which posts nothing. */
    static final class Opened extends QueuePair {
        Opened(Context context, QpOpenAttr attr) {
            super(context, attr);
        }

        @Override
        public int postSend(SendWorkRequest wr, SendWorkRequest[] badWr) {
            return wr == null ? Errno.EINVAL : Errno.EOPNOTSUPP;
        }

        @Override
        public int postRecv(RecvWorkRequest wr, RecvWorkRequest[] badWr) {
            return wr == null ? Errno.EINVAL : Errno.EOPNOTSUPP;
        }

        @Override
        public int bindMw(MemoryWindow mw, MwBind bind) {
            return mw == null || bind == null ? Errno.EINVAL : Errno.EOPNOTSUPP;
        }
    }

    ModelQp(ModelOps ops, QpInitAttrEx attr, int number) {
        this.ops = ops;
        this.number = number;
        QpCap given = attr.cap();
        cap = new QpCap().maxSendWr(given.maxSendWr()).maxRecvWr(given.maxRecvWr());
        cap.maxInlineData(given.maxInlineData()).maxSendSge(MAX_SGE).maxRecvSge(MAX_SGE);
        if (Fault.QP_TELLS_LESS.on()) {
            cap.maxSendWr(given.maxSendWr() + 1);
        }
        sigAll = attr.sqSigAll();
        tsoHeader = attr.maxTsoHeader();
        ofDevice = given.maxSendWr() == 0;
        hashKey = attr.rxHashConf() == null ? null : attr.rxHashConf().rxHashKey();
        hashFields = attr.rxHashConf() == null ? 0 : attr.rxHashConf().rxHashFieldsMask();
        boolean fewer = Fault.SRD_FEWER_RECEIVES.on() && attr.qpType() == QpType.DRIVER;
        receives = new Receives(cap.maxRecvWr() - (fewer && cap.maxRecvWr() == 6 ? 1 : 0));
        extras = new QpExtras(ops, attr);
        handle = new Handle(this, attr, number);
        if (ModelSrd.is(this)) {
            set.rnrRetry(Transfer.FOR_EVER).qpAccessFlags(AccessFlags.REMOTE_READ | AccessFlags.REMOTE_WRITE);
        }
    }

    static ModelQp of(QueuePair qp) {
        return ((Handle) qp).model;
    }

    int number() {
        return number;
    }

    int type() {
        return handle.qpType();
    }

    ModelSrq srq() {
        return ModelSrq.of(handle.srq());
    }

    private ModelCq sendCq() {
        return ModelCq.of(handle.sendCq());
    }

    private ModelCq recvCq() {
        return ModelCq.of(handle.recvCq());
    }

    // ---- states

    int state() {
        return state;
    }

    QpAttr attributes() {
        return set;
    }

    void modify(QpAttr attr, int mask) {
        if ((mask & QpAttrMask.QKEY) != 0) {
            set.qkey(attr.qkey());
        }
        if ((mask & QpAttrMask.ACCESS_FLAGS) != 0) {
            set.qpAccessFlags(attr.qpAccessFlags());
        }
        if ((mask & QpAttrMask.PORT) != 0) {
            set.portNum(attr.portNum());
        }
        if ((mask & QpAttrMask.DEST_QPN) != 0) {
            set.destQpNum(attr.destQpNum()).rqPsn(attr.rqPsn()).pathMtu(attr.pathMtu());
        }
        if ((mask & QpAttrMask.RNR_RETRY) != 0) {
            set.rnrRetry(attr.rnrRetry());
        }
        if ((mask & QpAttrMask.STATE) != 0) {
            go(attr.qpState());
        }
    }

    private void go(int to) {
        if (to == QpState.ERR) {
            stop();
        } else if (to == QpState.RESET) {
            if (Fault.STAYS_IN_ERR.on() && state == QpState.ERR) {
                return;
            }
            if (Fault.RESET_FLUSHES.on()) {
                flush(true);
            }
            receives.clear();
            sends.clear();
            ModelWindows.free(this);
        }
        if (Unlike.LATE_NUMBERS.on()) {
            handle.numbered(to == QpState.RESET ? 0 : number);
        }
        state = to;
    }

    /** Moves to state ERR for an error that concerns more than one request. */
    void fail() {
        if (!ModelSrd.is(this)) {
            stop();
        }
    }

    void stop() {
        boolean first = state != QpState.ERR;
        state = QpState.ERR;
        flush(!Fault.NO_FLUSH.on());
        if (first && srq() != null && !Fault.NO_LAST_EVENT.on() && Traits.has(Capability.ASYNC_EVENTS)) {
            ops.event(AsyncEvent.of(EventType.QP_LAST_WQE_REACHED, handle));
        }
    }

    /** Called when one of its completion queues has lost a completion. */
    void lost(ModelCq cq) {
        if ((sendCq() == cq || recvCq() == cq) && !Unlike.OVERRUN_SPARES.on()) {
            fail();
        }
    }

    private void flush(boolean withReceives) {
        for (Send send = sends.poll(); send != null; send = sends.poll()) {
            if (send.bind != null) {
                send.bind.dropped();
            }
            if (send.opcode != WrOpcode.CQE_WAIT || !Fault.WAITS_UNFLUSHED.on()) {
                complete(send, WcStatus.WR_FLUSH_ERR);
            }
        }
        boolean one = Fault.SRD_FLUSHES_ONE.on() && ModelSrd.is(this);
        for (int left = one ? 1 : receives.size(); withReceives && left > 0 && receives.size() > 0; left--) {
            received(receives.take(false), WcStatus.WR_FLUSH_ERR, new WorkCompletion(), null, false);
        }
    }

    void tell(QpAttr attr, QpInitAttr initAttr) {
        int told = Fault.MADE_IN_INIT.on() && !asked ? QpState.INIT : state;
        asked = true;
        attr.qpState(told).curQpState(told);
        attr.qkey(Fault.SRD_FORGETS_QKEY.on() && ModelSrd.is(this) ? 0 : set.qkey())
                .qpAccessFlags(set.qpAccessFlags());
        attr.portNum(set.portNum())
                .destQpNum(set.destQpNum())
                .pathMtu(set.pathMtu())
                .rnrRetry(set.rnrRetry());
        attr.rqPsn(Fault.FORGETS_PSN.on() ? 0 : set.rqPsn());
        initAttr.qpType(type()).sendCq(handle.sendCq()).recvCq(handle.recvCq()).srq(handle.srq());
        initAttr.userContext(handle.userContext());
        initAttr.sqSigAll(sigAll && !Fault.FORGETS_SIG_ALL.on()).cap(cap);
    }

    void destroy() {
        closed = true;
        state = QpState.RESET;
        extras.end();
        Fabric.QPS.remove(number(), this);
        ModelWindows.free(this);
        Fabric.GROUPS.values().forEach(group -> group.remove(this));
        Segment.destroyed(this);
        for (ModelCq cq : new ModelCq[] {sendCq(), recvCq()}) {
            if (cq != null) {
                cq.drop(Fault.SRD_DROPS_ALL.on() && ModelSrd.is(this) ? ModelCq.ALL : number());
            }
        }
    }

    // ---- posting

    private int postRecv(RecvWorkRequest wr, RecvWorkRequest[] badWr) {
        if (Fault.THROWS.on() && wr == null) {
            throw new NullPointerException("wr");
        }
        synchronized (Fabric.LOCK) {
            boolean srqInTheWay = srq() != null && !Fault.SRQ_AND_OWN.on();
            boolean early = state == QpState.RESET || Fault.NO_RECEIVES_IN_INIT.on() && state == QpState.INIT;
            if (closed || wr == null || srqInTheWay || early || Fault.REFUSES_IN_ERR.on() && state == QpState.ERR) {
                if (badWr != null) {
                    badWr[0] = wr;
                }
                return Errno.EINVAL;
            }
            boolean takes = type() == QpType.RAW_PACKET || Traits.hasReceives();
            if (!takes || type() == QpType.XRC_SEND || type() == QpType.XRC_RECV) {
                return Fault.XRC_POSTS_EINVAL.on() ? Errno.EINVAL : Errno.EOPNOTSUPP;
            }
            if (srq() != null) {
                return 0; // the wrong errno
            }
            int error = receives.post(wr, badWr);
            if (state == QpState.ERR) {
                flush(true);
            }
            Segment.posted(this);
            Fabric.run();
            return error == Errno.ENOMEM && Fault.FULL_RECEIVES_EINVAL.on() ? Errno.EINVAL : error;
        }
    }

    private int postSend(SendWorkRequest first, SendWorkRequest[] badWr) {
        synchronized (Fabric.LOCK) {
            int count = 0;
            int error = first == null ? Errno.EINVAL : 0;
            SendWorkRequest wr = first;
            for (; wr != null && error == 0; wr = error == 0 ? wr.next() : wr) {
                error = check(wr, 0);
                if (error == 0) {
                    add(new Send(wr));
                    count++;
                }
            }
            if (error != 0 && badWr != null) {
                badWr[0] = wr;
            }
            if (Fault.OVERTAKES.on() && count >= 8) {
                Send overtaken = sends.poll();
                Send fast = sends.poll();
                sends.addFirst(overtaken);
                sends.addFirst(fast);
            }
            goOn();
            return error;
        }
    }

    /** Lets posted requests proceed. */
    private void goOn() {
        Fabric.run();
        if (state == QpState.ERR) {
            flush(false);
        }
    }

    private void add(Send send) {
        if (send.bind != null) {
            send.bind.posted();
        }
        send.later.posted();
        if (Fault.INVALIDATES_EARLY.on() && send.opcode == WrOpcode.LOCAL_INV) {
            sends.addFirst(send);
        } else {
            sends.add(send);
        }
    }

    private int postBuilt(SendBuilder builder) {
        if (Fault.BUILT_AS_LIST.on()) {
            return -Errno.EOPNOTSUPP;
        }
        synchronized (Fabric.LOCK) {
            List<Send> batch = new ArrayList<>();
            int error = built.read(builder, batch);
            List<Send> waiting = Fault.BUILT_OVERTAKES.on() ? List.copyOf(sends) : List.of();
            sends.removeAll(waiting);
            batch.forEach(this::add);
            sends.addAll(waiting);
            goOn();
            return error;
        }
    }

    /** {@return the errno of an invalid request, posted after a number of others; 0 if it is valid} */
    int check(SendWorkRequest wr, int others) {
        boolean early = state < QpState.RTS && !(Fault.SENDS_IN_INIT.on() && state == QpState.INIT);
        early &= !(Fault.RAW_SENDS_IN_RTR.on() && type() == QpType.RAW_PACKET && state == QpState.RTR);
        if (closed || early) {
            return Errno.EINVAL;
        }
        if (!Traits.hasOperation(type(), wr.opcode())) {
            boolean unknown = QpCreateSendOps.of(wr.opcode()) == 0;
            boolean wrong = unknown && Fault.UNKNOWN_OPCODE_EINVAL.on()
                    || type() == QpType.UD && !unknown && Fault.UD_WRITE_EINVAL.on();
            return wrong ? Errno.EINVAL : Errno.EOPNOTSUPP;
        }
        if (ModelWindows.isLocal(wr) && ModelWindows.isWrong(wr)) {
            return Errno.EINVAL;
        }
        boolean fenced = (wr.sendFlags() & SendFlags.FENCE) != 0 && !Fault.SRD_FENCES.on();
        if (isNowhere(wr) || ModelSrd.is(this) && fenced || wr.numSge() > MAX_SGE && wr.opcode() != WrOpcode.REG_MR) {
            return Errno.EINVAL;
        }
        boolean any = Fault.SRD_FULL_TAKES.on() && ModelSrd.is(this);
        if (sends.size() + others >= cap.maxSendWr() && !any) {
            return Fault.FULL_SENDS_EAGAIN.on() ? Errno.EAGAIN : Errno.ENOMEM;
        }
        if (wr.opcode() == WrOpcode.TSO && isUncut(wr)) {
            return Errno.EINVAL;
        }
        int late = Later.check(wr, this);
        if (late != 0) {
            return late;
        }
        Send send = new Send(wr);
        return send.inline() && send.length() > cap.maxInlineData() ? Errno.EINVAL : 0;
    }

    /** Whether a TSO request lacks what it needs. */
    private boolean isUncut(SendWorkRequest wr) {
        boolean tooLong = wr.tsoHeader() == null || wr.tsoHeader().length() > tsoHeader && !Fault.TSO_ANY_HEADER.on();
        return tooLong || wr.mss() < 1;
    }

    private boolean isNowhere(SendWorkRequest wr) {
        Fault lax = ModelSrd.is(this) ? Fault.SRD_NO_ADDRESS : Fault.UD_NO_ADDRESS;
        return (type() == QpType.UD || ModelSrd.is(this)) && wr.ah() == null && !lax.on();
    }

    private int bindMw(MemoryWindow mw, MwBind bind) {
        synchronized (Fabric.LOCK) {
            if (closed || mw == null || bind == null || state != QpState.RTS) {
                return Errno.EINVAL;
            }
            if (!Traits.hasWindows(mw.type())) {
                return Errno.EOPNOTSUPP;
            }
            Fabric.Region region = Fabric.KEYS.get(bind.mr().lkey());
            if (region == null || (region.access() & AccessFlags.MW_BIND) == 0) {
                return Errno.EINVAL;
            }
            int key = Fabric.newKey();
            Fabric.bound(mw, key);
            long length = Fault.NO_WINDOW_BOUNDS.on() ? bind.length() + 1 : bind.length();
            Fabric.KEYS.put(
                    key, new Fabric.Region(region.pd(), region.memory(), bind.addr(), length, bind.mwAccessFlags()));
            if ((bind.sendFlags() & SendFlags.SIGNALED) != 0) {
                WorkCompletion wc = new WorkCompletion().wrId(bind.wrId()).opcode(WcOpcode.BIND_MW);
                sendCq().add(wc.qpNum(number()), false);
            }
            return 0;
        }
    }

    // ---- completion

    /** Sends the first posted request, if it can be sent now. */
    boolean runOnce() {
        if (state != QpState.RTS || sends.isEmpty() || !extras.maySend() || ModelSrd.is(this)) {
            return false;
        }
        Send send = sends.peek();
        int status = send.local() ? ModelWindows.run(this, send) : new Transfer(this, send).run();
        if (status == Transfer.LATER) {
            return false;
        }
        sends.poll();
        extras.sent();
        complete(send, status);
        if (status != WcStatus.SUCCESS) {
            fail();
        }
        return true;
    }

    /** Called when a program polls: lets reliable datagrams proceed. */
    boolean runOnceLooked() {
        return ModelSrd.is(this) && srd.runOnce(sends);
    }

    void complete(Send send, int status) {
        counters.sent(send.wcOpcode(), status, send.signaled());
        boolean completes = send.signaled()
                || send.opcode == WrOpcode.NOP && Fault.NOP_ALWAYS_SIGNALED.on()
                || sigAll && !Fault.IGNORES_SIGNAL_ALL.on()
                || Fault.SIGNALS_ALL.on()
                || status != WcStatus.SUCCESS && !Fault.FLUSHES_SIGNALED_ONLY.on();
        if (completes) {
            boolean refused = status == WcStatus.REM_ACCESS_ERR || status == WcStatus.REM_INV_REQ_ERR;
            int told = refused && Unlike.NO_REMOTE_REASONS.on() ? WcStatus.GENERAL_ERR : status;
            WorkCompletion wc =
                    new WorkCompletion().wrId(send.wrId).status(told).opcode(send.wcOpcode());
            if (send.later.invalidated != 0 && status == WcStatus.SUCCESS) {
                wc.wcFlags(WcFlags.WITH_INV).invalidatedRkey(send.later.invalidated);
            }
            sendCq().add(wc.qpNum(Fault.NO_QP_NUM.on() ? 0 : number()), false);
        }
    }

    /** Whether the queue pair has no sends: then the device uses it to send, for tag matching. */
    boolean isOfDevice() {
        return ofDevice;
    }

    /** Receives a message that the peer's device sent by itself. */
    void told(byte[] data) {
        Receives.Entry entry = receives.take(false);
        if (entry != null) {
            received(entry, entry.put(handle.pd(), data), new WorkCompletion().byteLen(data.length), null, false);
        }
    }

    int posted() {
        return sends.size();
    }

    /** Completes a receive. */
    void received(Receives.Entry entry, int status, WorkCompletion wc, Send send, boolean write) {
        wc.wrId(entry.wrId()).status(status).qpNum(number());
        counters.count(CompCntrOps.RECV, status);
        boolean told = write && !(Fault.SRD_WRITE_AS_SEND.on() && ModelSrd.is(this));
        wc.opcode(told ? WcOpcode.RECV_RDMA_WITH_IMM : WcOpcode.RECV);
        if (send != null && send.opcode == WrOpcode.SEND_WITH_INV && status == WcStatus.SUCCESS) {
            wc.wcFlags(wc.wcFlags() | (Fault.NO_INV_FLAG.on() ? 0 : WcFlags.WITH_INV));
            wc.invalidatedRkey(send.invalidateRkey);
        }
        if (send != null && send.immediate()) {
            boolean swap = Fault.SWAPS_IMMEDIATE.on() && !write;
            int data = send.immediateOf == null ? send.immData : send.immediateOf.immData;
            wc.wcFlags(wc.wcFlags() | WcFlags.WITH_IMM);
            wc.immData(swap ? Integer.reverseBytes(data) : data);
        }
        boolean solicited = send != null && (send.flags & SendFlags.SOLICITED) != 0 || status != WcStatus.SUCCESS;
        ModelCq cq = recvCq();
        if (cq != null) {
            cq.add(wc, solicited);
        } else if (send != null) { // XRC: the queue that the request names has its own
            ModelCq.of(send.srq.handle.cq()).add(wc, solicited);
        }
    }
}
