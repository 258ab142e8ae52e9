/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.faults;

import io.verbs4j.AccessFlags;
import io.verbs4j.CompletionQueue;
import io.verbs4j.MemoryRegion;
import io.verbs4j.Mtu;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.provider.rxe.TestContext;
import io.verbs4j.rdmacore.sim.QpWalk;
import java.nio.ByteBuffer;

/**
 * One end of a connection: sends its own schedule, receives the other's, and checks every byte and every completion.
 * One thread runs it.
 *
 * <pre>
 * memory   send slots | slots written by the other side | receive slots
 * </pre>
 */
final class Party implements AutoCloseable {
    private static final int WINDOW = 8;
    private static final int RECEIVES = 16;
    private static final int SLOT = Schedule.MAX_MESSAGE + 64;
    private static final byte UNTOUCHED = 0x5a;
    private static final int FIRST_PSN = 0xfff000; // wraps soon
    private static final int ACCESS = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ;

    final TestContext context;
    private final Schedule mine;
    private final Schedule others;
    private final ByteBuffer pattern;
    private final ByteBuffer memory = ByteBuffer.allocateDirect((2 * WINDOW + RECEIVES) * SLOT);
    private final ProtectionDomain pd;
    private final MemoryRegion mr;
    private final MemoryRegion patternMr;
    private final CompletionQueue cq;
    private final QueuePair qp;
    private final WorkCompletion[] completions = new WorkCompletion[16];
    private Party other;

    private int posted;
    private int completed;

    /** The next message expected from the other side, and how many have arrived. */
    private int awaited;

    private long received;

    /** All earlier messages of the other side are received and compared: their slots may be written again. */
    private volatile int compared;

    /** For watching threads. */
    volatile long bytes;

    Party(TestContext context, Schedule mine, Schedule others, ByteBuffer pattern) {
        this.context = context;
        this.mine = mine;
        this.others = others;
        this.pattern = pattern;
        pd = context.allocPd();
        mr = pd.regMr(memory, ACCESS);
        patternMr = pd.regMr(pattern, AccessFlags.REMOTE_READ);
        cq = context.createCq(4 * (WINDOW + RECEIVES));
        qp = pd.createQp(new QpInitAttr()
                .qpType(QpType.RC)
                .sendCq(cq)
                .recvCq(cq)
                .cap(new QpCap()
                        .maxSendWr(WINDOW)
                        .maxRecvWr(RECEIVES)
                        .maxSendSge(1)
                        .maxRecvSge(1)));
        for (int i = 0; i < completions.length; i++) {
            completions[i] = new WorkCompletion();
        }
        for (int i = 0; i < memory.capacity(); i++) {
            memory.put(i, UNTOUCHED);
        }
    }

    void connect(Party peer, int timeout) {
        other = peer;
        QpWalk walk = QpWalk.of(QpType.RC)
                .access(AccessFlags.REMOTE_READ | AccessFlags.REMOTE_WRITE)
                .mtu(Mtu.MTU_4096)
                .minRnrTimer(1)
                .timeout(timeout)
                .readDepth(WINDOW)
                .psn(FIRST_PSN);
        qp.modify(walk.init());
        qp.modify(walk.rtr(QpWalk.path(peer.context.queryGid(1, 0)), peer.qp.qpNum()));
        for (int i = 0; i < RECEIVES; i++) {
            postReceive(i);
        }
        qp.modify(walk.rts());
    }

    private void postReceive(long number) {
        int error = qp.postRecv(new RecvWorkRequest().wrId(number).sgList(piece(receiveSlot(number), SLOT)));
        require(error == 0, "post_recv returned " + error);
    }

    private ScatterGatherElement piece(int at, int length) {
        return new ScatterGatherElement().addr(mr.addr() + at).length(length).lkey(mr.lkey());
    }

    private static int sendSlot(int message) {
        return message % WINDOW * SLOT;
    }

    private static int writtenSlot(int message) {
        return (WINDOW + message % WINDOW) * SLOT;
    }

    private static int receiveSlot(long number) {
        return (2 * WINDOW + (int) (number % RECEIVES)) * SLOT;
    }

    boolean isDone() {
        return completed == mine.length() && awaited == others.length();
    }

    /** Makes progress: sends what may be sent, and takes completions; returns whether there were any. */
    boolean step() {
        while (posted < mine.length() && posted - completed < WINDOW && posted - other.compared < WINDOW) {
            post(posted++);
        }
        int n = cq.poll(completions.length, completions);
        require(n >= 0, "poll_cq returned " + n);
        for (int i = 0; i < n; i++) {
            take(completions[i]);
        }
        return n > 0;
    }

    private void post(int message) {
        int at = sendSlot(message);
        int size = mine.size[message];
        int opcode = mine.opcode[message];
        if (opcode == WrOpcode.RDMA_READ) {
            // From the middle of the slot's room on nothing may be written.
            memory.put(at + size, UNTOUCHED);
        } else {
            memory.put(at, pattern, mine.offset[message], size);
        }
        SendWorkRequest wr = new SendWorkRequest()
                .wrId(message)
                .opcode(opcode)
                .sendFlags(SendFlags.SIGNALED)
                .immData(message)
                .sgList(piece(at, size));
        if (opcode == WrOpcode.RDMA_READ) {
            wr.remoteAddr(other.patternMr.addr() + mine.offset[message]).rkey(other.patternMr.rkey());
        } else {
            wr.remoteAddr(other.mr.addr() + writtenSlot(message)).rkey(other.mr.rkey());
        }
        int error = qp.postSend(wr);
        require(error == 0, "post_send returned " + error);
    }

    private void take(WorkCompletion wc) {
        require(
                wc.status() == WcStatus.SUCCESS,
                "completion with status " + WcStatus.toString(wc.status()) + "; messages posted " + posted
                        + ", completed " + completed);
        if ((wc.opcode() & WcOpcode.RECV) != 0) {
            takeReceive(wc);
        } else {
            takeSend(wc);
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // written by one thread
    private void takeSend(WorkCompletion wc) {
        int message = completed;
        require(message < posted, "more completions than posted messages");
        require(wc.wrId() == message, "completion " + wc.wrId() + " came, but " + message + " was expected");
        if (mine.opcode[message] == WrOpcode.RDMA_READ) {
            require(wc.opcode() == WcOpcode.RDMA_READ, "opcode " + wc.opcode());
            compare(sendSlot(message), mine, message);
        }
        completed++;
        bytes += mine.size[message];
    }

    private void takeReceive(WorkCompletion wc) {
        while (awaited < others.length() && !others.isReceived(awaited)) {
            awaited++;
        }
        require(awaited < others.length(), "more messages than were sent");
        int message = awaited;
        int opcode = others.opcode[message];
        boolean written = opcode == WrOpcode.RDMA_WRITE_WITH_IMM;
        require(wc.wrId() == received, "receive " + wc.wrId() + " came, but " + received + " was expected");
        require(wc.byteLen() == others.size[message], "message " + message + " has " + wc.byteLen() + " bytes");
        require(wc.opcode() == (written ? WcOpcode.RECV_RDMA_WITH_IMM : WcOpcode.RECV), "opcode " + wc.opcode());
        boolean immediate = opcode != WrOpcode.SEND;
        require((wc.wcFlags() & WcFlags.WITH_IMM) != 0 == immediate, "flags " + wc.wcFlags());
        require(!immediate || wc.immData() == message, "immediate data " + wc.immData() + " of message " + message);
        compare(written ? writtenSlot(message) : receiveSlot(received), others, message);
        postReceive(received + RECEIVES);
        received++;
        awaited++;
        skipReads();
        compared = awaited;
    }

    /** The other side's reads cause no completion here, and use no slot of this side. */
    void skipReads() {
        while (awaited < others.length() && !others.isReceived(awaited)) {
            awaited++;
        }
        compared = awaited;
    }

    /**
     * Compares every byte of a message, checks that the byte after it is unchanged, and clears the slot for the next
     * one.
     */
    private void compare(int at, Schedule schedule, int message) {
        int size = schedule.size[message];
        ByteBuffer got = memory.slice(at, size);
        int wrong = got.mismatch(pattern.slice(schedule.offset[message], size));
        require(wrong < 0, "byte " + wrong + " of " + size + " of message " + message + " is wrong");
        require(memory.get(at + size) == UNTOUCHED, "the byte after message " + message + " was written to");
        for (int i = 0; i < size; i += Long.BYTES) {
            memory.putLong(at + i, 0x5a5a5a5a5a5a5a5aL);
        }
    }

    private void require(boolean condition, String message) {
        if (!condition) {
            throw new AssertionError(context.device() + ": " + message + "; "
                    + context.port().transportCounters().snapshot());
        }
    }

    /** Checks that there are no further completions. */
    void requireSilence() {
        require(cq.poll(completions.length, completions) == 0, "unexpected completion");
    }

    int messages() {
        return mine.length();
    }

    @Override
    public void close() {
        qp.close();
        cq.close();
        mr.close();
        patternMr.close();
        pd.close();
    }
}
