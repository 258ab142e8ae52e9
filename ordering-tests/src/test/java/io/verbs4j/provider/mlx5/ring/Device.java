/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.verbs4j.RecvWorkRequest;
import io.verbs4j.WorkCompletion;
import io.verbs4j.natives.lock.RingLock;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.ordering.Blocks;
import io.verbs4j.provider.mlx5.layout.CqeLayout;
import io.verbs4j.rdmacore.memory.RegionTable;
import io.verbs4j.rdmacore.object.SendMarkers;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A device as an actor that reads the rings: if it sees the last store, it must see those before.
 *
 * <p>These tests can reveal reordering by the compiler, and a load that passes a store in the processor. On x86-64 they
 * cannot reveal a store that passes another: in cached memory none does, whatever the code is; in the write-combining
 * page of a real register one may, which is why an exchange precedes the doorbell.
 */
final class Device {
    private static final int QPN = 0x7;
    private static final int NUMBER = 1;
    private static final int LENGTH = 5;
    private static final int CQ_RECORD = 128;
    private static final int CQ_PAGE = 256;
    private static final int ARM_RECORD = CQ_RECORD + 4;

    private Device() {}

    /** A post stores the element, then the record, then the doorbell. */
    @JCStressTest
    @Outcome(
            id = {"0, 0, 0", "0, 0, 1", "0, 1, 1", "1, 1, 1"},
            expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "the doorbell before the record, or the record before the element")
    @State
    public static class SeesPost {
        private final Sends sends = new Sends(1);

        @Actor
        public void post() {
            sends.post(1);
        }

        @Actor
        public void device(III_Result r) {
            r.r1 = NativeMemory.getByteAcquire(sends.register + 3) != 0 ? 1 : 0; // the operation, as in the element
            r.r2 = NativeMemory.getByteAcquire(sends.record + Wqe.SEND_RECORD + 3) != 0 ? 1 : 0;
            r.r3 = NativeMemory.getByteAcquire(sends.memory + 3) != 0 ? 1 : 0;
        }
    }

    /** A completion queue of two places with one receive under way. */
    private static final class Cq {
        final long memory = Blocks.take();
        final CqRing ring;
        final WorkCompletion[] wc = {new WorkCompletion()};

        Cq() {
            Rings rings = new Rings();
            ReceiveRing receives = new ReceiveRing(memory + 384, 1, Wqe.SEGMENT, memory + 400, 1, 1);
            receives.post(new RecvWorkRequest().wrId(1), null);
            rings.add(new Rings.Entry(QPN, this, null, receives, null, null, null, null));
            NativeMemory.putByte(memory + CqeLayout.OP_OWN, Cqe.INVALID << 4);
            NativeMemory.putByte(memory + Cqe.SIZE + CqeLayout.OP_OWN, Cqe.INVALID << 4);
            ring = new CqRing(
                    memory,
                    2,
                    Cqe.SIZE,
                    memory + CQ_RECORD,
                    memory + CQ_PAGE,
                    NUMBER,
                    rings,
                    new RegionTable(),
                    new SendMarkers(),
                    new RingLock(false));
        }

        /** Writes a completion as a device does: the byte with the owner bit comes last. */
        void complete() {
            NativeMemory.putNetInt(memory + CqeLayout.SOP_DROP_QPN, QPN);
            NativeMemory.putNetInt(memory + CqeLayout.BYTE_CNT, LENGTH);
            int last =
                    NativeMemory.getInt(memory + CqeLayout.WQE_COUNTER) & 0x00ffffff | 2 << 28; // a send was received
            NativeMemory.putIntRelease(memory + CqeLayout.WQE_COUNTER, last);
        }

        boolean armed() {
            return NativeMemory.getInt(memory + ARM_RECORD) != 0;
        }
    }

    /** A poll that sees the owner bit sees the rest. */
    @JCStressTest
    @Outcome(
            id = {"0, 0", "1, " + LENGTH},
            expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "a completion without its contents")
    @State
    public static class IsPolled {
        private final Cq cq = new Cq();

        @Actor
        public void device() {
            cq.complete();
        }

        @Actor
        public void poll(II_Result r) {
            r.r1 = cq.ring.poll(1, cq.wc);
            r.r2 = cq.wc[0].byteLen();
        }
    }

    /**
     * A program arms and polls once more; a device completes and checks whether an event is wanted. One of the two must
     * see the other, or the program never wakes.
     */
    @JCStressTest
    @Outcome(
            id = {"0, 1", "1, 0", "1, 1"},
            expect = ACCEPTABLE)
    @Outcome(id = "0, 0", expect = FORBIDDEN, desc = "the program sleeps, and the device tells nobody")
    @State
    public static class IsArmed {
        private final Cq cq = new Cq();

        public IsArmed() {
            cq.ring.eventFetched(); // so that the record is not zero
        }

        @Actor
        public void program(II_Result r) {
            cq.ring.arm(false);
            r.r1 = cq.ring.poll(1, cq.wc);
        }

        @Actor
        public void device(II_Result r) {
            cq.complete();
            NativeMemory.fullFence();
            r.r2 = cq.armed() ? 1 : 0;
        }
    }

    /** Control: what happens if the request for an event is a plain store, which the poll's load passes. */
    @JCStressTest
    @Outcome(
            id = {"0, 1", "1, 0", "1, 1"},
            expect = ACCEPTABLE)
    @Outcome(id = "0, 0", expect = ACCEPTABLE_INTERESTING, desc = "control: the program sleeps, nobody is told")
    @State
    public static class ControlArmedWithoutFence {
        private final Cq cq = new Cq();

        @Actor
        public void program(II_Result r) {
            NativeMemory.putIntRelease(cq.memory + ARM_RECORD, 1);
            r.r1 = NativeMemory.getByteAcquire(cq.memory + CqeLayout.OP_OWN) == Cqe.INVALID << 4 ? 0 : 1;
        }

        @Actor
        public void device(II_Result r) {
            cq.complete();
            NativeMemory.fullFence();
            r.r2 = cq.armed() ? 1 : 0;
        }
    }
}
