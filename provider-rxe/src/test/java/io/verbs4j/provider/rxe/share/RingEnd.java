/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

import io.verbs4j.Gid;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.rxe.TestContext;
import io.verbs4j.provider.rxe.wire.Packet;
import java.io.IOException;
import java.nio.ByteBuffer;

/** An address among many, with a ring to one of them; its packets count up. */
final class RingEnd implements Surroundings, AutoCloseable {
    final Gid gid = Gid.of(TestContext.newAddress());
    final OneCopy oneCopy;
    private final Kernel kernel;

    /** Whether it sends as release 1.2 does. */
    private final boolean older;

    private final ByteBuffer packet = ByteBuffer.allocateDirect(256);
    private final long address = NativeMemory.address(packet);
    private final int length = TwoAddresses.packet(packet, 0, new byte[12]);
    private final PacketSink sink = this::take;
    private long offer;
    private Channel channel;
    private RingWriter to;
    private int sent;
    private boolean throwing;

    /** Number of received packets. */
    long got;

    /** The next expected number of each sender. */
    final int[] next = new int[Mailbox.PLACES];

    /** The sender of the last packet. */
    int last;

    RingEnd(Kernel kernel) throws IOException {
        this(kernel, false);
    }

    RingEnd(Kernel kernel, boolean older) throws IOException {
        this.kernel = kernel;
        this.older = older;
        oneCopy = new OneCopy(kernel, gid, this);
        oneCopy.begin();
    }

    @Override
    public void count(Count what, long n) {}

    @Override
    public void signal(Gid whom, long kind, long where) {
        offer = kind == Signal.RING ? where : offer;
    }

    /** Makes a ring to another end, which is identified by a number. */
    void connect(RingEnd other, int number) {
        channel = oneCopy.reach(other.gid);
        oneCopy.maintain();
        if (older) {
            TwoAddresses.makeOlder(kernel, offer);
        }
        other.oneCopy.offered(gid.subnetPrefix(), gid.interfaceId(), offer);
        other.oneCopy.maintain(); // otherwise it would look at no more offers
        to = channel.ring();
        packet.putInt(length - 4 - 12, number); // payload, before the room for the ICRC
    }

    boolean isConnected() {
        return to != null;
    }

    /** Returns the address of the ring to the other end. */
    long base() {
        return NativeMemory.address(to.buffer());
    }

    /** Whether there is room for more. */
    boolean hasRoom() {
        return to.hasRoom();
    }

    void send() {
        packet.putInt(length - 4 - 8, sent++);
        to.put(address, length, length);
    }

    int poll(int most) {
        return oneCopy.poll(sink, most, RingEnd::nothing);
    }

    private static void nothing() {}

    /** Makes the handler throw for the next packet. */
    void throwsOnce() {
        throwing = true;
    }

    private void take(Packet p) {
        int from = p.buffer().getInt(p.payloadOffset());
        int number = p.buffer().getInt(p.payloadOffset() + 4);
        if (number != next[from]) {
            throw new AssertionError("number " + number + " from " + from + ", expected " + next[from]);
        }
        next[from]++;
        got++;
        last = from;
        if (throwing) {
            throwing = false;
            throw new IllegalStateException("handler failed");
        }
    }

    @Override
    public void close() {
        oneCopy.close();
    }
}
