/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import static io.verbs4j.provider.rxe.packet.ScriptedPeer.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AccessFlags;
import io.verbs4j.EventType;
import io.verbs4j.MemoryRegion;
import io.verbs4j.WcStatus;
import io.verbs4j.provider.rxe.wire.Aeth;
import io.verbs4j.provider.rxe.wire.Opcode;
import io.verbs4j.provider.rxe.wire.PsnMath;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The receiving half of RC against a scripted peer: reads and atomics. */
class RcResponderReadsTest extends ResponderRig {
    // ---- reads

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 1023, 1024, 1025, 2048, 10_001, 1 << 20})
    void readsAreAnsweredInPackets(int size) {
        start(PsnMath.MAX, s -> {});
        byte[] data = bytes(BYTES, 5);
        subject.put(0, data);
        peer.read(PsnMath.MAX, subject.address(9), size == 0 ? 0 : subject.mr.rkey(), size);
        answer(PsnMath.MAX, 9, size, data);
        // The PSN of the next request follows those of the responses.
        int psn = PsnMath.add(PsnMath.MAX, Math.max(1, (size + MTU - 1) / MTU));
        subject.recv(1, 0, 10);
        peer.data(Opcode.RC_SEND_ONLY, psn, true, bytes(4, 1));
        peer.nextAck(psn);
    }

    @Test
    void repeatedReadIsExecutedAgain() {
        start();
        byte[] data = bytes(BYTES, 5);
        subject.put(0, data);
        peer.read(PSN, subject.address(0), subject.mr.rkey(), 3000);
        answer(PSN, 0, 3000, data);
        data[2 * MTU] ^= 1;
        subject.buffer.put(2 * MTU, data[2 * MTU]);
        peer.read(PSN, subject.address(0), subject.mr.rkey(), 3000);
        answer(PSN, 0, 3000, data);
        // Only the rest, as requested by a peer that lost a part.
        peer.read(PSN + 1, subject.address(MTU), subject.mr.rkey(), 3000 - MTU);
        answer(PSN + 1, MTU, 3000 - MTU, data);
        // More than first requested cannot be answered: those PSNs belong to other requests.
        peer.read(PSN + 1, subject.address(MTU), subject.mr.rkey(), 3000);
        peer.silence();
        assertThat(subject.counters().get(TransportCounters.STALE_DUPLICATE)).isEqualTo(1);
    }

    @Test
    void acknowledgementsStayBehindReadResponses() {
        start();
        byte[] data = bytes(BYTES, 5);
        subject.put(0, data);
        subject.recv(1, BYTES - 100, 100);
        subject.recv(2, BYTES - 100, 100);
        int size = 1 << 20;
        peer.data(Opcode.RC_SEND_ONLY, PSN, true, bytes(4, 1));
        peer.read(PSN + 1, subject.address(0), subject.mr.rkey(), size);
        int after = PSN + 1 + size / MTU;
        peer.data(Opcode.RC_SEND_ONLY, after, true, bytes(4, 1));
        Received r = peer.next();
        if (r.opcode() == Opcode.RC_ACKNOWLEDGE) { // not in one burst with the read
            r = peer.next();
        }
        for (int psn = PSN + 1; psn < after; psn++, r = peer.next()) {
            assertThat(r.psn()).isEqualTo(psn);
            assertThat(Opcode.isReadResponse(r.opcode())).isTrue();
        }
        assertThat(r.opcode()).isEqualTo(Opcode.RC_ACKNOWLEDGE);
        assertThat(r.psn()).isEqualTo(after);
        assertThat(r.packet.aethMsn()).isEqualTo(3);
        subject.next(1, WcStatus.SUCCESS);
        subject.next(2, WcStatus.SUCCESS);
    }

    @Test
    void duplicateIsNotAcknowledgedBeyondRead() {
        start();
        subject.recv(1, 0, 100);
        peer.data(Opcode.RC_SEND_ONLY, PSN, true, bytes(4, 1));
        peer.nextAck(PSN);
        peer.read(PSN + 1, subject.address(0), subject.mr.rkey(), 4);
        peer.next(Opcode.RC_RDMA_READ_RESPONSE_ONLY, PSN + 1);
        peer.data(Opcode.RC_SEND_ONLY, PSN, true, bytes(4, 1));
        peer.nextAck(PSN);
    }

    @Test
    void deregistrationStopsRead() {
        start();
        int first = PSN;
        Received r;
        int size = 4 << 20;
        do { // on a busy machine the whole read may have been sent before the region is deregistered
            size *= 2;
            assertThat(size).as("bytes of a read that ends too soon").isLessThan(512 << 20);
            MemoryRegion mr = subject.pd.regMr(ByteBuffer.allocateDirect(size), Subject.ALL);
            peer.read(first, mr.addr(), mr.rkey(), size);
            peer.next(Opcode.RC_RDMA_READ_RESPONSE_FIRST, first);
            mr.close(); // returns although most of it is still to be sent
            r = peer.next();
            int psn = first;
            while (r.opcode() == Opcode.RC_RDMA_READ_RESPONSE_MIDDLE) {
                assertThat(r.psn()).isGreaterThan(psn);
                psn = r.psn();
                r = peer.next();
            }
            first += size / 1024;
        } while (r.opcode() == Opcode.RC_RDMA_READ_RESPONSE_LAST);
        assertThat(r.opcode()).isEqualTo(Opcode.RC_ACKNOWLEDGE);
        assertThat(r.packet.aethSyndrome()).isEqualTo(Aeth.nak(Aeth.NAK_REMOTE_ACCESS_ERROR));
        subject.nextEvent(EventType.QP_ACCESS_ERR);
        subject.awaitError();
    }

    @Test
    void readsAndAtomicsNeedResources() {
        start(PSN, s -> s.maxDestRdAtomic = 0);
        peer.read(PSN, subject.address(0), subject.mr.rkey(), 4);
        invalid(PSN);
    }

    // ---- atomics

    @Test
    void atomicsAreExecutedOnce() {
        start();
        subject.buffer.putLong(16, 40);
        long va = subject.address(16);
        int rkey = subject.mr.rkey();
        peer.fetchAdd(PSN, va, rkey, 2);
        assertThat(peer.next(Opcode.RC_ATOMIC_ACKNOWLEDGE, PSN).packet.atomicOrig())
                .isEqualTo(40);
        peer.compareSwap(PSN + 1, va, rkey, 42, 7);
        assertThat(peer.next(Opcode.RC_ATOMIC_ACKNOWLEDGE, PSN + 1).packet.atomicOrig())
                .isEqualTo(42);
        peer.compareSwap(PSN + 2, va, rkey, 42, 8);
        assertThat(peer.next(Opcode.RC_ATOMIC_ACKNOWLEDGE, PSN + 2).packet.atomicOrig())
                .isEqualTo(7);
        peer.fetchAdd(PSN, va, rkey, 2);
        assertThat(peer.next(Opcode.RC_ATOMIC_ACKNOWLEDGE, PSN).packet.atomicOrig())
                .isEqualTo(40);
        peer.compareSwap(PSN + 1, va, rkey, 42, 7);
        assertThat(peer.next(Opcode.RC_ATOMIC_ACKNOWLEDGE, PSN + 1).packet.atomicOrig())
                .isEqualTo(42);
        assertThat(subject.buffer.getLong(16)).isEqualTo(7);
        peer.fetchAdd(PSN - 1, va, rkey, 2); // never existed
        peer.silence();
        assertThat(subject.buffer.getLong(16)).isEqualTo(7);
    }

    @Test
    void misalignedAtomicIsRefused() {
        start();
        peer.fetchAdd(PSN, subject.address(4), subject.mr.rkey(), 1);
        invalid(PSN);
        assertThat(subject.buffer.getLong(0)).isZero();
    }

    @Test
    void atomicNeedsRight() {
        start(PSN, s -> s.access = AccessFlags.REMOTE_READ | AccessFlags.REMOTE_WRITE);
        peer.fetchAdd(PSN, subject.address(0), subject.mr.rkey(), 1);
        invalid(PSN);
    }
}
