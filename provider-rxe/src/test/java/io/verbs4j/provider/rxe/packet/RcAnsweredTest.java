/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import static io.verbs4j.provider.rxe.packet.ScriptedPeer.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AccessFlags;
import io.verbs4j.EventType;
import io.verbs4j.FlushLevel;
import io.verbs4j.FlushType;
import io.verbs4j.MemoryRegion;
import io.verbs4j.QpType;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import io.verbs4j.provider.rxe.link.Link;
import io.verbs4j.provider.rxe.wire.Aeth;
import io.verbs4j.provider.rxe.wire.Icrc;
import io.verbs4j.provider.rxe.wire.Opcode;
import io.verbs4j.provider.rxe.wire.Packet;
import io.verbs4j.provider.rxe.wire.Reth;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Atomic writes, flushes and masked atomics on RC against a scripted peer: their bytes, and what is executed once. */
class RcAnsweredTest {
    private static final int PSN = 200;
    private static final int OWN = 100;
    private static final long VA = 0x1122_3344_5566_7788L;
    private static final int RKEY = 0x99aa_bbcc;

    private final ScriptedPeer peer = new ScriptedPeer();
    private final ByteBuffer memory = ByteBuffer.allocateDirect(64).order(ByteOrder.nativeOrder());
    private Subject subject;
    private MemoryRegion mr;

    @BeforeEach
    void start() {
        subject = new Subject(QpType.RC, null, 1 << 16);
        subject.access |= AccessFlags.FLUSH_GLOBAL;
        mr = subject.pd.regMr(memory, Subject.ALL | AccessFlags.FLUSH_GLOBAL);
        peer.connect(subject.gid(), subject.qp.qpNum());
        subject.connect(peer.gid(), ScriptedPeer.QPN, OWN, PSN);
    }

    @AfterEach
    void close() {
        mr.close();
        subject.close();
        peer.close();
    }

    private static SendWorkRequest wr(int opcode, long wrId) {
        return new SendWorkRequest()
                .opcode(opcode)
                .wrId(wrId)
                .sendFlags(SendFlags.SIGNALED)
                .remoteAddr(VA)
                .rkey(RKEY);
    }

    private static SendWorkRequest flush(long wrId) {
        return wr(WrOpcode.FLUSH, wrId).flushType(FlushType.GLOBAL).flushLength(0xfedc_ba98L);
    }

    /** Returns the bytes between BTH and ICRC. */
    private static String body(Received received) {
        Packet packet = received.packet;
        int from = packet.offset() + 12;
        byte[] body = new byte[packet.length() - 12 - 4];
        packet.buffer().get(from, body);
        return HexFormat.of().formatHex(body);
    }

    private static byte[] eight(long value) {
        return ByteBuffer.allocate(8)
                .order(ByteOrder.nativeOrder())
                .putLong(value)
                .array();
    }

    private void done(int psn) {
        Received r = peer.next(Opcode.RC_RDMA_READ_RESPONSE_ONLY, psn);
        assertThat(r.packet.payloadLength()).isZero();
        assertThat(r.packet.aethSyndrome()).isEqualTo(Aeth.ACK_UNLIMITED);
    }

    // ---- requests: annex A19

    @Test
    void atomicWriteHasSpecifiedBytes() {
        subject.post(wr(WrOpcode.ATOMIC_WRITE, 1).atomicWriteValue(0x0807_0605_0403_0201L));
        Received r = peer.next(0x1d, OWN);
        assertThat(r.packet.ackReq()).isTrue();
        assertThat(body(r))
                .isEqualTo("1122334455667788" + "99aabbcc" + "00000008"
                        + HexFormat.of().formatHex(eight(0x0807_0605_0403_0201L)));
        peer.readResponse(Opcode.RC_RDMA_READ_RESPONSE_ONLY, OWN, new byte[0]);
        subject.next(1, WcStatus.SUCCESS);
    }

    @Test
    void flushHasSpecifiedBytes() {
        subject.post(flush(1).flushType(FlushType.GLOBAL | FlushType.PERSISTENT).flushLevel(FlushLevel.MR));
        Received r = peer.next(0x1c, OWN);
        assertThat(r.packet.ackReq()).isTrue();
        assertThat(body(r)).isEqualTo("00000013" + "1122334455667788" + "99aabbcc" + "fedcba98");
        peer.readResponse(Opcode.RC_RDMA_READ_RESPONSE_ONLY, OWN, new byte[0]);
        subject.next(1, WcStatus.SUCCESS);
    }

    private static int icrc(Received received) {
        Packet packet = received.packet;
        return packet.buffer().getInt(packet.offset() + packet.length() - 4);
    }

    /**
     * A peer that drops a flush may be the kernel's rxe, which computes another ICRC there; once the right one is
     * known, only that is used.
     */
    @Test
    void lostFlushIsRepeatedWithOtherIcrc() {
        subject.post(flush(1));
        int first = icrc(peer.next(Opcode.RC_FLUSH, OWN));
        peer.nak(OWN, Aeth.NAK_PSN_SEQUENCE_ERROR);
        int second = icrc(peer.next(Opcode.RC_FLUSH, OWN));
        assertThat(second).isNotEqualTo(first);
        peer.readResponse(Opcode.RC_RDMA_READ_RESPONSE_ONLY, OWN, new byte[0]);
        subject.next(1, WcStatus.SUCCESS);
        subject.post(flush(2));
        Received other = peer.next(Opcode.RC_FLUSH, OWN + 1);
        assertThat(isTwice(other)).as("uses the ICRC that was answered last").isTrue();
        peer.readResponse(Opcode.RC_RDMA_READ_RESPONSE_ONLY, OWN + 1, new byte[0]);
        subject.next(2, WcStatus.SUCCESS);
        subject.post(flush(3));
        int third = icrc(peer.next(Opcode.RC_FLUSH, OWN + 2));
        peer.nak(OWN + 2, Aeth.NAK_PSN_SEQUENCE_ERROR);
        assertThat(icrc(peer.next(Opcode.RC_FLUSH, OWN + 2)))
                .as("ICRC of the retransmitted request")
                .isEqualTo(third);
        peer.readResponse(Opcode.RC_RDMA_READ_RESPONSE_ONLY, OWN + 2, new byte[0]);
        subject.next(3, WcStatus.SUCCESS);
    }

    /** Other losses change nothing: the first ICRC is that of the specification. */
    @Test
    void otherLossesKeepIcrc() {
        subject.post(wr(WrOpcode.ATOMIC_WRITE, 1));
        peer.next(Opcode.RC_ATOMIC_WRITE, OWN);
        peer.nak(OWN, Aeth.NAK_PSN_SEQUENCE_ERROR);
        peer.next(Opcode.RC_ATOMIC_WRITE, OWN);
        peer.readResponse(Opcode.RC_RDMA_READ_RESPONSE_ONLY, OWN, new byte[0]);
        subject.next(1, WcStatus.SUCCESS);
        subject.post(flush(2));
        assertThat(isTwice(peer.next(Opcode.RC_FLUSH, OWN + 1))).isFalse();
        peer.readResponse(Opcode.RC_RDMA_READ_RESPONSE_ONLY, OWN + 1, new byte[0]);
        subject.next(2, WcStatus.SUCCESS);
    }

    private boolean isTwice(Received received) {
        Packet packet = received.packet;
        int length = packet.length() - 4;
        ByteBuffer copy = ByteBuffer.allocateDirect(packet.length());
        byte[] bytes = new byte[packet.length()];
        packet.buffer().get(packet.offset(), bytes);
        copy.put(0, bytes);
        new Icrc()
                .append(
                        copy,
                        0,
                        length,
                        subject.gid().subnetPrefix(),
                        subject.gid().interfaceId(),
                        peer.gid().subnetPrefix(),
                        peer.gid().interfaceId(),
                        Link.PORT,
                        Link.PORT,
                        0,
                        true);
        return copy.getInt(length) == icrc(received);
    }

    @Test
    void maskedAtomicsHaveSpecifiedBytes() {
        SendWorkRequest swap = subject.wr(WrOpcode.MASKED_ATOMIC_CMP_AND_SWP, 1, 0, 8);
        subject.post(swap.remoteAddr(VA)
                .rkey(RKEY)
                .compareAdd(0x11)
                .swap(0x22)
                .swapMask(0x33)
                .compareAddMask(0x44));
        assertThat(body(peer.next(0xd3, OWN)))
                .isEqualTo("1122334455667788" + "99aabbcc" + "00000008" + "0000000000000022" + "0000000000000011"
                        + "0000000000000033" + "0000000000000044");
        peer.atomicResponse(OWN, 5);
        subject.next(1, WcStatus.SUCCESS);
        assertThat(subject.buffer.getLong(0)).isEqualTo(5);
        SendWorkRequest add = subject.wr(WrOpcode.MASKED_ATOMIC_FETCH_AND_ADD, 2, 0, 4);
        subject.post(
                add.remoteAddr(VA).rkey(RKEY).atomicWidth(4).compareAdd(0x11).compareAddMask(0x44));
        assertThat(body(peer.next(0xd4, OWN + 1)))
                .isEqualTo("1122334455667788" + "99aabbcc" + "00000004" + "0000000000000011" + "0".repeat(32)
                        + "0000000000000044");
        peer.atomicResponse(OWN + 1, 0x1_0000_0006L);
        subject.next(2, WcStatus.SUCCESS);
        assertThat(subject.buffer.getLong(0)).isEqualTo(6);
    }

    @ParameterizedTest
    @ValueSource(ints = {WrOpcode.FLUSH, WrOpcode.ATOMIC_WRITE})
    void wrongResponseIsNoCompletion(int opcode) {
        SendWorkRequest wr = opcode == WrOpcode.FLUSH ? flush(1) : wr(opcode, 1);
        subject.post(wr);
        peer.next(opcode == WrOpcode.FLUSH ? Opcode.RC_FLUSH : Opcode.RC_ATOMIC_WRITE, OWN);
        peer.ack(OWN); // does not confirm the execution: the request is repeated
        peer.next(opcode == WrOpcode.FLUSH ? Opcode.RC_FLUSH : Opcode.RC_ATOMIC_WRITE, OWN);
        subject.nothingCompletes();
        peer.atomicResponse(OWN, 5);
        subject.next(1, WcStatus.BAD_RESP_ERR);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 4})
    void responseWithDataOrPartsFails(int data) {
        subject.post(flush(1));
        peer.next(Opcode.RC_FLUSH, OWN);
        int opcode = data == 0 ? Opcode.RC_RDMA_READ_RESPONSE_LAST : Opcode.RC_RDMA_READ_RESPONSE_ONLY;
        peer.readResponse(opcode, OWN, new byte[data]);
        subject.next(1, WcStatus.BAD_RESP_ERR);
    }

    @Test
    void nakFailsRequest() {
        subject.post(flush(1));
        peer.next(Opcode.RC_FLUSH, OWN);
        peer.nak(OWN, Aeth.NAK_REMOTE_ACCESS_ERROR);
        subject.next(1, WcStatus.REM_ACCESS_ERR);
    }

    /** A flush takes none of the peer's places for reads and atomics; an atomic write does. */
    @Test
    void onlyAtomicWritesTakePlaces() {
        for (int i = 0; i < 6; i++) {
            subject.post(flush(i));
        }
        for (int i = 0; i < 6; i++) {
            peer.next(Opcode.RC_FLUSH, OWN + i);
        }
        for (int i = 0; i < 6; i++) {
            peer.readResponse(Opcode.RC_RDMA_READ_RESPONSE_ONLY, OWN + i, new byte[0]);
            subject.next(i, WcStatus.SUCCESS);
        }
        for (int i = 6; i < 12; i++) {
            subject.post(wr(WrOpcode.ATOMIC_WRITE, i));
        }
        for (int i = 6; i < 10; i++) {
            peer.next(Opcode.RC_ATOMIC_WRITE, OWN + i);
        }
        peer.silence();
        peer.readResponse(Opcode.RC_RDMA_READ_RESPONSE_ONLY, OWN + 6, new byte[0]);
        peer.next(Opcode.RC_ATOMIC_WRITE, OWN + 10);
    }

    @Test
    void fenceWaitsForFlushAndAtomicWrite() {
        subject.post(wr(WrOpcode.ATOMIC_WRITE, 1).next(flush(2)));
        SendWorkRequest nop = new SendWorkRequest().opcode(WrOpcode.NOP).wrId(3);
        subject.post(nop.sendFlags(SendFlags.SIGNALED | SendFlags.FENCE));
        subject.post(WrOpcode.SEND, 4, 0, 1);
        peer.next(Opcode.RC_ATOMIC_WRITE, OWN);
        peer.next(Opcode.RC_FLUSH, OWN + 1);
        peer.silence();
        peer.readResponse(Opcode.RC_RDMA_READ_RESPONSE_ONLY, OWN, new byte[0]);
        peer.readResponse(Opcode.RC_RDMA_READ_RESPONSE_ONLY, OWN + 1, new byte[0]);
        for (int i = 1; i <= 3; i++) {
            subject.next(i, WcStatus.SUCCESS);
        }
        peer.next(Opcode.RC_SEND_ONLY, OWN + 2);
    }

    // ---- requests received

    /** The first response is lost: later writes to the memory, by anybody, stay. */
    @Test
    void repeatedAtomicWriteIsExecutedOnce() {
        peer.atomicWrite(PSN, eight(11), mr.addr(), mr.rkey(), 8);
        done(PSN);
        assertThat(memory.getLong(0)).isEqualTo(11);
        memory.putLong(0, 12);
        peer.atomicWrite(PSN, eight(11), mr.addr(), mr.rkey(), 8);
        done(PSN);
        assertThat(memory.getLong(0)).isEqualTo(12);
        peer.atomicWrite(PSN + 1, eight(13), mr.addr() + 8, mr.rkey(), 8);
        done(PSN + 1);
        assertThat(memory.getLong(8)).isEqualTo(13);
    }

    @Test
    void repeatedFlushIsAnsweredAgain() {
        peer.flush(PSN, 1, 0, mr.addr(), mr.rkey(), 64);
        done(PSN);
        for (int i = 1; i <= 100; i++) { // more than there are places for reads
            peer.flush(PSN + i, 1, i & 1, mr.addr(), mr.rkey(), 64);
            done(PSN + i);
        }
        peer.flush(PSN, 1, 0, mr.addr(), mr.rkey(), 64);
        done(PSN);
        peer.flush(PSN + 100, 1, 0, mr.addr(), mr.rkey(), 64);
        done(PSN + 100);
    }

    @Test
    void repeatedMaskedAtomicIsExecutedOnce() {
        memory.putInt(4, 40);
        for (int i = 0; i < 2; i++) {
            peer.maskedAdd(PSN, mr.addr() + 4, mr.rkey(), 4, 2, 0);
            Received r = peer.next(Opcode.RC_ATOMIC_ACKNOWLEDGE, PSN);
            assertThat(r.packet.atomicOrig()).isEqualTo(40);
            assertThat(memory.getInt(4)).isEqualTo(42);
        }
    }

    /** A request with an earlier PSN that was never executed is not answered. */
    @Test
    void repetitionOfUnknownRequestIsIgnored() {
        subject.recv(1, 0, 10);
        peer.data(Opcode.RC_SEND_ONLY, PSN, true, bytes(4, 1));
        peer.nextAck(PSN);
        peer.atomicWrite(PSN + 1, eight(11), mr.addr(), mr.rkey(), 8);
        done(PSN + 1);
        peer.flush(PSN + 2, 1, 0, mr.addr(), mr.rkey(), 64);
        done(PSN + 2);
        peer.flush(PSN, 1, 0, mr.addr(), mr.rkey(), 64);
        peer.flush(PSN + 1, 1, 0, mr.addr(), mr.rkey(), 64);
        peer.atomicWrite(PSN, eight(12), mr.addr(), mr.rkey(), 8);
        peer.atomicWrite(PSN + 1, eight(12), mr.addr() + 8, mr.rkey(), 8);
        peer.atomicWrite(PSN + 1, eight(12), mr.addr(), mr.rkey() ^ 1, 8);
        peer.atomicWrite(PSN + 2, eight(12), mr.addr(), mr.rkey(), 8);
        peer.maskedAdd(PSN + 1, mr.addr(), mr.rkey(), 8, 1, 0);
        peer.fetchAdd(PSN + 1, mr.addr(), mr.rkey(), 1);
        peer.silence();
        assertThat(memory.getLong(0)).isEqualTo(11);
    }

    /** A masked atomic is distinguished from a plain one, though they look alike. */
    @Test
    void maskedAtomicDoesNotRepeatPlainOne() {
        peer.fetchAdd(PSN, mr.addr(), mr.rkey(), 1);
        peer.next(Opcode.RC_ATOMIC_ACKNOWLEDGE, PSN);
        peer.maskedAdd(PSN, mr.addr(), mr.rkey(), 8, 1, 0);
        peer.silence();
        assertThat(memory.getLong(0)).isEqualTo(1);
    }

    /** Responses keep the order of requests and stay behind those of reads. */
    @Test
    void responsesKeepOrder() {
        peer.add(
                Opcode.RC_RDMA_READ_REQUEST,
                PSN,
                true,
                new byte[0],
                (b, at) -> Reth.write(b, at, subject.address(0), subject.mr.rkey(), 3000));
        peer.flush(PSN + 3, 1, 0, mr.addr(), mr.rkey(), 64);
        peer.next(Opcode.RC_RDMA_READ_RESPONSE_FIRST, PSN);
        peer.next(Opcode.RC_RDMA_READ_RESPONSE_MIDDLE, PSN + 1);
        peer.next(Opcode.RC_RDMA_READ_RESPONSE_LAST, PSN + 2);
        done(PSN + 3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "length of 7",
                "7 bytes",
                "12 bytes",
                "unaligned",
                "flush of nothing",
                "reserved type",
                "reserved level",
                "width of 2",
                "width of 0",
                "unaligned four",
                "unaligned eight"
            })
    void invalidRequestsAreRefused(String what) {
        long va = mr.addr();
        int key = mr.rkey();
        switch (what) {
            case "length of 7" -> peer.atomicWrite(PSN, eight(1), va, key, 7);
            case "7 bytes" -> peer.atomicWrite(PSN, new byte[7], va, key, 8);
            case "12 bytes" -> peer.atomicWrite(PSN, new byte[12], va, key, 8);
            case "unaligned" -> peer.atomicWrite(PSN, eight(1), va + 4, key, 8);
            case "flush of nothing" -> peer.flush(PSN, 0, 0, va, key, 8);
            case "reserved type" -> peer.flush(PSN, 4 | 1, 0, va, key, 8);
            case "reserved level" -> peer.flush(PSN, 1, 2, va, key, 8);
            case "width of 2" -> peer.maskedAdd(PSN, va, key, 2, 1, 0);
            case "width of 0" -> peer.maskedAdd(PSN, va, key, 0, 1, 0);
            case "unaligned four" -> peer.maskedAdd(PSN, va + 2, key, 4, 1, 0);
            default -> peer.maskedAdd(PSN, va + 4, key, 8, 1, 0);
        }
        peer.nextNak(PSN, Aeth.NAK_INVALID_REQUEST);
        subject.nextEvent(EventType.QP_REQ_ERR);
        subject.awaitError();
        assertThat(memory).isEqualTo(ByteBuffer.allocate(64));
    }

    @Test
    void flushWithinMessageIsRefused() {
        peer.write(Opcode.RC_RDMA_WRITE_FIRST, PSN, true, bytes(1024, 1), subject.address(0), subject.mr.rkey(), 2000);
        peer.nextAck(PSN);
        peer.flush(PSN + 1, 1, 0, mr.addr(), mr.rkey(), 64);
        peer.nextNak(PSN + 1, Aeth.NAK_INVALID_REQUEST);
    }
}
