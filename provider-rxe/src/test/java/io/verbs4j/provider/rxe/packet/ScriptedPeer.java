/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Gid;
import io.verbs4j.provider.rxe.TestContext;
import io.verbs4j.provider.rxe.link.Link;
import io.verbs4j.provider.rxe.link.Links;
import io.verbs4j.provider.rxe.link.TxBatch;
import io.verbs4j.provider.rxe.wire.Aeth;
import io.verbs4j.provider.rxe.wire.AtomicAckEth;
import io.verbs4j.provider.rxe.wire.AtomicEth;
import io.verbs4j.provider.rxe.wire.Bth;
import io.verbs4j.provider.rxe.wire.Deth;
import io.verbs4j.provider.rxe.wire.Feth;
import io.verbs4j.provider.rxe.wire.Ieth;
import io.verbs4j.provider.rxe.wire.ImmDt;
import io.verbs4j.provider.rxe.wire.MaskedAtomicEth;
import io.verbs4j.provider.rxe.wire.Opcode;
import io.verbs4j.provider.rxe.wire.Reth;
import io.verbs4j.testsupport.Patience;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/** The peer of a queue pair, scripted by a test packet by packet. */
// More than 30 public methods because each kind of packet that a test sends or expects is one.
public final class ScriptedPeer implements AutoCloseable {
    public static final int QPN = 0x4711;
    private static final long PATIENCE = Patience.NANOS;
    private static final long AGAIN = TimeUnit.SECONDS.toNanos(2);

    public final Link link = Links.open(TestContext.newAddress(), TestContext.PACKETS);
    private final TxBatch batch = link.newBatch();
    private final Deque<Received> inbox = new ArrayDeque<>();
    private Gid to;
    private int toQpn;

    // Fields of the next packet.
    private int pkey = Bth.DEFAULT_PKEY;
    private boolean solicited;
    private int pad = -1;

    public Gid gid() {
        return link.localGid();
    }

    public void connect(Gid gid, int qpn) {
        to = gid;
        toQpn = qpn;
    }

    public ScriptedPeer pkey(int value) {
        pkey = value;
        return this;
    }

    public ScriptedPeer solicited() {
        solicited = true;
        return this;
    }

    /** Sets the padding count, whatever the real padding is. */
    public ScriptedPeer pad(int value) {
        pad = value;
        return this;
    }

    // ---- sending

    public interface Headers {
        void write(ByteBuffer buffer, int at);
    }

    /** Sends a packet; all other methods for sending use this one. */
    public void send(int opcode, int psn, boolean ackReq, byte[] payload, Headers headers) {
        add(opcode, psn, ackReq, payload, headers);
        batch.flush();
    }

    /** Adds a packet that leaves together with the next one sent. */
    public void add(int opcode, int psn, boolean ackReq, byte[] payload, Headers headers) {
        int header = Opcode.headerLength(opcode);
        int padding = pad >= 0 ? pad : -payload.length & 3;
        int length = header + payload.length + padding;
        int at = batch.begin(to.subnetPrefix(), to.interfaceId(), length);
        Bth.write(batch.buffer(), at, opcode, solicited, false, padding, pkey, toQpn, ackReq, psn);
        if (headers != null) {
            headers.write(batch.buffer(), at + Bth.LENGTH);
        }
        batch.buffer().put(at + header, payload);
        batch.buffer().put(at + header + payload.length, new byte[padding]);
        batch.end(length);
        pkey = Bth.DEFAULT_PKEY;
        solicited = false;
        pad = -1;
    }

    public void data(int opcode, int psn, boolean ackReq, byte[] payload) {
        send(opcode, psn, ackReq, payload, null);
    }

    public void immediate(int opcode, int psn, byte[] payload, int imm) {
        send(opcode, psn, true, payload, (b, at) -> ImmDt.write(b, at, imm));
    }

    public void invalidate(int opcode, int psn, boolean ackReq, byte[] payload, int rkey) {
        send(opcode, psn, ackReq, payload, (b, at) -> Ieth.write(b, at, rkey));
    }

    public void write(int opcode, int psn, boolean ackReq, byte[] payload, long va, int rkey, long length) {
        send(opcode, psn, ackReq, payload, (b, at) -> Reth.write(b, at, va, rkey, length));
    }

    public void read(int psn, long va, int rkey, long length) {
        write(Opcode.RC_RDMA_READ_REQUEST, psn, true, new byte[0], va, rkey, length);
    }

    public void fetchAdd(int psn, long va, int rkey, long add) {
        send(Opcode.RC_FETCH_ADD, psn, true, new byte[0], (b, at) -> AtomicEth.write(b, at, va, rkey, add, 0));
    }

    public void compareSwap(int psn, long va, int rkey, long compare, long swap) {
        send(
                Opcode.RC_COMPARE_SWAP,
                psn,
                true,
                new byte[0],
                (b, at) -> AtomicEth.write(b, at, va, rkey, swap, compare));
    }

    public void atomicWrite(int psn, byte[] payload, long va, int rkey, long length) {
        write(Opcode.RC_ATOMIC_WRITE, psn, true, payload, va, rkey, length);
    }

    public void flush(int psn, int type, int level, long va, int rkey, long length) {
        send(Opcode.RC_FLUSH, psn, true, new byte[0], (b, at) -> {
            Feth.write(b, at, type, level);
            Reth.write(b, at + Feth.LENGTH, va, rkey, length);
        });
    }

    public void maskedAdd(int psn, long va, int rkey, int width, long add, long tops) {
        send(Opcode.MASKED_FETCH_ADD, psn, true, new byte[0], (b, at) -> {
            MaskedAtomicEth.writePlace(b, at, va, rkey, width);
            MaskedAtomicEth.writeOperands(b, at, add, 0, 0, tops);
        });
    }

    public void datagram(int psn, int qkey, int srcQpn, byte[] payload) {
        send(Opcode.UD_SEND_ONLY, psn, false, payload, (b, at) -> Deth.write(b, at, qkey, srcQpn));
    }

    public void ack(int psn) {
        aeth(psn, Aeth.ACK_UNLIMITED);
    }

    public void nak(int psn, int reason) {
        aeth(psn, Aeth.nak(reason));
    }

    public void aeth(int psn, int syndrome) {
        send(Opcode.RC_ACKNOWLEDGE, psn, false, new byte[0], (b, at) -> Aeth.write(b, at, syndrome, 0));
    }

    public void readResponse(int opcode, int psn, byte[] payload) {
        Headers aeth = (b, at) -> Aeth.write(b, at, Aeth.ACK_UNLIMITED, 0);
        send(opcode, psn, false, payload, Opcode.hasAeth(opcode) ? aeth : null);
    }

    public void atomicResponse(int psn, long found) {
        send(Opcode.RC_ATOMIC_ACKNOWLEDGE, psn, false, new byte[0], (b, at) -> {
            Aeth.write(b, at, Aeth.ACK_UNLIMITED, 0);
            AtomicAckEth.write(b, at + Aeth.LENGTH, found);
        });
    }

    // ---- receiving

    public Received next() {
        if (!comesBy(System.nanoTime() + PATIENCE)) {
            throw new AssertionError("no packet in " + Patience.SECONDS + " s");
        }
        return inbox.remove();
    }

    /**
     * Receives the next packet as the response to a request, which is repeated until one comes: a full socket loses
     * packets.
     */
    public Received next(Runnable send) {
        for (long end = System.nanoTime() + PATIENCE; System.nanoTime() < end; ) {
            send.run();
            if (comesBy(System.nanoTime() + AGAIN)) {
                return inbox.remove();
            }
        }
        throw new AssertionError("no packet in " + Patience.SECONDS + " s, despite repeated requests");
    }

    /** Whether a packet arrives before a deadline. */
    private boolean comesBy(long end) {
        while (inbox.isEmpty() && System.nanoTime() < end) {
            link.await(TimeUnit.MILLISECONDS.toNanos(5));
            link.poll(p -> inbox.add(new Received(p)), 64);
        }
        return !inbox.isEmpty();
    }

    public Received next(int opcode, int psn) {
        Received r = next();
        assertThat(Opcode.name(r.opcode()) + " " + r.psn()).as("%s", r).isEqualTo(Opcode.name(opcode) + " " + psn);
        assertThat(r.packet.destQpn()).isEqualTo(QPN);
        assertThat(r.packet.pkey()).isEqualTo(Bth.DEFAULT_PKEY);
        return r;
    }

    public void nextAck(int psn) {
        nextAeth(psn, Aeth.ACK_UNLIMITED);
    }

    public void nextNak(int psn, int reason) {
        nextAeth(psn, Aeth.nak(reason));
    }

    public Received nextAeth(int psn, int syndrome) {
        Received r = next(Opcode.RC_ACKNOWLEDGE, psn);
        assertThat(r.packet.aethSyndrome()).as("%s", r).isEqualTo(syndrome);
        return r;
    }

    /** Expects that nothing arrives for a while. */
    public void silence() {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(60);
        while (System.nanoTime() < end) {
            link.await(TimeUnit.MILLISECONDS.toNanos(5));
            link.poll(p -> inbox.add(new Received(p)), 64);
        }
        assertThat(inbox).isEmpty();
    }

    /** Discards received packets. */
    public void forget() {
        link.poll(p -> {}, 10_000);
        inbox.clear();
    }

    @Override
    public void close() {
        link.close();
    }

    public static byte[] bytes(int length, int seed) {
        byte[] b = new byte[length];
        for (int i = 0; i < length; i++) {
            b[i] = (byte) (i * 7 + (i >>> 8) * 13 + seed);
        }
        return b;
    }
}
