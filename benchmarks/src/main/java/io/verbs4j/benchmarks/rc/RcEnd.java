/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.rc;

import io.verbs4j.AccessFlags;
import io.verbs4j.AddressHandle;
import io.verbs4j.AhAttr;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsLevel;
import io.verbs4j.VerbsObject;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.core.Verbs;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * One end of a connection: a queue pair, a completion queue for each direction, and registered memory. With SRD, which
 * has no connections, all requests go to one peer.
 */
public final class RcEnd implements AutoCloseable {
    /** Maximum size of inline messages in bytes. */
    public static final int INLINE = 64;

    /** The Q_Key of SRD. */
    public static final int QKEY = 0x11111111;

    private static final int SRD_INLINE = 32;
    private static final String EMBEDDED = "rxe_emb";
    private static final int PORT = 1;
    private static final int GID_INDEX = 0; // of the embedded device: works between all processes of a machine
    private static final int HOP_LIMIT = 64;
    private static final int TIMEOUT = 18; // 1 s: a busy machine may not run the peer for that long
    private static final int RETRIES = 7;
    private static final int NOT_READY_TIMER = 1; // 10 us
    private static final int BATCH = 32;
    private static final long STUCK_NANOS = 60_000_000_000L;

    private final Deque<VerbsObject> opened = new ArrayDeque<>();
    private final QueuePair qp;
    private final Polled sends;
    private final Polled receives;
    private final ProtectionDomain pd;
    private AddressHandle peer; // for SRD only
    private final MemoryRegion memory;
    private final RcAddress address;
    private final int pathMtu;

    /**
     * Creates an RC end.
     *
     * @param context the device; not closed with the end
     * @param buffer direct buffer for messages in both directions
     * @param sendDepth maximum number of outstanding sends
     * @param recvDepth maximum number of outstanding receives
     */
    public RcEnd(Context context, ByteBuffer buffer, int sendDepth, int recvDepth) {
        this(context, buffer, context.createCq(sendDepth), sendDepth, recvDepth, QpType.RC);
    }

    /**
     * Creates an end of type {@link QpType#RC}, or {@link QpType#DRIVER} for SRD, with the given queue for completions
     * of sends, which is closed with the end.
     */
    public RcEnd(Context context, ByteBuffer buffer, CompletionQueue sendCq, int sendDepth, int recvDepth, int type) {
        sends = new Polled(keep(sendCq));
        pd = keep(context.allocPd());
        memory = keep(pd.regMr(buffer, AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ));
        receives = new Polled(keep(context.createCq(recvDepth)));
        qp = keep(pd.createQp(new QpInitAttr()
                .qpType(type)
                .sendCq(sends.cq)
                .recvCq(receives.cq)
                .cap(new QpCap()
                        .maxSendWr(sendDepth)
                        .maxRecvWr(recvDepth)
                        .maxSendSge(1)
                        .maxRecvSge(1)
                        .maxInlineData(isSrd(type) ? SRD_INLINE : INLINE))));
        QpAttr init = new QpAttr().qpState(QpState.INIT).pkeyIndex(0).portNum(PORT);
        qp.modify(isSrd(type) ? init.qkey(QKEY) : init.qpAccessFlags(AccessFlags.REMOTE_WRITE));
        pathMtu = context.queryPort(PORT).activeMtu();
        address = new RcAddress(
                qp.qpNum(), qp.qpNum() & 0xffff, context.queryGid(PORT, GID_INDEX), memory.addr(), memory.rkey());
    }

    /**
     * Opens the embedded device. Uses no stream, because the cost of a JVM's first lambda belongs to the program, not
     * to the device.
     */
    public static Context openDevice() {
        for (Device device : Verbs.devices()) {
            if (device.name().startsWith(EMBEDDED)) {
                return Verbs.open(device, VerbsLevel.runtime());
            }
        }
        throw new IllegalStateException(
                "there is no embedded Soft-RoCE device (" + EMBEDDED + "*); providers: " + Verbs.report());
    }

    private static boolean isSrd(int type) {
        return type == QpType.DRIVER;
    }

    /** Returns the address handle of the other end, once connected; null if the queue pair is itself connected. */
    public AddressHandle peer() {
        return peer;
    }

    private <T extends VerbsObject> T keep(T object) {
        opened.push(object);
        return object;
    }

    /** Returns what the other end must know. */
    public RcAddress address() {
        return address;
    }

    /** Connects to the other end. */
    public void connect(RcAddress to) {
        connect(to, 1);
    }

    /** Connects to the other end, with up to {@code reads} RDMA reads in flight in each direction. */
    public void connect(RcAddress to, int reads) {
        AhAttr path = new AhAttr().portNum(PORT).isGlobal(true);
        path.grh().dgid(to.gid()).sgidIndex(GID_INDEX).hopLimit(HOP_LIMIT);
        if (isSrd(qp.qpType())) {
            peer = keep(pd.createAh(path));
            qp.modify(new QpAttr().qpState(QpState.RTR));
            qp.modify(new QpAttr().qpState(QpState.RTS).sqPsn(0));
            return;
        }
        qp.modify(new QpAttr()
                .qpState(QpState.RTR)
                .ahAttr(path)
                .pathMtu(pathMtu)
                .destQpNum(to.qpNum())
                .rqPsn(to.psn())
                .qpAccessFlags(AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ)
                .maxDestRdAtomic(reads)
                .minRnrTimer(NOT_READY_TIMER));
        qp.modify(new QpAttr()
                .qpState(QpState.RTS)
                .sqPsn(address.psn())
                .timeout(TIMEOUT)
                .retryCnt(RETRIES)
                .rnrRetry(RETRIES)
                .maxRdAtomic(reads));
    }

    /** Returns the queue pair. */
    public QueuePair qp() {
        return qp;
    }

    /** Returns the memory. */
    public MemoryRegion memory() {
        return memory;
    }

    /** Returns the completions of sends. */
    public Polled sends() {
        return sends;
    }

    /** Returns the completions of receives. */
    public Polled receives() {
        return receives;
    }

    /** Throws if posting returned an error. */
    public static void posted(int errno) {
        if (errno != 0) {
            throw new IllegalStateException("posting failed: " + Errno.toString(errno));
        }
    }

    @Override
    public void close() {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
    }

    /** A completion queue that is polled continuously, with the completions of the last poll. */
    public static final class Polled {
        private static final int LOOKS = 1 << 14;

        private final CompletionQueue cq;
        private final WorkCompletion[] batch = new WorkCompletion[BATCH];

        Polled(CompletionQueue cq) {
            this.cq = cq;
            for (int i = 0; i < BATCH; i++) {
                batch[i] = new WorkCompletion();
            }
        }

        /** Takes completions. Returns how many, possibly 0. */
        public int poll() {
            int n = cq.poll(BATCH, batch);
            if (n < 0) {
                throw new IllegalStateException("polling failed: " + Errno.toString(-n));
            }
            for (int i = 0; i < n; i++) {
                if (batch[i].status() != WcStatus.SUCCESS) {
                    throw new IllegalStateException("a work request failed: " + WcStatus.toString(batch[i].status()));
                }
            }
            return n;
        }

        /** Polls until there are completions. Returns how many. */
        public int await() {
            for (int i = 0; i < LOOKS; i++) {
                int n = poll();
                if (n != 0) {
                    return n;
                }
            }
            return awaitLonger();
        }

        private int awaitLonger() {
            long start = System.nanoTime();
            while (System.nanoTime() - start < STUCK_NANOS) {
                for (int i = 0; i < LOOKS; i++) {
                    int n = poll();
                    if (n != 0) {
                        return n;
                    }
                }
            }
            throw new IllegalStateException("no completion within " + STUCK_NANOS / 1_000_000_000 + " s");
        }

        /** Returns the queue. */
        public CompletionQueue queue() {
            return cq;
        }

        /** Returns a completion of the last poll. */
        public WorkCompletion get(int i) {
            return batch[i];
        }
    }
}
