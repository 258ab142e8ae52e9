/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.testsupport.Extent;
import io.verbs4j.testsupport.Patience;
import java.util.Random;

/** Messages of all kinds from one side to the other, each checked when it completes. */
final class Conversation {
    private static final int SLOT = 64 << 10;
    private static final int SLOTS = 32;

    /** Bytes for each kind of fault; a system property makes runs longer. */
    static final int TOTAL = Integer.getInteger("verbs4j.fault.bytes", Extent.isFull() ? 4 << 20 : 1 << 20);

    /** Size of the buffer of each side. */
    static final int BYTES = SLOT * SLOTS;

    private final Subject a;
    private final Subject b;
    private final Random random;
    private final WorkCompletion[] wc = {new WorkCompletion()};
    private final int[] sizes = new int[SLOTS];
    private final int[] kinds = new int[SLOTS];
    private final long[] counterBefore = new long[SLOTS];
    private long posted;
    private long completed;
    private long sends;
    private long received;
    private long receivesPosted;
    private final int[] sendSizes = new int[1 << 16];
    private final int[] sendSeeds = new int[1 << 16];
    private long counter;

    Conversation(Subject a, Subject b, long seed) {
        this.a = a;
        this.b = b;
        this.random = new Random(seed);
    }

    void run(long total) {
        b.buffer.putLong(0, 0); // slot 0 holds the counter for atomics
        long bytes = 0;
        long end = System.nanoTime() + 600_000_000_000L;
        int idle = 0;
        while (bytes < total || completed < posted || received < sends) {
            assertThat(System.nanoTime())
                    .as("%d of %d, %s %s", completed, posted, a.counters(), b.counters())
                    .isLessThan(end);
            while (receivesPosted - received < 8) {
                b.recv(receivesPosted, slotThere(receivesPosted) * SLOT, SLOT);
                receivesPosted++;
            }
            if (bytes < total && posted - completed < 8) {
                bytes += post();
            }
            idle = poll() ? 0 : idle + 1;
            Patience.pause(idle); // other threads forward what was sent, and make new rings
        }
        // No more than the total.
        a.nothingCompletes();
        b.nothingCompletes();
        assertThat(b.buffer.getLong(0)).as("atomics").isEqualTo(counter);
    }

    /** Destinations of sends: slots 1 to 15 of the other side; writes and reads use 16 to 31. */
    private static int slotThere(long n) {
        return 1 + (int) (n % 15);
    }

    private int post() {
        int slot = (int) (posted % 15) + 1;
        int size = random.nextInt(4) == 0 ? random.nextInt(100) : random.nextInt(SLOT);
        int kind = random.nextInt(4);
        SendWorkRequest wr = a.wr(WrOpcode.SEND, posted, slot * SLOT, size);
        switch (kind) {
            case 0 -> {
                fill(a, slot, size, (int) posted);
                sendSizes[(int) sends] = size;
                sendSeeds[(int) sends++] = (int) posted;
            }
            case 1 -> {
                fill(a, slot, size, (int) posted);
                wr.opcode(WrOpcode.RDMA_WRITE)
                        .remoteAddr(b.address((16 + slot) * SLOT))
                        .rkey(b.mr.rkey());
            }
            case 2 -> {
                fill(b, 16 + slot, size, (int) posted);
                // After a write to the same memory the fence keeps the order.
                wr.opcode(WrOpcode.RDMA_READ)
                        .sendFlags(SendFlags.SIGNALED | SendFlags.FENCE)
                        .remoteAddr(b.address((16 + slot) * SLOT))
                        .rkey(b.mr.rkey());
            }
            default -> {
                size = 8;
                counterBefore[slot] = counter;
                counter += posted;
                wr = a.wr(WrOpcode.ATOMIC_FETCH_AND_ADD, posted, slot * SLOT, 8)
                        .remoteAddr(b.address(0))
                        .rkey(b.mr.rkey())
                        .compareAdd(posted);
            }
        }
        sizes[slot] = size;
        kinds[slot] = kind;
        a.post(wr);
        posted++;
        return size;
    }

    /** Takes completions; returns whether there were any. */
    private boolean poll() {
        long before = completed + received;
        if (a.cq.poll(1, wc) == 1) {
            assertThat(WcStatus.toString(wc[0].status()))
                    .as("%s %s", a.counters(), b.counters())
                    .isEqualTo("success");
            assertThat(wc[0].wrId()).isEqualTo(completed);
            int slot = (int) (completed % 15) + 1;
            switch (kinds[slot]) {
                case 1 -> check(b, 16 + slot, sizes[slot], (int) completed);
                case 2 -> check(a, slot, sizes[slot], (int) completed);
                case 3 -> assertThat(a.buffer.getLong(slot * SLOT)).isEqualTo(counterBefore[slot]);
                default -> {}
            }
            completed++;
        }
        if (b.cq.poll(1, wc) == 1) {
            assertThat(wc[0].status()).isZero();
            assertThat(wc[0].opcode()).isEqualTo(WcOpcode.RECV);
            assertThat(wc[0].wrId()).isEqualTo(received);
            assertThat(wc[0].byteLen()).isEqualTo(sendSizes[(int) received]);
            check(b, slotThere(received), wc[0].byteLen(), sendSeeds[(int) received]);
            received++;
        }
        return completed + received > before;
    }

    private static void fill(Subject s, int slot, int size, int seed) {
        for (int i = 0; i < size; i++) {
            s.buffer.put(slot * SLOT + i, pattern(seed, i));
        }
    }

    private static void check(Subject s, int slot, int size, int seed) {
        for (int i = 0; i < size; i++) {
            if (s.buffer.get(slot * SLOT + i) != pattern(seed, i)) {
                throw new AssertionError("message " + seed + " is wrong at " + i + " of " + size);
            }
        }
    }

    private static byte pattern(int seed, int i) {
        return (byte) (seed * 97 + i * 7 + (i >>> 8) * 13);
    }
}
