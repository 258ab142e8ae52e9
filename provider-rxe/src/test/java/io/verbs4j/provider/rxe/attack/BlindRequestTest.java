/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.attack;

import static io.verbs4j.provider.rxe.packet.ScriptedPeer.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.MemoryRegion;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.provider.rxe.packet.Received;
import io.verbs4j.provider.rxe.packet.ScriptedPeer;
import io.verbs4j.provider.rxe.packet.Subject;
import io.verbs4j.provider.rxe.packet.TransportCounters;
import io.verbs4j.provider.rxe.wire.Aeth;
import io.verbs4j.provider.rxe.wire.AtomicEth;
import io.verbs4j.provider.rxe.wire.Opcode;
import io.verbs4j.provider.rxe.wire.PsnMath;
import io.verbs4j.provider.rxe.wire.Reth;
import io.verbs4j.testsupport.Extent;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Requests to an RC queue pair by an attacker who can send from the peer's address and knows the queue pair's number,
 * but neither PSN nor key: they do not end the connection, and read and write nothing.
 */
@Tag("attack")
class BlindRequestTest {
    private static final int MTU = 1024;
    private static final int PSN = 200;
    private static final int BYTES = 1 << 16;
    private static final byte[] NOTHING = {};

    private final ScriptedPeer peer = new ScriptedPeer();
    private final Subject subject = new Subject(QpType.RC, null, BYTES);
    private Intruder intruder;

    @BeforeEach
    void connect() {
        peer.connect(subject.gid(), subject.qp.qpNum());
        subject.connect(peer.gid(), ScriptedPeer.QPN, 100, PSN);
        intruder = new Intruder(peer.gid(), subject.gid(), subject.qp.qpNum());
        subject.put(0, bytes(BYTES, 5));
    }

    @AfterEach
    void close() {
        intruder.close();
        subject.close();
        peer.close();
    }

    private void read(int psn, long va, int rkey, long length) {
        intruder.send(Opcode.RC_RDMA_READ_REQUEST, psn, NOTHING, (b, at) -> Reth.write(b, at, va, rkey, length));
    }

    private void fetchAdd(int psn, long va, int rkey) {
        intruder.send(Opcode.RC_FETCH_ADD, psn, NOTHING, (b, at) -> AtomicEth.write(b, at, va, rkey, 1, 0));
    }

    /** Asserts that all packets were dropped and the peer continues as if nothing had happened. */
    private void dropped(int counter, long count, int nextPsn) {
        subject.awaitCount(counter, count);
        peer.silence();
        goesOn(nextPsn);
    }

    private void goesOn(int psn) {
        assertThat(subject.state()).isEqualTo(QpState.RTS);
        subject.recv(99, BYTES - 100, 100);
        peer.data(Opcode.RC_SEND_ONLY, psn, true, bytes(4, 1));
        peer.nextAck(psn);
        subject.next(99, WcStatus.SUCCESS);
        assertThat(subject.get(0, BYTES - 100)).isEqualTo(Arrays.copyOf(bytes(BYTES, 5), BYTES - 100));
        assertThat(subject.counters().get(TransportCounters.SENT_FATAL_NAK)).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 1000, 1 << 22, 1 << 23})
    void staleReadWithWrongKeyIsDropped(int behind) {
        read(PSN - behind, subject.address(0), subject.mr.rkey() + 1, 8);
        dropped(TransportCounters.STALE_DUPLICATE, 1, PSN);
    }

    @Test
    void staleReadThatNeverExistedIsDropped() {
        read(PSN - 1, subject.address(0), subject.mr.rkey(), 8);
        dropped(TransportCounters.STALE_DUPLICATE, 1, PSN);
    }

    /** Requests the three packets of an executed read again in ways that the peer never did. */
    @ParameterizedTest
    @CsvSource({
        // packet, address, key, length: differences from the original read
        "0, 0, 1, 0",
        "0, 8, 0, 0",
        "0, -8, 0, 0",
        "0, 0, 0, 1",
        "0, 0, 0, -1", // a length of 2^32 - 1
        "1, 0, 0, 0",
        "1, 1024, 0, -1023",
        "1, 1024, 1, -1024",
        "2, 1024, 0, -2048",
        "-1, 0, 0, 0",
        "-1, -1024, 0, 1024",
        "3, 3072, 0, -2500"
    })
    void changedRepetitionOfReadIsDropped(int packet, int address, int key, int length) {
        int size = 2500;
        peer.read(PSN, subject.address(4096), subject.mr.rkey(), size);
        for (int i = 0; i < 3; i++) {
            peer.next();
        }
        subject.recv(1, 0, 0);
        peer.data(Opcode.RC_SEND_ONLY, PSN + 3, true, NOTHING);
        peer.nextAck(PSN + 3);
        subject.next(1, WcStatus.SUCCESS);
        long bytes = length == -1 ? 0xffff_ffffL : size + length;
        read(PSN + packet, subject.address(4096) + address, subject.mr.rkey() + key, bytes);
        dropped(TransportCounters.STALE_DUPLICATE, 1, PSN + 4);
    }

    @ParameterizedTest
    @CsvSource({"0, 0, 2500", "1, 1024, 1476", "2, 2048, 452", "1, 1024, 1024", "0, 0, 0"})
    void executedReadIsAnsweredAgainWhollyOrPartly(int packet, int offset, int length) {
        byte[] data = bytes(BYTES, 5);
        peer.read(PSN, subject.address(4096), subject.mr.rkey(), 2500);
        for (int i = 0; i < 3; i++) {
            peer.next();
        }
        read(PSN + packet, subject.address(4096) + offset, subject.mr.rkey(), length);
        int at = 4096 + offset;
        int psn = PSN + packet;
        for (int left = length; left > 0 || psn == PSN + packet; left -= MTU, at += MTU, psn++) {
            Received r = peer.next();
            assertThat(Opcode.isReadResponse(r.opcode())).isTrue();
            assertThat(r.psn()).isEqualTo(psn);
            assertThat(r.payload).isEqualTo(Arrays.copyOfRange(data, at, at + Math.min(left, MTU)));
        }
        peer.silence();
        goesOn(PSN + 3);
    }

    /** As many reads are remembered as the peer may have in flight, here four. */
    @Test
    void forgottenReadIsDropped() {
        for (int i = 0; i < 5; i++) {
            peer.read(PSN + i, subject.address(i * 8), subject.mr.rkey(), 8);
            peer.next(Opcode.RC_RDMA_READ_RESPONSE_ONLY, PSN + i);
        }
        read(PSN, subject.address(0), subject.mr.rkey(), 8);
        dropped(TransportCounters.STALE_DUPLICATE, 1, PSN + 5);
        for (int i = 1; i < 5; i++) {
            read(PSN + i, subject.address(i * 8), subject.mr.rkey(), 8);
            assertThat(peer.next(Opcode.RC_RDMA_READ_RESPONSE_ONLY, PSN + i).payload)
                    .isEqualTo(subject.get(i * 8, 8));
        }
    }

    /** A read delayed by the network, whose region has been closed meanwhile, does not end the connection either. */
    @Test
    void repeatedReadOfClosedRegionIsRefused() {
        MemoryRegion gone = subject.pd.regMr(ByteBuffer.allocateDirect(64), Subject.ALL);
        long va = gone.addr();
        peer.read(PSN, va, gone.rkey(), 64);
        peer.next(Opcode.RC_RDMA_READ_RESPONSE_ONLY, PSN);
        gone.close();
        read(PSN, va, gone.rkey(), 64);
        peer.nextNak(PSN, Aeth.NAK_REMOTE_ACCESS_ERROR);
        peer.silence();
        subject.recv(1, 0, 100);
        peer.data(Opcode.RC_SEND_ONLY, PSN + 1, true, bytes(4, 1));
        peer.nextAck(PSN + 1);
        subject.next(1, WcStatus.SUCCESS);
        assertThat(subject.state()).isEqualTo(QpState.RTS);
    }

    @ParameterizedTest
    @CsvSource({"0, 0, 1", "0, 8, 0", "-1, 0, 0", "1, 0, 0"})
    void changedRepetitionOfAtomicIsDropped(int packet, int address, int key) {
        long before = subject.buffer.getLong(64);
        peer.fetchAdd(PSN, subject.address(64), subject.mr.rkey(), 0);
        peer.next(Opcode.RC_ATOMIC_ACKNOWLEDGE, PSN);
        peer.read(PSN + 1, subject.address(0), subject.mr.rkey(), 8);
        peer.next(Opcode.RC_RDMA_READ_RESPONSE_ONLY, PSN + 1);
        fetchAdd(PSN + packet, subject.address(64) + address, subject.mr.rkey() + key);
        dropped(TransportCounters.STALE_DUPLICATE, 1, PSN + 2);
        intruder.send(
                Opcode.RC_COMPARE_SWAP,
                PSN,
                NOTHING,
                (b, at) -> AtomicEth.write(b, at, subject.address(64), subject.mr.rkey(), 7, before));
        dropped(TransportCounters.STALE_DUPLICATE, 2, PSN + 3);
        fetchAdd(PSN, subject.address(64), subject.mr.rkey());
        assertThat(peer.next(Opcode.RC_ATOMIC_ACKNOWLEDGE, PSN).packet.atomicOrig())
                .isEqualTo(before);
        assertThat(subject.buffer.getLong(64)).isEqualTo(before);
    }

    /** Whatever the opcode and the rest: with an unexpected PSN nothing ends and nothing is written. */
    @ParameterizedTest
    @ValueSource(ints = {-(1 << 23), -(1 << 20), -1, 1, 1 << 20, (1 << 23) - 1})
    void packetsWithUnexpectedPsnDoNoHarm(int distance) {
        Random random = new Random(distance);
        int rounds = Extent.isHours() ? 1000 : 20;
        for (int round = 0; round < rounds; round++) {
            for (int opcode = 0; opcode < 0x20; opcode++) {
                if (Opcode.isKnown(opcode)) {
                    byte[] junk = new byte[Opcode.headerLength(opcode) - 12];
                    random.nextBytes(junk);
                    byte[] data = Opcode.hasPayload(opcode) ? bytes(random.nextInt(1100), 1) : NOTHING;
                    intruder.send(opcode, PsnMath.add(PSN, distance), data, (b, at) -> b.put(at, junk));
                }
            }
            subject.cq.poll(0, new WorkCompletion[0]); // receives the packets
            peer.forget();
        }
        subject.recv(1, BYTES - 100, 100);
        Received r = peer.next(() -> peer.data(Opcode.RC_SEND_ONLY, PSN, true, bytes(4, 1)));
        while (r.psn() != PSN || !Aeth.isAck(r.packet.aethSyndrome())) {
            assertThat(r.opcode()).isEqualTo(Opcode.RC_ACKNOWLEDGE);
            assertThat(r.packet.aethSyndrome()).isIn(Aeth.ACK_UNLIMITED, Aeth.nak(Aeth.NAK_PSN_SEQUENCE_ERROR));
            r = peer.next();
        }
        subject.next(1, WcStatus.SUCCESS);
        peer.forget(); // responses to repetitions
        goesOn(PSN + 1);
        int seen = distance < 0 ? TransportCounters.DUPLICATE : TransportCounters.OUT_OF_SEQUENCE;
        assertThat(subject.counters().get(seen)).isGreaterThan(rounds);
    }
}
