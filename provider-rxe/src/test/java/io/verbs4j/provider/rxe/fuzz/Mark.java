/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.fuzz;

import io.verbs4j.AccessFlags;
import io.verbs4j.FastRegister;
import io.verbs4j.Gid;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.MwType;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;
import io.verbs4j.provider.rxe.memory.RxeMemoryRegionKey;
import io.verbs4j.provider.rxe.qp.RxeQp;

/** A target queue pair of a type, in a state, with or without work. */
final class Mark {
    /** The desired condition of the queue pair. */
    enum Role {
        RESET,
        INIT,
        RTR,
        /** Ready, with receive work requests. */
        RTS,
        /** The same, with requests of all kinds awaiting responses. */
        BUSY,
        /** Ready, without receive work requests. */
        NO_RECEIVE,
        /** The other side may neither read nor write. */
        NO_ACCESS,
        SHARED_RECEIVE,
        /**
         * With a shared receive queue that matches tags, on RC; created separately, since the corpus does not contain
         * it.
         */
        TAGS,
        SQD,
        SQE,
        ERR
    }

    static final int RECEIVE_BYTES = 600;
    static final int QKEY = 0x1111_1111;
    static final int MTU = 256;
    private static final int PIECES = 4;

    final RxeQp qp;
    final Role role;
    private final Range range;
    private final MemoryRegion local;

    /** On RC: a window bound when the queue pair is prepared, until a packet invalidates it. */
    final MemoryWindow window;

    /**
     * On RC: a key of pieces of the open region's memory, mapped when the queue pair is prepared, until a packet
     * invalidates it.
     */
    final RxeMemoryRegionKey fast;

    /** The message the generator has started to send to this queue pair: a packet's opcode, and the remaining bytes. */
    int underWay = -1;

    int left;

    private int receive;

    Mark(RxeQp qp, Role role, Range range) {
        this.qp = qp;
        this.role = role;
        this.range = range;
        this.local = range.grounds.local;
        this.window = qp.qpType() == QpType.RC ? qp.pd().allocMw(MwType.TYPE_2) : null;
        this.fast = qp.qpType() == QpType.RC ? new RxeMemoryRegionKey(qp.keys(), qp.pd(), PIECES) : null;
    }

    /** Restores the desired condition of the queue pair, whatever has happened to it. */
    void prepare() {
        underWay = -1;
        range.toState(qp, QpState.RESET, role);
        switch (role) {
            case RESET -> {}
            case INIT -> range.toState(qp, QpState.INIT, role);
            case RTR -> through(QpState.RTR);
            case SQD -> {
                through(QpState.RTS);
                range.toState(qp, QpState.SQD, role);
            }
            case ERR -> {
                through(QpState.INIT);
                range.toState(qp, QpState.ERR, role);
            }
            case SQE -> {
                through(QpState.RTS);
                qp.postSend(outside(), null);
            }
            case TAGS -> through(QpState.RTS);
            case BUSY -> {
                through(QpState.RTS);
                postSends();
            }
            default -> {
                through(QpState.RTS);
                bindWindow();
                giveMemory();
            }
        }
        refill();
    }

    private void bindWindow() {
        if (window != null) {
            MemoryRegion open = range.grounds.open;
            int rights = AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ | AccessFlags.REMOTE_ATOMIC;
            SendWorkRequest bind = new SendWorkRequest()
                    .opcode(WrOpcode.BIND_MW)
                    .mw(window)
                    .mwRkey(MemoryWindow.incRkey(window.rkey()))
                    .mwBind(new MwBind()
                            .mr(open)
                            .addr(open.addr())
                            .length(Grounds.SIZE / 2)
                            .mwAccessFlags(rights));
            if (qp.postSend(bind, null) != 0) {
                throw new AssertionError("the window was not bound");
            }
        }
    }

    /** Pieces in another order, so that access beyond one of them is detected. */
    private void giveMemory() {
        if (fast != null && fast.length() == 0) {
            MemoryRegion open = range.grounds.open;
            ScatterGatherElement[] pieces = new ScatterGatherElement[PIECES];
            int size = Grounds.SIZE / PIECES;
            for (int i = 0; i < PIECES; i++) {
                pieces[i] = ScatterGatherElement.of(open, (long) (PIECES - 1 - i) * size, size);
            }
            SendWorkRequest give = new SendWorkRequest()
                    .opcode(WrOpcode.REG_MR)
                    .fastRegister(new FastRegister()
                            .mr(fast)
                            .key(MemoryWindow.incRkey(fast.rkey()))
                            .addr(open.addr())
                            .access(Grounds.ALL))
                    .sgList(pieces);
            if (qp.postSend(give, null) != 0 || fast.length() != Grounds.SIZE) {
                throw new AssertionError("the key was not registered");
            }
        }
    }

    /** Frees window and key. */
    void close() {
        if (window != null) {
            window.close();
            fast.key.destroy();
        }
    }

    private void through(int last) {
        for (int state = QpState.INIT; state <= last; state++) {
            range.toState(qp, state, role);
        }
    }

    /** Whether it still is as prepared. */
    boolean isAsPrepared() {
        return switch (role) {
            case RESET, INIT, ERR -> true;
            case SQE -> qp.state() == QpState.SQE;
            case RTR -> qp.state() == QpState.RTR;
            case SQD -> qp.state() == QpState.SQD;
            case BUSY -> qp.state() == QpState.RTS && !qp.sendQueue().isEmpty();
            default -> qp.state() == QpState.RTS;
        };
    }

    boolean takesPackets() {
        return role != Role.RESET && role != Role.INIT && role != Role.ERR;
    }

    void refill() {
        if (role == Role.NO_RECEIVE || !takesPackets() || role == Role.SHARED_RECEIVE || role == Role.TAGS) {
            return;
        }
        int error = 0;
        while (error == 0 && qp.state() != QpState.ERR) { // where it would be flushed immediately
            error = qp.postRecv(
                    new RecvWorkRequest()
                            .sgList(
                                    ScatterGatherElement.of(local, receive++ % 8L * RECEIVE_BYTES, RECEIVE_BYTES - 100),
                                    ScatterGatherElement.of(local, 8L * RECEIVE_BYTES, 100)),
                    null);
        }
    }

    private SendWorkRequest wr(int opcode, int length) {
        return new SendWorkRequest()
                .opcode(opcode)
                .sendFlags(SendFlags.SIGNALED)
                .remoteAddr(0x1000)
                .rkey(7)
                .ah(range.addressHandle)
                .remoteQpn(5)
                .remoteSrqn(5)
                .sgList(ScatterGatherElement.of(local, 6000, length));
    }

    private SendWorkRequest outside() {
        SendWorkRequest wr = wr(WrOpcode.SEND, 100);
        wr.sgList()[0].lkey(0);
        return wr;
    }

    private void postSends() {
        if (qp.isReliable()) {
            qp.postSend(wr(WrOpcode.SEND, 700), null);
            qp.postSend(wr(WrOpcode.RDMA_READ, 1000), null);
            qp.postSend(wr(WrOpcode.ATOMIC_FETCH_AND_ADD, 8), null);
            qp.postSend(wr(WrOpcode.RDMA_READ, 3), null);
            qp.postSend(wr(WrOpcode.ATOMIC_CMP_AND_SWP, 8), null);
            qp.postSend(wr(WrOpcode.RDMA_WRITE_WITH_IMM, 2000), null);
            qp.postSend(wr(WrOpcode.SEND, 0), null);
        }
    }

    /** The address from which packets to this queue pair must come. */
    Gid peer() {
        return range.peerLink.localGid();
    }
}
