/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Gid;
import io.verbs4j.provider.rxe.wire.Bth;
import io.verbs4j.provider.rxe.wire.Opcode;
import io.verbs4j.provider.rxe.wire.Packet;
import io.verbs4j.testsupport.Patience;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Packets to send, and received packets. */
final class Traffic {
    /** Other builds on the machine run tests at the same time: each process chooses random addresses. */
    private static final int PROCESS = ThreadLocalRandom.current().nextInt(1 << 16);

    private static final AtomicInteger NEXT = new AtomicInteger();

    private Traffic() {}

    /** Returns an unused address in 127.0.0.0/8; on Linux, all of them are local. */
    static InetAddress address() {
        int n = NEXT.incrementAndGet();
        byte[] ip = {127, (byte) (64 + (PROCESS >> 8 & 127)), (byte) (PROCESS ^ n >> 7), (byte) (1 + (n & 127))};
        try {
            return InetAddress.getByAddress(ip);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    static Link open(LinkOptions options) {
        return Links.open(address(), options);
    }

    /** Adds a packet with a payload of the given length; the sequence number determines its content. */
    static void send(TxBatch batch, Gid to, int psn, int payload) {
        send(batch, to.subnetPrefix(), to.interfaceId(), psn, payload);
    }

    static void send(TxBatch batch, long high, long low, int psn, int payload) {
        int pad = -payload & 3;
        int length = Bth.LENGTH + payload + pad;
        int at = batch.begin(high, low, length);
        ByteBuffer b = batch.buffer();
        Bth.write(b, at, Opcode.RC_SEND_ONLY, false, false, pad, Bth.DEFAULT_PKEY, 17, false, psn);
        for (int i = 0; i < payload + pad; i++) {
            b.put(at + Bth.LENGTH + i, i < payload ? content(psn, i) : 0);
        }
        batch.end(length);
    }

    private static byte content(int psn, int i) {
        return (byte) (psn * 31 + i);
    }

    /** A received packet: number, payload length, addresses. */
    record Seen(int psn, int payload, Gid source, int port, Gid destination) {}

    static Seen seen(Packet p) {
        for (int i = 0; i < p.payloadLength(); i++) {
            if (p.buffer().get(p.payloadOffset() + i) != content(p.psn(), i)) {
                throw new AssertionError("byte " + i + " of packet " + p.psn());
            }
        }
        return new Seen(
                p.psn(),
                p.payloadLength(),
                Gid.of(p.sourceGidHigh(), p.sourceGidLow()),
                p.sourcePort(),
                Gid.of(p.destinationGidHigh(), p.destinationGidLow()));
    }

    /** Receives until the given number of packets has arrived or the patience is exhausted. */
    static List<Seen> receive(Link link, int expected) {
        return receive(link, expected, 64);
    }

    static List<Seen> receive(Link link, int expected, int maxPackets) {
        List<Seen> all = new ArrayList<>();
        long end = System.nanoTime() + Patience.NANOS;
        while (all.size() < expected && System.nanoTime() < end) {
            int before = all.size();
            int n = link.poll(p -> all.add(seen(p)), maxPackets);
            assertThat(n).isEqualTo(all.size() - before);
            if (n == 0) {
                link.await(TimeUnit.MILLISECONDS.toNanos(20));
            }
        }
        return all;
    }

    /** Receives what arrives within a time. */
    static List<Seen> receiveFor(Link link, long millis) {
        List<Seen> all = new ArrayList<>();
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (System.nanoTime() < end) {
            if (link.poll(p -> all.add(seen(p)), 64) == 0) {
                link.await(TimeUnit.MILLISECONDS.toNanos(2));
            }
        }
        return all;
    }

    static List<Integer> numbers(List<Seen> packets) {
        return packets.stream().map(Seen::psn).toList();
    }
}
