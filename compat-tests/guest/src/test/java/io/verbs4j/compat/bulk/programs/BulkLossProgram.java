/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.bulk.programs;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.EventType;
import io.verbs4j.OpenAttr;
import io.verbs4j.bulk.BulkBuffer;
import io.verbs4j.bulk.BulkFlags;
import io.verbs4j.bulk.BulkListener;
import io.verbs4j.testsupport.Patience;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Makes simulated devices of one side fail in the middle of transfers. If the side has another device, or reopens the
 * same one, everything completes once with success; otherwise everything ends once.
 */
public final class BulkLossProgram implements AutoCloseable {
    /** The transfers over the connection in each direction: one entry per part, or two for a message. */
    private static final int PARTS = 16;

    private static final int PART = BulkSide.SIZE / PARTS;
    private static final int KINDS = 3;
    private static final int STREAM = 3;
    private static final int QUIET_TURNS = 2000;

    static {
        Native.register(BulkLossProgram.class, NativeLibrary.getProcess());
    }

    /** An entry whose result is checked once all have completed. */
    private record Entry(BulkSide side, long number, int part, BulkSide to) {}

    private final List<Context> lost = new ArrayList<>();
    private final List<Context> expected = new ArrayList<>();
    private final List<Entry> entries = new ArrayList<>();
    private final Random random = new Random(11);
    private final BulkSide a;
    private final BulkSide b;

    /** The side that loses its devices. */
    private final BulkSide loser;

    private int survived;
    private int failed;

    private BulkLossProgram(String first, String second, boolean firstLoses, int seconds) {
        BulkListener listener = new BulkListener() {
            @Override
            public void deviceLost(Context context) {
                lost.add(context);
            }
        };
        BulkListener strict = new BulkListener() {
            @Override
            public void deviceLost(Context context) {
                throw new IllegalStateException("a working device is lost: " + context);
            }
        };
        a = side(first, firstLoses ? listener : strict, seconds);
        b = side(second, firstLoses ? strict : listener, seconds);
        loser = firstLoses ? a : b;
    }

    private static BulkSide side(String place, BulkListener listener, int seconds) {
        return new BulkSide(
                place,
                new OpenAttr(),
                config -> config.withListener(listener)
                        .withRecovery(seconds, TimeUnit.SECONDS)
                        .withPieceBytes(PART / 4)
                        .withSlots(16));
    }

    static native int device_sim_async_event(int device, int eventType, int number);

    /**
     * Runs the program.
     *
     * @param args the devices of the connecting side; the devices of the other side; {@code first} or {@code second},
     *     the side that loses devices; seconds for recovery; {@code reopen} or {@code leave}, what to do with a lost
     *     device; and the indexes of the lost devices on their side
     */
    public static void main(String... args) {
        try (BulkLossProgram all =
                new BulkLossProgram(args[0], args[1], args[2].equals("first"), Integer.parseInt(args[3]))) {
            all.connect();
            for (int i = 5; i < args.length; i++) {
                all.lose(Integer.parseInt(args[i]), args[4].equals("reopen"));
            }
            System.out.println("loss ok: " + all.survived + " survived, then " + all.failed + " failed; "
                    + all.a.peer.reconnections() + " reconnections");
        }
    }

    private void connect() {
        a.peer = a.endpoint.connect(b.endpoint.address(), Patience.SECONDS, TimeUnit.SECONDS);
        until(() -> b.endpoint.peer(0) != null);
        b.peer = b.endpoint.peer(0);
        int rails = Math.min(a.contexts().size(), b.contexts().size());
        until(() -> a.peer.rails() == rails && b.peer.rails() == rails);
    }

    /** Makes a device fail during transfers. */
    private void lose(int number, boolean reopen) {
        Context context = loser.contexts().get(number);
        boolean isLast = !reopen && expected.size() == loser.contexts().size() - 1;
        boolean isRail = loser.peer.rails() > 1 && number > 0;
        long before = a.peer.reconnections();
        fill(a.source);
        fill(b.source);
        start(a, b);
        start(b, a);
        long endless = isLast ? receive(loser) : 0;
        long done = a.completed() + b.completed();
        until(() -> a.completed() + b.completed() > done);
        require(entries.size() > a.completed() + b.completed() - done + 1, "everything completed before the loss");
        int index = Integer.parseInt(context.device().name().replaceAll(".*_", ""));
        require(device_sim_async_event(index, EventType.DEVICE_FATAL, 0) == 0, "no event");
        expected.add(context);
        loser.until(() -> lost.size() >= expected.size()); // the other side takes no messages meanwhile
        require(lost.equals(expected), "lost " + lost + ", not " + expected);
        if (reopen) {
            loser.reopen(number);
        }
        settle();
        if (isLast) {
            loser.expect(endless, -Errno.ENODEV);
            ended();
        } else {
            goneOn(isRail ? before : before + 1);
        }
        require(lost.equals(expected), "lost " + lost + ", not " + expected);
        entries.clear();
    }

    /** Posts a receive for a message that is never sent. */
    private static long receive(BulkSide side) {
        long entry = side.entry();
        side.ring.receive(side.ring.next(), side.peer, STREAM + 1, side.source, 0, 1, entry);
        side.ring.submit();
        return entry;
    }

    private void fill(BulkBuffer buffer) {
        byte[] all = new byte[BulkSide.SIZE];
        random.nextBytes(all);
        buffer.bytes().put(0, all);
    }

    /** Transfers every part of a side's source to the same offset in the other side's target. */
    private void start(BulkSide from, BulkSide to) {
        for (int part = 0; part < PARTS; part++) {
            int at = part * PART;
            switch (part % KINDS) {
                case 0 -> {
                    int i = from.ring.next();
                    long put = entry(from, part, to);
                    from.ring.put(i, from.peer, from.source, at, to.writable.id(), at, PART, put);
                    from.ring.flags(i, BulkFlags.NOTIFY);
                    from.ring.value(i, part);
                }
                case 1 -> {
                    long get = entry(to, part, to);
                    to.ring.get(to.ring.next(), to.peer, to.target, at, from.readable.id(), at, PART, get);
                }
                default -> {
                    long received = entry(to, part, to);
                    to.ring.receive(to.ring.next(), to.peer, STREAM, to.target, at, PART, received);
                    long sent = entry(from, part, to);
                    from.ring.send(from.ring.next(), from.peer, STREAM, from.source, at, PART, sent);
                }
            }
        }
        from.ring.submit();
        to.ring.submit();
    }

    private long entry(BulkSide side, int part, BulkSide to) {
        long number = side.entry();
        entries.add(new Entry(side, number, part, to));
        return number;
    }

    /** Checks that every entry succeeded, all bytes arrived, and each notification came once. */
    private void goneOn(long reconnections) {
        require(a.peer.reconnections() == reconnections, "reconnections: " + a.peer.reconnections());
        for (Entry entry : entries) {
            entry.side.expect(entry.number, PART);
            verify(entry);
            survived++;
        }
        for (BulkSide side : List.of(a, b)) {
            List<Long> came = new ArrayList<>(side.notified);
            came.sort(null);
            List<Long> wanted = new ArrayList<>();
            for (long part = 0; part < PARTS; part += KINDS) {
                wanted.add(part);
            }
            require(came.equals(wanted), side.device + " was notified of " + came + ", not of " + wanted);
            side.notified.clear();
        }
    }

    /** Checks that every entry ended, successful ones have their bytes, and no memory changes any more. */
    private void ended() {
        for (Entry entry : entries) {
            if (entry.side.result(entry.number) == PART) {
                verify(entry);
            } else {
                entry.side.expect(entry.number, entry.side == loser ? -Errno.ENODEV : -Errno.ECONNRESET);
                failed++;
            }
        }
        require(failed > 0, "nothing was in flight");
        for (BulkSide side : List.of(a, b)) {
            fill(side.target);
        }
        byte[] inA = bytes(a);
        byte[] inB = bytes(b);
        quietTurns();
        require(ByteBuffer.wrap(inA).equals(ByteBuffer.wrap(bytes(a))), a.device + " was written to afterwards");
        require(ByteBuffer.wrap(inB).equals(ByteBuffer.wrap(bytes(b))), b.device + " was written to afterwards");
    }

    private static byte[] bytes(BulkSide side) {
        byte[] all = new byte[BulkSide.SIZE];
        side.target.bytes().get(0, all);
        return all;
    }

    private void verify(Entry entry) {
        BulkSide from = entry.to == a ? b : a;
        ByteBuffer wanted = from.source.bytes().slice(entry.part * PART, PART);
        int differs = wanted.mismatch(entry.to.target.bytes().slice(entry.part * PART, PART));
        require(differs < 0, "byte " + differs + " of part " + entry.part + " to " + entry.to.device + " differs");
    }

    private void until(BooleanSupplier holds) {
        long start = System.nanoTime();
        int turn = 0;
        while (!holds.getAsBoolean()) {
            require(System.nanoTime() - start < Patience.NANOS, "timed out; lost " + lost);
            if (a.turn() + b.turn() == 0) {
                Patience.pause(turn++);
            }
        }
    }

    /** Waits for all completions, and checks that there are no more. */
    private void settle() {
        until(() -> a.isIdle() && b.isIdle());
        quietTurns();
    }

    private void quietTurns() {
        for (int i = 0; i < QUIET_TURNS; i++) {
            a.turn();
            b.turn();
        }
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalStateException(otherwise);
        }
    }

    @Override
    public void close() {
        a.close();
        b.close();
    }
}
