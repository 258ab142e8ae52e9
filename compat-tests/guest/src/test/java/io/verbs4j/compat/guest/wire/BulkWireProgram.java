/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.guest.wire;

import io.verbs4j.OpenAttr;
import io.verbs4j.bulk.BulkBuffer;
import io.verbs4j.bulk.BulkFlags;
import io.verbs4j.compat.bulk.programs.BulkSide;
import io.verbs4j.testsupport.Patience;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * One of two processes with a bulk endpoint each, which run the same steps: each operation in both directions. After
 * each arrival, all bytes of the buffer are checked. The connecting process prints what it has done.
 *
 * <pre>serve|HOST DEVICE@ADDRESS</pre>
 */
public final class BulkWireProgram {
    private static final int[] SIZES = {0, 1, 8, 4032, 4033, 65_536, 65_537, 1_048_576, 1_048_577, 1_500_003};
    private static final int STREAM = 3;

    /** The commands of the requesting side. */
    private enum Operation {
        PUT,
        GET,
        SEND,
        SEND_FIRST;

        /** Whether bytes go from the requesting side. */
        boolean sends() {
            return this != GET;
        }
    }

    private final Talk talk;
    private final BulkSide side;
    private final long writable;
    private final long readable;
    private int step;
    private long arrived;

    private BulkWireProgram(Talk talk, BulkSide side, long writable, long readable) {
        this.talk = talk;
        this.side = side;
        this.writable = writable;
        this.readable = readable;
    }

    public static void main(String... args) throws Exception {
        boolean serves = args[0].equals("serve");
        try (Talk talk = serves ? Talk.serve() : Talk.connect(args[0]);
                BulkSide side = new BulkSide(args[1], new OpenAttr())) {
            String[] theirs = talk.swap(side.endpoint.address().getAddress().getHostAddress() + " "
                            + side.endpoint.address().getPort() + " " + side.writable.id() + " " + side.readable.id())
                    .split(" ", -1);
            if (serves) {
                side.until(() -> side.endpoint.peer(0) != null);
                side.peer = side.endpoint.peer(0);
            } else {
                side.peer = side.endpoint.connect(
                        new InetSocketAddress(theirs[0], Integer.parseInt(theirs[1])),
                        Patience.SECONDS,
                        TimeUnit.SECONDS);
            }
            BulkWireProgram wire =
                    new BulkWireProgram(talk, side, Long.parseLong(theirs[2]), Long.parseLong(theirs[3]));
            for (int size : SIZES) {
                for (Operation operation : Operation.values()) {
                    wire.both(operation, size, !serves);
                    wire.both(operation, size, serves);
                }
            }
            if (!serves) {
                System.out.println("bulk ok: " + wire.step + " operations, " + wire.arrived + " bytes verified here");
            }
        }
    }

    private void both(Operation operation, int size, boolean asks) throws IOException {
        step++;
        int at = new Random(step).nextInt(BulkSide.SIZE - size);
        boolean sends = operation.sends() == asks;
        byte[] sent = bytes(step);
        byte[] before = bytes(-step);
        BulkBuffer mine = sends ? side.source : side.target;
        mine.bytes().put(0, sends ? sent : before);
        RuntimeException trouble = null;
        talk.meet(null);
        try {
            if (operation == Operation.SEND || operation == Operation.SEND_FIRST) {
                message(operation == Operation.SEND, at, size, sends);
            } else if (asks) {
                ask(operation, at, size);
            } else {
                side.until(() -> !side.notified.isEmpty());
                expect(side.notified.remove(), step);
            }
            if (!sends) {
                System.arraycopy(sent, at, before, at, size);
                expect(mine.bytes().slice(0, BulkSide.SIZE).mismatch(ByteBuffer.wrap(before)), -1);
                arrived += size;
            }
        } catch (RuntimeException e) {
            trouble = new IllegalStateException(operation + " of " + size + " at " + at + ": " + e.getMessage(), e);
        }
        talk.meet(trouble);
    }

    private static byte[] bytes(int seed) {
        byte[] all = new byte[BulkSide.SIZE];
        new Random(seed).nextBytes(all);
        return all;
    }

    private static void expect(long is, long wanted) {
        if (is != wanted) {
            throw new IllegalStateException("it is " + is + ", not " + wanted);
        }
    }

    private void ask(Operation operation, int at, int size) {
        long entry = side.entry();
        int i = side.ring.next();
        if (operation == Operation.PUT) {
            side.ring.put(i, side.peer, side.source, at, writable, at, size, entry);
        } else {
            side.ring.get(i, side.peer, side.target, at, readable, at, size, entry);
        }
        side.ring.flags(i, BulkFlags.NOTIFY);
        side.ring.value(i, step);
        side.ring.submit();
        side.until(side::isIdle);
        side.expect(entry, size);
    }

    /** A message whose receive is posted before or after it arrives. */
    private void message(boolean expected, int at, int size, boolean sends) throws IOException {
        if (sends == expected) {
            talk.meet(null); // the other side goes first
        }
        long entry = side.entry();
        if (sends) {
            side.ring.send(side.ring.next(), side.peer, STREAM, side.source, at, size, entry);
        } else {
            side.ring.receive(side.ring.next(), side.peer, STREAM, side.target, at, size, entry);
        }
        side.ring.submit();
        if (sends != expected) {
            talk.meet(null);
        }
        side.until(side::isIdle);
        side.expect(entry, size);
    }
}
