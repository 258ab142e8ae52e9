/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.guest.wire;

import io.verbs4j.AccessFlags;
import io.verbs4j.AddressHandle;
import io.verbs4j.AhAttr;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.Gid;
import io.verbs4j.MemoryRegion;
import io.verbs4j.Mtu;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** One end of a connection: a queue pair, and memory whose lower half is sent and whose upper half receives. */
final class End implements AutoCloseable {
    static final int MTU = 1024;
    static final int HALF = 4 << 20;
    static final int GRH = 40;
    private static final int QKEY = 0x1234567;
    private static final int DEPTH = 64;
    private static final byte BLANK = 0x5a;
    private static final int GUARD = 64;
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);
    private static final int RIGHTS =
            AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ | AccessFlags.REMOTE_ATOMIC | AccessFlags.LOCAL_WRITE;
    private static final int OF_REGIONS = AccessFlags.LOCAL_WRITE | AccessFlags.MW_BIND;

    final ProtectionDomain pd;
    final ByteBuffer memory = ByteBuffer.allocateDirect(2 * HALF).order(ByteOrder.nativeOrder());
    final MemoryRegion mr;
    final CompletionQueue cq;
    final QueuePair qp;

    /** The address of the other end's memory, and its key. */
    long remoteAddr;

    int remoteKey;
    private final Context context;
    private final int gidIndex;
    private final int seed;
    private int remoteQpn;
    private AddressHandle ah;

    /** Additional access rights of memory and queue pair. */
    private final int more;

    End(Context context, int gidIndex, int qpType, int seed) {
        this(context, gidIndex, qpType, seed, 0);
    }

    End(Context context, int gidIndex, int qpType, int seed, int more) {
        this.more = more;
        this.context = context;
        this.gidIndex = gidIndex;
        this.seed = seed;
        pd = context.allocPd();
        memory.put(0, pattern(seed));
        mr = pd.regMr(memory, RIGHTS | AccessFlags.MW_BIND | more);
        cq = context.createCq(2 * DEPTH, null, null, 0);
        qp = pd.createQp(new QpInitAttr()
                .qpType(qpType)
                .sendCq(cq)
                .recvCq(cq)
                .cap(new QpCap()
                        .maxSendWr(DEPTH)
                        .maxRecvWr(DEPTH)
                        .maxSendSge(4)
                        .maxRecvSge(4)
                        .maxInlineData(128)));
    }

    /** {@return the bytes that an end sends, by its seed: no two places are alike} */
    static byte[] pattern(int seed) {
        byte[] bytes = new byte[HALF];
        long x = seed * 0x9e3779b97f4a7c15L;
        for (int i = 0; i < HALF; i++) {
            x ^= x << 13;
            x ^= x >>> 7;
            x ^= x << 17;
            bytes[i] = (byte) (x >>> 24);
        }
        return bytes;
    }

    boolean connected() {
        return qp.qpType() != QpType.UD;
    }

    /** Connects to the other end, which does the same. */
    void connect(Talk talk) throws IOException {
        int psn = 0xffff00 + seed; // wraps during the test
        String mine = String.join(
                " ", context.queryGid(1, gidIndex).toHex(), "" + qp.qpNum(), "" + psn, "" + mr.addr(), "" + mr.rkey());
        String[] theirs = talk.swap(mine).split(" ", -1);
        remoteQpn = Integer.parseInt(theirs[1]);
        remoteAddr = Long.parseLong(theirs[3]);
        remoteKey = Integer.parseInt(theirs[4]);
        AhAttr path = new AhAttr().isGlobal(true).portNum(1);
        path.grh().dgid(Gid.parseHex(theirs[0])).sgidIndex(gidIndex).hopLimit(64);
        states(path, psn, Integer.parseInt(theirs[2]));
        if (!connected()) {
            ah = pd.createAh(path);
        }
        talk.meet(null);
    }

    private void states(AhAttr path, int psn, int remotePsn) {
        boolean rc = qp.qpType() == QpType.RC;
        QpAttr init = new QpAttr().qpState(QpState.INIT).pkeyIndex(0).portNum(1);
        int rights = rc ? RIGHTS & ~OF_REGIONS | more : AccessFlags.REMOTE_WRITE;
        qp.modify(connected() ? init.qpAccessFlags(rights) : init.qkey(QKEY));
        QpAttr rtr = new QpAttr().qpState(QpState.RTR);
        if (connected()) {
            rtr.pathMtu(Mtu.MTU_1024).destQpNum(remoteQpn).rqPsn(remotePsn).ahAttr(path);
        }
        qp.modify(rc ? rtr.maxDestRdAtomic(4).minRnrTimer(12) : rtr);
        QpAttr rts = new QpAttr().qpState(QpState.RTS).sqPsn(psn);
        qp.modify(rc ? rts.timeout(16).retryCnt(7).rnrRetry(7).maxRdAtomic(4) : rts);
    }

    // ---- memory

    /** Clears a place in the upper half and its surroundings. */
    void blank(int offset, int length) {
        byte[] blank = new byte[length + 2 * GUARD];
        Arrays.fill(blank, BLANK);
        memory.put(offset - GUARD, blank);
    }

    /** Clears the header of a datagram. */
    void blankHeader(int offset) {
        for (int i = 0; i < GRH; i++) {
            memory.put(offset + i, BLANK);
        }
    }

    /** Checks every byte of a place: it holds the other end's data, and nothing around it has changed. */
    void holds(int offset, int length, byte[] pattern, int from) {
        int at = memory.slice(offset, length).mismatch(ByteBuffer.wrap(pattern, from, length));
        if (at >= 0) {
            throw new IllegalStateException(
                    "byte " + at + " of " + length + " is " + memory.get(offset + at) + ", not " + pattern[from + at]);
        }
        isBlank(offset - GUARD, GUARD);
        isBlank(offset + length, GUARD);
    }

    void isBlank(int offset, int length) {
        for (int i = offset; i < offset + length; i++) {
            if (memory.get(i) != BLANK) {
                throw new IllegalStateException("the byte at " + i + " was touched");
            }
        }
    }

    /** {@return a place as one element, or as three of different lengths} */
    ScatterGatherElement[] list(int offset, int length, boolean pieces) {
        if (!pieces) {
            return new ScatterGatherElement[] {ScatterGatherElement.of(mr, offset, length)};
        }
        int first = length / 7;
        int second = length / 2;
        return new ScatterGatherElement[] {
            ScatterGatherElement.of(mr, offset, first),
            ScatterGatherElement.of(mr, offset + first, second),
            ScatterGatherElement.of(mr, offset + first + second, length - first - second)
        };
    }

    // ---- requests

    void receive(long wrId, ScatterGatherElement... list) {
        check("postRecv", qp.postRecv(new RecvWorkRequest().wrId(wrId).sgList(list)));
    }

    SendWorkRequest request(int opcode, long wrId, ScatterGatherElement... list) {
        SendWorkRequest wr = new SendWorkRequest()
                .opcode(opcode)
                .wrId(wrId)
                .sendFlags(SendFlags.SIGNALED)
                .sgList(list);
        return connected() ? wr : wr.ah(ah).remoteQpn(remoteQpn).remoteQkey(QKEY);
    }

    SendWorkRequest to(int offset, SendWorkRequest wr) {
        return wr.remoteAddr(remoteAddr + offset).rkey(remoteKey);
    }

    void post(SendWorkRequest wr) {
        check("postSend", qp.postSend(wr));
    }

    private static void check(String verb, int errno) {
        if (errno != 0) {
            throw new IllegalStateException(verb + " returned " + errno);
        }
    }

    /** Waits for the next completion, which must have this status. */
    WorkCompletion next(int status) {
        WorkCompletion[] wc = {new WorkCompletion()};
        long end = System.nanoTime() + PATIENCE;
        for (int turns = 0; System.nanoTime() < end; turns++) {
            int n = cq.poll(1, wc);
            if (n < 0) {
                throw new IllegalStateException("poll returned " + n);
            }
            if (n == 1) {
                if (wc[0].status() != status) {
                    throw new IllegalStateException("request " + wc[0].wrId() + " has ended with "
                            + WcStatus.toString(wc[0].status()) + ", not " + WcStatus.toString(status));
                }
                return wc[0];
            }
            if (turns > 100) {
                LockSupport.parkNanos(20_000); // the other process may need the processor
            }
        }
        throw new IllegalStateException("no completion in time");
    }

    @Override
    public void close() {
        if (ah != null) {
            ah.close();
        }
        qp.close();
        cq.close();
        mr.close();
        pd.close();
    }
}
