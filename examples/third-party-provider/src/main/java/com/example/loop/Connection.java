/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.loop;

import io.verbs4j.AccessFlags;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Errno;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpState;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Behind a queue pair of type RC. The thread that posts moves the data, under one lock for all queue pairs: simple, and
 * right from any thread. {@code postSend} and {@code postRecv} never throw.
 */
final class Connection {
    private static final Map<Integer, Connection> ALL = new HashMap<>();
    private static final Object LOCK = ALL;
    private static final int FOR_EVER = 7;
    private static final int LATER = -1;
    private static int lastNumber = 0x10;

    final LoopQueuePair handle;
    private final Deque<Work> sends = new ArrayDeque<>();
    private final Deque<Work> receives = new ArrayDeque<>();
    private final QpCap cap;
    private final boolean signalAll;
    private final QpAttr set = new QpAttr();
    private int state = QpState.RESET;
    private boolean closed;
    private long bytesSent;

    private Connection(ProtectionDomain pd, QpInitAttr attr, int number) {
        handle = new LoopQueuePair(pd, attr, number, this);
        // A copy: the attributes belong to the program.
        cap = new QpCap().maxSendWr(attr.cap().maxSendWr()).maxRecvWr(attr.cap().maxRecvWr());
        cap.maxSendSge(attr.cap().maxSendSge()).maxRecvSge(attr.cap().maxRecvSge());
        signalAll = attr.sqSigAll();
    }

    static LoopQueuePair create(ProtectionDomain pd, QpInitAttr attr) {
        synchronized (LOCK) {
            Connection made = new Connection(pd, attr, ++lastNumber);
            ALL.put(lastNumber, made);
            return made.handle;
        }
    }

    static Connection of(QueuePair qp) {
        return ((LoopQueuePair) qp).connection; // a program gets the very handle that the provider has made
    }

    // ---- states

    void modify(QpAttr attr, int mask) {
        synchronized (LOCK) {
            if ((mask & QpAttrMask.PORT) != 0) {
                set.portNum(attr.portNum());
            }
            if ((mask & QpAttrMask.ACCESS_FLAGS) != 0) {
                set.qpAccessFlags(attr.qpAccessFlags());
            }
            if ((mask & QpAttrMask.DEST_QPN) != 0) {
                set.destQpNum(attr.destQpNum()).pathMtu(attr.pathMtu()).rqPsn(attr.rqPsn());
            }
            if ((mask & QpAttrMask.RNR_RETRY) != 0) {
                set.rnrRetry(attr.rnrRetry());
            }
            if ((mask & QpAttrMask.STATE) != 0) {
                state = attr.qpState();
            }
            if (state == QpState.RESET) {
                sends.clear();
                receives.clear();
            } else if (state == QpState.ERR) {
                fail();
            }
            runAll();
        }
    }

    void tell(QpAttr attr, QpInitAttr initAttr) {
        synchronized (LOCK) {
            attr.qpState(state).curQpState(state).portNum(set.portNum()).qpAccessFlags(set.qpAccessFlags());
            attr.destQpNum(set.destQpNum())
                    .pathMtu(set.pathMtu())
                    .rqPsn(set.rqPsn())
                    .rnrRetry(set.rnrRetry());
            initAttr.qpType(handle.qpType()).sendCq(handle.sendCq()).recvCq(handle.recvCq());
            initAttr.userContext(handle.userContext());
            initAttr.sqSigAll(signalAll).cap(cap);
        }
    }

    /** Goes to ERR and flushes: everything that was posted completes. */
    private void fail() {
        state = QpState.ERR;
        while (!sends.isEmpty()) {
            complete(sends.poll(), WcStatus.WR_FLUSH_ERR);
        }
        while (!receives.isEmpty()) {
            received(receives.poll(), WcStatus.WR_FLUSH_ERR, 0);
        }
    }

    void destroy() {
        synchronized (LOCK) {
            closed = true;
            ALL.remove(handle.qpNum());
            completions(handle.sendCq()).drop(handle.qpNum());
            completions(handle.recvCq()).drop(handle.qpNum());
        }
    }

    long bytesSent() {
        synchronized (LOCK) {
            return bytesSent;
        }
    }

    private static Completions completions(CompletionQueue cq) {
        return ((LoopCompletionQueue) cq).completions;
    }

    // ---- posting

    int postSend(SendWorkRequest first, SendWorkRequest[] badWr) {
        synchronized (LOCK) {
            int errno = first == null ? Errno.EINVAL : 0;
            SendWorkRequest wr = first;
            while (wr != null && errno == 0) {
                errno = check(wr);
                if (errno == 0) {
                    sends.add(Work.of(wr));
                    wr = wr.next();
                }
            }
            if (errno != 0 && badWr != null && badWr.length > 0) {
                badWr[0] = wr;
            }
            runAll();
            return errno;
        }
    }

    /** First what is wrong with the queue pair, then what the device does not have, then the request. */
    private int check(SendWorkRequest wr) {
        if (closed || state < QpState.RTS) {
            return Errno.EINVAL;
        }
        if (wr.opcode() != WrOpcode.SEND && wr.opcode() != WrOpcode.RDMA_WRITE) {
            return Errno.EOPNOTSUPP;
        }
        boolean inline = (wr.sendFlags() & SendFlags.INLINE) != 0; // there is room for 0 bytes, as createQp has told
        if (inline || wr.numSge() > LoopContext.MAX_SGE) {
            return Errno.EINVAL;
        }
        return sends.size() < cap.maxSendWr() ? 0 : Errno.ENOMEM;
    }

    int postRecv(RecvWorkRequest first, RecvWorkRequest[] badWr) {
        synchronized (LOCK) {
            int errno = closed || first == null || state == QpState.RESET ? Errno.EINVAL : 0;
            RecvWorkRequest wr = first;
            while (wr != null && errno == 0) {
                errno = wr.numSge() > LoopContext.MAX_SGE ? Errno.EINVAL : 0;
                if (errno == 0 && receives.size() == cap.maxRecvWr()) {
                    errno = Errno.ENOMEM;
                }
                if (errno == 0) {
                    receives.add(Work.of(wr));
                    wr = wr.next();
                }
            }
            if (errno != 0 && badWr != null && badWr.length > 0) {
                badWr[0] = wr;
            }
            runAll();
            return errno;
        }
    }

    int bindMw(MemoryWindow mw, MwBind bind) {
        synchronized (LOCK) {
            return closed || mw == null || bind == null || state < QpState.RTS ? Errno.EINVAL : Errno.EOPNOTSUPP;
        }
    }

    // ---- moving data

    /** Lets everyone go on who can: a receive that was posted may be what another has waited for. */
    private static void runAll() {
        boolean more = true;
        while (more) {
            more = false;
            for (Connection each : List.copyOf(ALL.values())) {
                more |= each.runOne();
            }
        }
    }

    private boolean runOne() {
        if (state == QpState.ERR) {
            boolean any = !sends.isEmpty() || !receives.isEmpty();
            fail();
            return any;
        }
        if (state != QpState.RTS || sends.isEmpty()) {
            return false;
        }
        int status = transfer(sends.peek());
        if (status == LATER) {
            return false;
        }
        if (status == WcStatus.SUCCESS) {
            bytesSent += sends.peek().length();
        }
        complete(sends.poll(), status);
        if (status != WcStatus.SUCCESS) {
            fail();
        }
        return true;
    }

    /** A status for the sender; LATER where the receiver is not ready and there is time. */
    private int transfer(Work send) {
        ByteBuffer data = send.gather(handle.pd());
        if (data == null) {
            return WcStatus.LOC_PROT_ERR;
        }
        Connection to = ALL.get(set.destQpNum());
        if (to == null || to.state != QpState.RTR && to.state != QpState.RTS) {
            return WcStatus.RETRY_EXC_ERR;
        }
        if (send.opcode() == WrOpcode.RDMA_WRITE) {
            return to.write(send, data);
        }
        if (to.receives.isEmpty()) {
            return set.rnrRetry() == FOR_EVER ? LATER : WcStatus.RNR_RETRY_EXC_ERR;
        }
        int length = data.remaining();
        Work receive = to.receives.poll();
        int status = receive.scatter(to.handle.pd(), data);
        to.received(receive, status, length);
        if (status == WcStatus.SUCCESS) {
            return status;
        }
        to.fail();
        return status == WcStatus.LOC_LEN_ERR ? WcStatus.REM_INV_REQ_ERR : WcStatus.REM_OP_ERR;
    }

    /** The other side's RDMA write into this side's memory. */
    private int write(Work send, ByteBuffer data) {
        if (!data.hasRemaining()) {
            return WcStatus.SUCCESS; // no bytes, no rights needed
        }
        int right = AccessFlags.REMOTE_WRITE;
        ByteBuffer memory = LoopMemory.find(send.rkey(), handle.pd(), send.remoteAddr(), data.remaining(), right);
        if (memory == null || (set.qpAccessFlags() & right) == 0) {
            fail();
            return WcStatus.REM_ACCESS_ERR;
        }
        memory.put(data);
        return WcStatus.SUCCESS;
    }

    private void complete(Work send, int status) {
        if (send.signaled() || signalAll || status != WcStatus.SUCCESS) {
            int opcode = send.opcode() == WrOpcode.SEND ? WcOpcode.SEND : WcOpcode.RDMA_WRITE;
            completions(handle.sendCq()).add(new Completions.Entry(send.wrId(), status, opcode, 0, handle.qpNum()));
        }
    }

    private void received(Work receive, int status, int length) {
        completions(handle.recvCq())
                .add(new Completions.Entry(receive.wrId(), status, WcOpcode.RECV, length, handle.qpNum()));
    }
}
