/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit.model;

import io.verbs4j.AccessFlags;
import io.verbs4j.AsyncEvent;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.EventType;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.QpAttr;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpOpenAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import java.util.ArrayDeque;
import java.util.Deque;

/** The model's queue pair: its states, what is posted, and what is completed. {@link Transfer} moves the data. */
final class ModelQp extends QueuePair {
    private static final int MAX_SGE = 4;
    private static final int MAX_INLINE = 64;

    final ModelOps ops;
    final Receives receives;
    private final Deque<Send> sends = new ArrayDeque<>();
    private final QpCap cap;
    private final boolean sigAll;
    private final QpAttr set = new QpAttr();
    private int state = QpState.RESET;
    private boolean closed;
    private boolean asked;

    /** A second handle of a queue pair. */
    static final class Opened extends QueuePair {
        Opened(Context context, QpOpenAttr attr) {
            super(context, attr);
        }

        @Override
        public int postSend(SendWorkRequest wr, SendWorkRequest[] badWr) {
            return Errno.EINVAL;
        }

        @Override
        public int postRecv(RecvWorkRequest wr, RecvWorkRequest[] badWr) {
            return Errno.EINVAL;
        }

        @Override
        public int bindMw(MemoryWindow mw, MwBind bind) {
            return Errno.EINVAL;
        }
    }

    ModelQp(ModelOps ops, QpInitAttrEx attr, int number) {
        super(ops.context(), attr, number);
        this.ops = ops;
        cap = new QpCap().maxSendWr(attr.cap().maxSendWr()).maxRecvWr(attr.cap().maxRecvWr());
        sigAll = attr.sqSigAll();
        receives = new Receives(cap.maxRecvWr());
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
            fail();
        } else if (to == QpState.RESET) {
            if (Fault.STAYS_IN_ERR.on() && state == QpState.ERR) {
                return;
            }
            if (Fault.RESET_FLUSHES.on()) {
                flush(true);
            }
            receives.clear();
            sends.clear();
        }
        state = to;
    }

    void fail() {
        boolean first = state != QpState.ERR;
        state = QpState.ERR;
        flush(!Fault.NO_FLUSH.on());
        if (first && srq() != null && !Fault.NO_LAST_EVENT.on()) {
            ops.event(AsyncEvent.of(EventType.QP_LAST_WQE_REACHED, this));
        }
    }

    /** A completion queue of it has lost a completion. */
    void lost(ModelCq cq) {
        if (sendCq() == cq || recvCq() == cq) {
            fail();
        }
    }

    private void flush(boolean withReceives) {
        for (Send send = sends.poll(); send != null; send = sends.poll()) {
            complete(send, WcStatus.WR_FLUSH_ERR);
        }
        while (withReceives && receives.size() > 0) {
            received(receives.take(false), WcStatus.WR_FLUSH_ERR, new WorkCompletion(), null, false);
        }
    }

    void tell(QpAttr attr, QpInitAttr initAttr) {
        int told = Fault.MADE_IN_INIT.on() && !asked ? QpState.INIT : state;
        asked = true;
        attr.qpState(told).curQpState(told).qkey(set.qkey()).qpAccessFlags(set.qpAccessFlags());
        attr.portNum(set.portNum())
                .destQpNum(set.destQpNum())
                .pathMtu(set.pathMtu())
                .rnrRetry(set.rnrRetry());
        attr.rqPsn(Fault.FORGETS_PSN.on() ? 0 : set.rqPsn());
        initAttr.qpType(qpType()).sendCq(sendCq()).recvCq(recvCq()).srq(srq()).userContext(userContext());
        initAttr.sqSigAll(sigAll && !Fault.FORGETS_SIG_ALL.on()).cap(cap);
    }

    void destroy() {
        closed = true;
        state = QpState.RESET;
        Fabric.QPS.remove(qpNum(), this);
        Fabric.GROUPS.values().forEach(group -> group.remove(this));
        for (CompletionQueue cq : new CompletionQueue[] {sendCq(), recvCq()}) {
            if (cq instanceof ModelCq model) {
                model.drop(qpNum());
            }
        }
    }

    // ---- posting

    @Override
    public int postRecv(RecvWorkRequest wr, RecvWorkRequest[] badWr) {
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
            if (srq() != null) {
                return 0; // the wrong one
            }
            int error = receives.post(wr, badWr);
            if (state == QpState.ERR) {
                flush(true);
            }
            Fabric.run();
            return error == Errno.ENOMEM && Fault.FULL_RECEIVES_EINVAL.on() ? Errno.EINVAL : error;
        }
    }

    @Override
    public int postSend(SendWorkRequest first, SendWorkRequest[] badWr) {
        synchronized (Fabric.LOCK) {
            int count = 0;
            int error = first == null ? Errno.EINVAL : 0;
            SendWorkRequest wr = first;
            for (; wr != null && error == 0; wr = error == 0 ? wr.next() : wr) {
                error = check(wr);
                if (error == 0) {
                    sends.add(new Send(wr));
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
            Fabric.run();
            if (state == QpState.ERR) {
                flush(false);
            }
            return error;
        }
    }

    private int check(SendWorkRequest wr) {
        boolean early = state < QpState.RTS && !(Fault.SENDS_IN_INIT.on() && state == QpState.INIT);
        boolean datagram = qpType() == QpType.UD;
        boolean nowhere = datagram
                && (wr.ah() == null && !Fault.UD_NO_ADDRESS.on()
                        || wr.opcode() != WrOpcode.SEND && wr.opcode() != WrOpcode.SEND_WITH_IMM);
        if (closed
                || early
                || nowhere
                || wr.opcode() < 0
                || wr.opcode() > WrOpcode.ATOMIC_FETCH_AND_ADD
                || wr.numSge() > MAX_SGE) {
            return Errno.EINVAL;
        }
        if (sends.size() >= cap.maxSendWr()) {
            return Fault.FULL_SENDS_EAGAIN.on() ? Errno.EAGAIN : Errno.ENOMEM;
        }
        Send send = new Send(wr);
        return send.inline() && send.length() > MAX_INLINE ? Errno.EINVAL : 0;
    }

    @Override
    public int bindMw(MemoryWindow mw, MwBind bind) {
        synchronized (Fabric.LOCK) {
            Fabric.Region region = Fabric.KEYS.get(bind.mr().lkey());
            if (closed || region == null || (region.access() & AccessFlags.MW_BIND) == 0) {
                return Errno.EINVAL;
            }
            int key = Fabric.newKey();
            ((Fabric.Mw) mw).bound(key);
            long length = Fault.NO_WINDOW_BOUNDS.on() ? bind.length() + 1 : bind.length();
            Fabric.KEYS.put(
                    key, new Fabric.Region(region.pd(), region.memory(), bind.addr(), length, bind.mwAccessFlags()));
            if ((bind.sendFlags() & SendFlags.SIGNALED) != 0) {
                WorkCompletion wc = new WorkCompletion().wrId(bind.wrId()).opcode(WcOpcode.BIND_MW);
                ((ModelCq) sendCq()).add(wc.qpNum(qpNum()), false);
            }
            return 0;
        }
    }

    // ---- completing

    /** Sends the first of what is posted, if it can be sent now. */
    boolean runOnce() {
        if (state != QpState.RTS || sends.isEmpty()) {
            return false;
        }
        Send send = sends.peek();
        int status = new Transfer(this, send).run();
        if (status == Transfer.LATER) {
            return false;
        }
        sends.poll();
        complete(send, status);
        if (status != WcStatus.SUCCESS) {
            fail();
        }
        return true;
    }

    private void complete(Send send, int status) {
        boolean told = send.signaled()
                || sigAll && !Fault.IGNORES_SIGNAL_ALL.on()
                || Fault.SIGNALS_ALL.on()
                || status != WcStatus.SUCCESS && !Fault.FLUSHES_SIGNALED_ONLY.on();
        if (told) {
            WorkCompletion wc =
                    new WorkCompletion().wrId(send.wrId).status(status).opcode(send.wcOpcode());
            ((ModelCq) sendCq()).add(wc.qpNum(Fault.NO_QP_NUM.on() ? 0 : qpNum()), false);
        }
    }

    /** Completes a receive. */
    void received(Receives.Entry entry, int status, WorkCompletion wc, Send send, boolean write) {
        wc.wrId(entry.wrId()).status(status).qpNum(qpNum());
        wc.opcode(write ? WcOpcode.RECV_RDMA_WITH_IMM : WcOpcode.RECV);
        if (send != null && send.immediate()) {
            boolean swap = Fault.SWAPS_IMMEDIATE.on() && !write;
            wc.wcFlags(wc.wcFlags() | WcFlags.WITH_IMM);
            wc.immData(swap ? Integer.reverseBytes(send.immData) : send.immData);
        }
        boolean solicited = send != null && (send.flags & SendFlags.SOLICITED) != 0 || status != WcStatus.SUCCESS;
        ModelCq cq = (ModelCq) recvCq();
        if (cq != null) {
            cq.add(wc, solicited);
        } else if (send != null) { // XRC: the queue that the request names has its own
            ((ModelCq) send.srq.cq()).add(wc, solicited);
        }
    }
}
