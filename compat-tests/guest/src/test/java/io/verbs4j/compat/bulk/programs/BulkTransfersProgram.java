/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.bulk.programs;

import io.verbs4j.Errno;
import io.verbs4j.OpenAttr;
import io.verbs4j.VerbsException;
import io.verbs4j.bulk.BulkBuffer;
import io.verbs4j.bulk.BulkFlags;
import io.verbs4j.bulk.BulkPeer;
import io.verbs4j.hbldv.HblOpenAttr;
import io.verbs4j.testsupport.Patience;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Runs every operation in both directions between two bulk endpoints in one thread, and checks every byte. */
public final class BulkTransfersProgram implements AutoCloseable {
    private static final int[] SIZES = {
        0, 1, 8, 4031, 4032, 4033, 65_536, 65_537, 262_145, 1_048_575, 1_048_576, 1_048_577, 1_500_003
    };
    private static final int QUIET_TURNS = 2000;
    private static final int PEERS = 6;

    private final BulkSide a;
    private final BulkSide b;
    private final Random random = new Random(7);
    private long bytes;
    private int rails;

    private BulkTransfersProgram(BulkSide a, BulkSide b) {
        this.a = a;
        this.b = b;
    }

    public static void main(String... args) {
        if (args.length > 2) {
            refuseKeys(args[0], args[1]);
            return;
        }
        try (BulkTransfersProgram all = new BulkTransfersProgram(
                new BulkSide(args[0], new OpenAttr()), new BulkSide(args[1], new OpenAttr()))) {
            all.a.requireNoManager();
            for (int peer = 0; peer < PEERS; peer++) {
                all.connect(peer);
                all.transfer(peer == 0 ? SIZES : new int[] {random(all.random)});
                if (peer == 0) {
                    all.rails = all.a.peer.rails();
                    all.cancel();
                    all.many();
                }
            }
            all.close(all.a);
            System.out.println("bulk ok: rails " + all.rails + ", " + (all.a.completed() + all.b.completed())
                    + " entries, " + all.bytes + " bytes verified");
        }
    }

    /** Checks that devices opened with different keys are refused if their connections need one key for both sides. */
    private static void refuseKeys(String first, String second) {
        try (BulkSide a = new BulkSide(first, new OpenAttr().vendor(new HblOpenAttr().key(5)));
                BulkSide b = new BulkSide(second, new OpenAttr().vendor(new HblOpenAttr().key(6)))) {
            BulkPeer unexpected = a.endpoint.connect(b.endpoint.address(), Patience.SECONDS, TimeUnit.SECONDS);
            throw new IllegalStateException("connected with " + unexpected);
        } catch (VerbsException e) {
            System.out.println(e.getMessage());
        }
    }

    private static int random(Random random) {
        return random.nextInt(BulkSide.SIZE / 4);
    }

    private void connect(int number) {
        a.peer = a.endpoint.connect(b.endpoint.address(), Patience.SECONDS, TimeUnit.SECONDS);
        until(() -> b.endpoint.peer(number) != null);
        b.peer = b.endpoint.peer(number);
        if (a.hasSeveralDevices() && number == 0) {
            until(() -> a.peer.rails() > 1 && b.peer.rails() == a.peer.rails());
        }
    }

    private void until(BooleanSupplier holds) {
        long start = System.nanoTime();
        int turn = 0;
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() - start > Patience.NANOS) {
                throw new IllegalStateException("timed out");
            }
            if (a.turn() + b.turn() == 0) {
                Patience.pause(turn++);
            }
        }
    }

    /** Waits for all completions, and checks that there are no more. */
    private void settle() {
        until(() -> a.isIdle() && b.isIdle());
        for (int i = 0; i < QUIET_TURNS; i++) {
            a.turn();
            b.turn();
        }
    }

    private void transfer(int... sizes) {
        for (int size : sizes) {
            for (BulkSide from : new BulkSide[] {a, b}) {
                put(from, from == a ? b : a, size, 7);
                put(from, from == a ? b : a, size, 1L << 40);
                get(from, from == a ? b : a, size);
                message(from, from == a ? b : a, size, true);
                message(from, from == a ? b : a, size, false);
            }
        }
    }

    private void fill(BulkBuffer buffer) {
        byte[] all = new byte[BulkSide.SIZE];
        random.nextBytes(all);
        buffer.bytes().put(0, all);
    }

    /** Checks that bytes arrived, and that the bytes around them are unchanged. */
    private void verify(ByteBuffer before, BulkSide from, BulkSide to, int at, int size) {
        ByteBuffer wanted = before.put(at, from.source.bytes(), at, size);
        int differs = wanted.mismatch(to.target.bytes().slice(0, BulkSide.SIZE));
        if (differs >= 0) {
            throw new IllegalStateException("byte " + differs + " differs, of " + size + " at " + at + " from "
                    + from.device + " to " + to.device);
        }
        bytes += size;
    }

    private ByteBuffer prepare(BulkSide from, BulkSide to) {
        fill(from.source);
        fill(to.target);
        return ByteBuffer.allocate(BulkSide.SIZE).put(0, to.target.bytes(), 0, BulkSide.SIZE);
    }

    private void notified(BulkSide side, long value) {
        until(() -> !side.notified.isEmpty());
        long came = side.notified.remove();
        if (came != value || !side.notified.isEmpty()) {
            throw new IllegalStateException(side.device + " was notified of " + came + ", not of " + value);
        }
    }

    private void put(BulkSide from, BulkSide to, int size, long value) {
        int at = random.nextInt(BulkSide.SIZE - size);
        ByteBuffer before = prepare(from, to);
        long entry = from.entry();
        int i = from.ring.next();
        from.ring.put(i, from.peer, from.source, at, to.writable.id(), at, size, entry);
        from.ring.flags(i, BulkFlags.NOTIFY);
        from.ring.value(i, value);
        from.ring.submit();
        notified(to, value);
        verify(before, from, to, at, size);
        settle();
        from.expect(entry, size);
    }

    private void get(BulkSide to, BulkSide from, int size) {
        int at = random.nextInt(BulkSide.SIZE - size);
        ByteBuffer before = prepare(from, to);
        long entry = to.entry();
        int i = to.ring.next();
        to.ring.get(i, to.peer, to.target, at, from.readable.id(), at, size, entry);
        to.ring.flags(i, BulkFlags.NOTIFY);
        to.ring.value(i, entry);
        to.ring.submit();
        until(() -> to.isDone(entry));
        to.expect(entry, size);
        verify(before, from, to, at, size);
        notified(from, entry);
        settle();
    }

    private void message(BulkSide from, BulkSide to, int size, boolean expected) {
        int at = random.nextInt(BulkSide.SIZE - size);
        ByteBuffer before = prepare(from, to);
        long sent = from.entry();
        long received = to.entry();
        if (expected) {
            receive(to, at, size, received);
        }
        from.ring.send(from.ring.next(), from.peer, 3, from.source, at, size, sent);
        from.ring.submit();
        if (!expected) {
            for (int i = 0; i < QUIET_TURNS; i++) {
                a.turn();
                b.turn();
            }
            receive(to, at, size, received);
        }
        until(() -> to.isDone(received));
        verify(before, from, to, at, size);
        settle();
        from.expect(sent, size);
        to.expect(received, size);
    }

    private static void receive(BulkSide to, int at, int size, long entry) {
        to.ring.receive(to.ring.next(), to.peer, 3, to.target, at, size, entry);
        to.ring.submit();
    }

    /** Cancels a receive that has no sender, and one that does not exist. */
    private void cancel() {
        long receive = a.entry();
        long cancel = a.entry();
        long none = a.entry();
        a.ring.receive(a.ring.next(), a.peer, 9, a.target, 0, 64, receive);
        a.ring.cancel(a.ring.next(), receive, cancel);
        a.ring.cancel(a.ring.next(), Long.MAX_VALUE, none);
        a.ring.submit();
        settle();
        a.expect(receive, -Errno.ECANCELED);
        a.expect(cancel, 0);
        a.expect(none, -Errno.ENOENT);
    }

    /**
     * Posts more at once than there are credits, slots and fragments, both ways: slices of the source to the same
     * offsets.
     */
    private void many() {
        ByteBuffer inB = prepare(a, b);
        ByteBuffer inA = prepare(b, a);
        int[] sizes = new int[120];
        long[] entries = new long[2 * sizes.length];
        int at = 0;
        for (int n = 0; n < sizes.length; n++) {
            sizes[n] = random.nextInt(10) == 0 ? random.nextInt(100_000) : random.nextInt(5000);
            for (BulkSide from : new BulkSide[] {a, b}) {
                BulkSide to = from == a ? b : a;
                long entry = from.entry();
                if (n % 2 == 0) {
                    from.ring.put(from.ring.next(), from.peer, from.source, at, to.writable.id(), at, sizes[n], entry);
                } else {
                    receive(to, at, sizes[n], to.entry());
                    from.ring.send(from.ring.next(), from.peer, 3, from.source, at, sizes[n], entry);
                }
                from.ring.submit();
                entries[2 * n + (from == a ? 0 : 1)] = entry;
            }
            at += sizes[n];
        }
        settle();
        for (int n = 0; n < sizes.length; n++) {
            a.expect(entries[2 * n], sizes[n]);
            b.expect(entries[2 * n + 1], sizes[n]);
        }
        verify(inB, a, b, 0, at);
        verify(inA, b, a, 0, at);
    }

    /**
     * Closes an endpoint with many transfers outstanding on both sides: all complete, and memory stays untouched
     * afterwards.
     */
    private void close(BulkSide first) {
        BulkSide other = first == a ? b : a;
        long before = other.completed();
        int count = 40;
        for (int n = 0; n < count; n++) {
            other.ring.put(
                    other.ring.next(),
                    other.peer,
                    other.source,
                    0,
                    first.writable.id(),
                    0,
                    random(random),
                    other.entry());
            receive(other, 0, 64, other.entry());
            receive(first, 0, 64, first.entry());
        }
        other.ring.submit();
        for (int n = 0; n < 20; n++) {
            a.turn();
            b.turn();
        }
        first.endpoint.close();
        settle();
        if (other.completed() != before + 2L * count) {
            throw new IllegalStateException(other.device + ": " + (other.completed() - before) + " completed");
        }
    }

    @Override
    public void close() {
        a.close();
        b.close();
    }
}
