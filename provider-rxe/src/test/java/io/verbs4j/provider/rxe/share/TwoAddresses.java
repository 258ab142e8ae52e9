/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Gid;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.rxe.TestContext;
import io.verbs4j.provider.rxe.link.SystemKernel;
import io.verbs4j.provider.rxe.wire.Bth;
import io.verbs4j.provider.rxe.wire.Opcode;
import io.verbs4j.provider.rxe.wire.Packet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** A sender and a receiver, with datagrams between them that the test delivers. */
final class TwoAddresses implements AutoCloseable {
    private static final int SPAN_HEADERS = Bth.LENGTH + 4;

    final SystemKernel kernel = new SystemKernel();
    final Gid from = Gid.of(TestContext.newAddress());
    final Gid to = Gid.of(TestContext.newAddress());
    final Map<Surroundings.Count, Long> counts = new EnumMap<>(Surroundings.Count.class);
    final List<Packet> packets = new ArrayList<>();

    /** The payload of each packet when it was delivered. */
    final List<byte[]> payloads = new ArrayList<>();

    private final ByteBuffer fetched = ByteBuffer.allocateDirect(RingWriter.SPAN_BYTES);

    final OneCopy sender;
    OneCopy receiver;

    private long offer;
    private long offerBack;
    private int wakes;

    /** Whether the sender is like those of release 1.2, which show records by the tail alone. */
    boolean older;

    private final UnaryOperator<Kernel> receivers;

    TwoAddresses() throws IOException {
        this(UnaryOperator.identity());
    }

    /** With a wrapper around the receiver's system calls. */
    TwoAddresses(UnaryOperator<Kernel> receivers) throws IOException {
        this.receivers = receivers;
        sender = new OneCopy(kernel.calls(), from, new Surroundings() {
            @Override
            public void count(Count what, long n) {
                counts.merge(what, n, Long::sum);
            }

            @Override
            public void signal(Gid whom, long kind, long address) {
                if (kind == Signal.RING) {
                    offer = address;
                } else {
                    counts.merge(Count.WAKEUPS, 1000L, Long::sum);
                }
            }
        });
        sender.begin();
        receiver = open(to);
    }

    OneCopy open(Gid address) throws IOException {
        OneCopy made = new OneCopy(receivers.apply(kernel.calls()), address, new Surroundings() {
            @Override
            public void count(Count what, long n) {
                counts.merge(what, n, Long::sum);
            }

            @Override
            public void signal(Gid whom, long kind, long where) {
                if (kind == Signal.RING) {
                    offerBack = where;
                } else {
                    wakes++;
                }
            }
        });
        made.begin();
        return made;
    }

    long count(Surroundings.Count what) {
        return counts.getOrDefault(what, 0L);
    }

    /** The sender offers a ring, and the receiver accepts it if it wants to. */
    Channel connect() {
        Channel channel = sender.reach(to);
        sender.maintain();
        if (older && channel.isOffering()) {
            makeOlder(kernel.calls(), offer);
        }
        receiver.offered(from.subnetPrefix(), from.interfaceId(), offer);
        return channel;
    }

    /** The receiver offers a ring, too, and the sender accepts it. */
    void connectBack() {
        receiver.reach(from);
        receiver.maintain();
        sender.offered(to.subnetPrefix(), to.interfaceId(), offerBack);
    }

    /** Returns how often the receiver has woken the sender. */
    int wakes() {
        return wakes;
    }

    /** Makes the sender of a ring that is offered one of release 1.2. */
    static void makeOlder(Kernel kernel, long offer) {
        ByteBuffer description = NativeMemory.buffer(offer, Channel.DESCRIPTION);
        int fd = (int) description.order(ByteOrder.nativeOrder()).getLong(16);
        try {
            SharedMemory.open(kernel, fd, RingLayout.SIZE).put(RingLayout.SENDER, 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    long offer() {
        return offer;
    }

    /** Receives what is there. */
    int poll(int most) {
        return receiver.poll(this::note, most, () -> {});
    }

    private void note(Packet packet) {
        byte[] payload;
        if (packet.remote() == null) {
            payload = new byte[packet.payloadLength()];
            packet.buffer().get(packet.payloadOffset(), payload);
        } else {
            int bytes = (int) packet.remote().bytes();
            payload = packet.remote().fetch(0, NativeMemory.address(fetched), bytes) ? new byte[bytes] : null;
            if (payload != null) {
                fetched.get(0, payload);
            }
        }
        payloads.add(payload);
    }

    /** Lends pieces of memory, each an address and a length, as the payload of a span. */
    static void span(RingWriter ring, long... pieces) {
        int at = ring.beginSpan();
        assertThat(at).isPositive();
        Bth.write(ring.buffer(), at, Opcode.RC_SEND_ONLY, false, false, 0, Bth.DEFAULT_PKEY, 17, true, 5);
        long bytes = 0;
        for (int i = 0; i < pieces.length; i++) {
            NativeMemory.putLong(ring.pieces(SPAN_HEADERS) + (long) i * Long.BYTES, pieces[i]);
            bytes += i % 2 == 0 ? 0 : pieces[i];
        }
        ring.endSpan(SPAN_HEADERS, pieces.length / 2, bytes);
    }

    /** Writes an RC packet with a payload, and room for the ICRC; returns its length. */
    static int packet(ByteBuffer into, int at, byte[] payload) {
        int pad = -payload.length & 3;
        Bth.write(into, at, Opcode.RC_SEND_ONLY, false, false, pad, Bth.DEFAULT_PKEY, 17, false, 5);
        into.put(at + Bth.LENGTH, payload);
        return Bth.LENGTH + payload.length + pad + 4;
    }

    @Override
    public void close() {
        sender.close();
        receiver.close();
        kernel.close();
    }
}
