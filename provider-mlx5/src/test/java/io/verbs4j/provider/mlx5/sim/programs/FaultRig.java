/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import static io.verbs4j.rdmacore.sim.Check.require;

import io.verbs4j.CompletionQueue;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpState;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.sim.Simulator;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A rig on which faults happen, with a log of what was seen. Ids start at {@link #SENDS} for sends, at
 * {@link #RECEIVES} for receives of the same queue pair, and at {@link #PEERS} for those of its peer.
 */
final class FaultRig implements AutoCloseable {
    static final int SENDS = 0;
    static final int RECEIVES = 1000;
    static final int PEERS = 2000;
    static final int LENGTH = 48;
    static final int TARGET = 1 << 15;
    private static final int SIZE = 1 << 16;
    private static final int SLOTS = 100;

    final Mlx5Rig rig;
    private final ByteBuffer memory = ByteBuffer.allocateDirect(SIZE);
    private final WorkCompletion[] wc = {new WorkCompletion()};
    private final List<String> log = new ArrayList<>();
    private final List<String> seen = new ArrayList<>();

    FaultRig(String device, String path, int type) {
        rig = new Mlx5Rig(device, path, type, memory);
    }

    /** Returns everything that was seen, in order. */
    List<String> log() {
        return log;
    }

    void note(String text) {
        log.add(text);
    }

    void fault(QueuePair of, int kind, int arg, int count) {
        require(Simulator.device_sim_fault(of.qpNum(), kind, arg, count) == 0, "no such fault");
    }

    /** Returns a send of {@link #LENGTH} bytes from its id's place. */
    SendWorkRequest send(int id) {
        return new SendWorkRequest()
                .wrId(id)
                .opcode(WrOpcode.SEND)
                .sendFlags(SendFlags.SIGNALED)
                .sgList(ScatterGatherElement.of(rig.mr, source(id), LENGTH));
    }

    static long source(int id) {
        return (long) id % SLOTS * LENGTH;
    }

    /** Returns a receive to its id's place. */
    RecvWorkRequest receive(int id) {
        return new RecvWorkRequest().wrId(id).sgList(ScatterGatherElement.of(rig.mr, TARGET + source(id), LENGTH));
    }

    /** Posts sends as one list. */
    void sends(int from, int count, int flags) {
        SendWorkRequest list = null;
        for (int i = from + count - 1; i >= from; i--) {
            for (int b = 0; b < LENGTH; b++) {
                NativeMemory.putByte(rig.mr.addr() + source(i) + b, i * 31 + b);
                NativeMemory.putByte(rig.mr.addr() + TARGET + source(i) + b, 0);
            }
            list = send(i).sendFlags(flags).next(list);
        }
        post(list);
    }

    void sends(int from, int count) {
        sends(from, count, SendFlags.SIGNALED);
    }

    void post(SendWorkRequest list) {
        require(rig.qp.postSend(list) == 0, "a post was refused");
    }

    /** Posts receives to either queue pair, depending on their ids. */
    void receives(int from, int count) {
        for (int i = from; i < from + count; i++) {
            QueuePair to = i >= PEERS ? rig.peer : rig.qp;
            require(to.postRecv(receive(i)) == 0, "a receive was refused");
        }
    }

    /** Lets the devices work, and logs the completions. */
    void work() {
        Simulator.pump();
        seen.clear();
        while (rig.cq.poll(1, wc) == 1 || rig.peerCq.poll(1, wc) == 1) {
            int of = wc[0].wrId() >= PEERS ? rig.peer.qpNum() : rig.qp.qpNum();
            require(wc[0].qpNum() == of, "completion of " + wc[0].wrId() + " for " + wc[0].qpNum());
            seen.add(wc[0].wrId() + " " + told(wc[0].status(), wc[0].vendorErr()));
        }
        log.addAll(seen);
        require(Simulator.device_sim_check_idle() == 0, Simulator.message());
    }

    /** Returns the log line of the next completion of a queue. */
    static String one(CompletionQueue cq) {
        WorkCompletion[] next = {new WorkCompletion()};
        require(cq.poll(1, next) == 1, "no completion");
        return next[0].wrId() + " " + told(next[0].status(), next[0].vendorErr());
    }

    /** Returns how a status and vendor error are logged. */
    static String told(int status, int vendor) {
        return switch (status) {
            case WcStatus.SUCCESS -> "ok";
            case WcStatus.WR_FLUSH_ERR -> "flush";
            default -> WcStatus.toString(status) + " " + vendor;
        };
    }

    /** Checks what the last {@link #work} logged for ids starting at {@code from}, in this order. */
    void expect(int from, String... wanted) {
        List<String> got = seen.stream()
                .filter(s -> Integer.parseInt(s.substring(0, s.indexOf(' '))) / RECEIVES == from / RECEIVES)
                .toList();
        require(got.equals(List.of(wanted)), "seen " + got + ", expected " + List.of(wanted));
    }

    /** Checks that the bytes of sends have arrived. */
    void requireData(int from, int count) {
        for (int i = from; i < from + count; i++) {
            for (int b = 0; b < LENGTH; b++) {
                int got = NativeMemory.getByte(rig.mr.addr() + TARGET + source(i) + b);
                require(got == (i * 31 + b & 0xff), "byte " + b + " of send " + i + " is " + got);
            }
        }
    }

    void requireInError(QueuePair qp) {
        require(qp.query(QpAttrMask.STATE).qpState() == QpState.ERR, "the queue pair is not in ERR");
    }

    /** Resets both queue pairs: nothing old is seen, and new requests complete. */
    void goOn() {
        rig.reconnect();
        work();
        require(seen.isEmpty(), "after RESET: " + seen);
        receives(PEERS + 40, 3);
        sends(40, 3);
        work();
        expect(SENDS, "40 ok", "41 ok", "42 ok");
        expect(PEERS, "2040 ok", "2041 ok", "2042 ok");
        requireData(40, 3);
    }

    @Override
    public void close() {
        rig.close();
    }
}
