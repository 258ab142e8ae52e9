/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.peers;

import io.verbs4j.AccessFlags;
import io.verbs4j.AhAttr;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.Device;
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
import io.verbs4j.VerbsLevel;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.core.Verbs;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * One of two programs that do the same to each other over a reliable connection: send, write and read messages of
 * several sizes, and check each byte. Uses the verbs of level 1 only. The test passes each line that one program prints
 * to the other.
 */
final class PeerProgram implements AutoCloseable {
    private static final int[] SIZES = {1, 64, 4096, 8192, 100_003, 1 << 20};
    private static final int ROUNDS = 8;
    private static final int AREA = 5 << 18;
    private static final int PORT = 1;
    private static final long PATIENCE_NANOS = 60_000_000_000L;

    // Areas of the memory: what goes out, and what comes in by each operation.
    private static final int OUT = 0;
    private static final int SENT = AREA;
    private static final int WRITTEN = 2 * AREA;
    private static final int READ = 3 * AREA;

    private final BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    private final ByteBuffer memory = ByteBuffer.allocateDirect(4 * AREA);
    private final ProtectionDomain pd;
    private final CompletionQueue cq;
    private final MemoryRegion mr;
    private final QueuePair qp;
    private final Gid gid;
    private final WorkCompletion[] done = {new WorkCompletion()};
    private long remote;
    private int rkey;

    private PeerProgram(Context context) {
        pd = context.allocPd();
        cq = context.createCq(4 * SIZES.length);
        mr = pd.regMr(memory, AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ);
        QpCap cap = new QpCap()
                .maxSendWr(SIZES.length)
                .maxRecvWr(SIZES.length)
                .maxSendSge(1)
                .maxRecvSge(1);
        qp = pd.createQp(
                new QpInitAttr().qpType(QpType.RC).sendCq(cq).recvCq(cq).cap(cap));
        gid = context.queryGid(PORT, 0);
        qp.modify(new QpAttr()
                .qpState(QpState.INIT)
                .pkeyIndex(0)
                .portNum(PORT)
                .qpAccessFlags(AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ));
    }

    /** Runs until all is checked; the argument is a number of this side. */
    public static void main(String[] args) throws IOException {
        Device device = Verbs.devices().stream()
                .filter(d -> d.name().startsWith("rxe_emb"))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(Verbs.report().toString()));
        try (Context context = Verbs.open(device, VerbsLevel.BASE);
                PeerProgram program = new PeerProgram(context)) {
            program.connect();
            int own = Integer.parseInt(args[0]);
            for (int round = 0; round < ROUNDS; round++) {
                program.run(2 * round + own, 2 * round + 1 - own);
            }
            program.meet("end");
        }
    }

    /** Waits until the other program is here, too; returns what it says. */
    private String meet(String word) throws IOException {
        System.out.println(word);
        String line = in.readLine();
        if (line == null) {
            throw new IOException("the other program has ended");
        }
        return line;
    }

    private void connect() throws IOException {
        String own =
                gid.subnetPrefix() + " " + gid.interfaceId() + " " + qp.qpNum() + " " + mr.addr() + " " + mr.rkey();
        String[] peer = meet(own).split(" ", -1);
        remote = Long.parseLong(peer[3]);
        rkey = Integer.parseInt(peer[4]);
        AhAttr path = new AhAttr().portNum(PORT).isGlobal(true);
        path.grh()
                .dgid(Gid.of(Long.parseLong(peer[0]), Long.parseLong(peer[1])))
                .sgidIndex(0)
                .hopLimit(64);
        qp.modify(new QpAttr()
                .qpState(QpState.RTR)
                .ahAttr(path)
                .pathMtu(Mtu.MTU_4096)
                .destQpNum(Integer.parseInt(peer[2]))
                .rqPsn(7)
                .maxDestRdAtomic(4)
                .minRnrTimer(1));
        qp.modify(new QpAttr()
                .qpState(QpState.RTS)
                .sqPsn(7)
                .timeout(18)
                .retryCnt(7)
                .rnrRetry(7)
                .maxRdAtomic(4));
        meet("connected");
    }

    private void run(int own, int others) throws IOException {
        for (int i = 0; i < 4 * AREA; i++) {
            memory.put(i, i < AREA ? content(own, i) : 0);
        }
        int at = SENT;
        for (int size : SIZES) {
            check(qp.postRecv(new RecvWorkRequest().sgList(ScatterGatherElement.of(mr, at, size))));
            at += size;
        }
        meet("ready");
        post(WrOpcode.SEND, OUT, OUT);
        await(2 * SIZES.length);
        post(WrOpcode.RDMA_WRITE, OUT, WRITTEN);
        await(SIZES.length);
        post(WrOpcode.RDMA_READ, READ, OUT);
        await(SIZES.length);
        meet("done");
        verify(others, SENT);
        verify(others, WRITTEN);
        verify(others, READ);
        meet("right");
    }

    private static byte content(int number, int at) {
        return (byte) (at * 31 + (at >> 8) + number * 101 + 1);
    }

    private void post(int opcode, int local, int offset) {
        int at = 0;
        for (int size : SIZES) {
            check(qp.postSend(new SendWorkRequest()
                    .opcode(opcode)
                    .sendFlags(SendFlags.SIGNALED)
                    .remoteAddr(remote + offset + at)
                    .rkey(rkey)
                    .sgList(ScatterGatherElement.of(mr, local + at, size))));
            at += size;
        }
    }

    private static void check(int errno) {
        if (errno != 0) {
            throw new IllegalStateException("errno " + errno);
        }
    }

    private void await(int completions) {
        long start = System.nanoTime();
        for (int left = completions; left > 0; ) {
            int n = cq.poll(1, done);
            if (n < 0) {
                throw new IllegalStateException("poll: errno " + -n);
            }
            if (n > 0 && done[0].status() != WcStatus.SUCCESS) {
                throw new IllegalStateException(WcStatus.toString(done[0].status()));
            }
            left -= n;
            if (System.nanoTime() - start > PATIENCE_NANOS) {
                throw new IllegalStateException(left + " completions are missing");
            }
        }
    }

    private void verify(int number, int area) {
        int end = 0;
        for (int size : SIZES) {
            end += size;
        }
        for (int i = 0; i < end; i++) {
            if (memory.get(area + i) != content(number, i)) {
                throw new IllegalStateException("byte " + i + " of the area at " + area + " is wrong");
            }
        }
    }

    @Override
    public void close() {
        qp.close();
        mr.close();
        cq.close();
        pd.close();
    }
}
