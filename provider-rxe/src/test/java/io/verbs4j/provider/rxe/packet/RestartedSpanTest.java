/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import static io.verbs4j.provider.rxe.packet.ScriptedPeer.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.QpType;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.rxe.memory.RemoteMemory;
import io.verbs4j.provider.rxe.qp.RxeQueuePair;
import io.verbs4j.provider.rxe.wire.Aeth;
import io.verbs4j.provider.rxe.wire.Bth;
import io.verbs4j.provider.rxe.wire.Opcode;
import io.verbs4j.provider.rxe.wire.Packet;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A message arrives partly as packets and is then sent again as one span, which begins before the expected PSN. */
class RestartedSpanTest {
    private static final int MTU = 1024;
    private static final int PSN = 200;
    private static final int BYTES = 3 * MTU;

    private final ScriptedPeer peer = new ScriptedPeer();
    private final Subject subject = new Subject(QpType.RC, null, 1 << 16);
    private final byte[] data = bytes(BYTES, 3);

    @AfterEach
    void close() {
        subject.close();
        peer.close();
    }

    @Test
    void lostNakIsRepeated() {
        peer.connect(subject.gid(), subject.qp.qpNum());
        subject.connect(peer.gid(), ScriptedPeer.QPN, 100, PSN);
        subject.recv(1, 100, 5000);
        packet(Opcode.RC_SEND_FIRST, 0);
        packet(Opcode.RC_SEND_LAST, 2);
        peer.nextNak(PSN + 1, Aeth.NAK_PSN_SEQUENCE_ERROR);
        // A peer that missed this NAK starts again, and must be told each time where to continue.
        for (int i = 0; i < 2; i++) {
            span();
            peer.nextNak(PSN + 1, Aeth.NAK_PSN_SEQUENCE_ERROR);
        }
        subject.nothingCompletes();
        packet(Opcode.RC_SEND_MIDDLE, 1);
        packet(Opcode.RC_SEND_LAST, 2);
        WorkCompletion wc = subject.next(1, WcStatus.SUCCESS);
        assertThat(wc.byteLen()).isEqualTo(BYTES);
        assertThat(subject.get(100, BYTES)).isEqualTo(data);
        peer.nextAck(PSN + 2);
    }

    private void packet(int opcode, int index) {
        peer.data(opcode, PSN + index, Opcode.isEnd(opcode), Arrays.copyOfRange(data, index * MTU, (index + 1) * MTU));
    }

    /** Hands in the whole message in one record, as a one-copy ring would deliver it. */
    private void span() {
        ByteBuffer record = ByteBuffer.allocateDirect(Packet.MIN_LENGTH);
        Bth.write(record, 0, Opcode.RC_SEND_ONLY, false, false, 0, Bth.DEFAULT_PKEY, subject.qp.qpNum(), true, PSN);
        ByteBuffer lent = ByteBuffer.allocateDirect(BYTES).put(0, data);
        Packet packet = new Packet();
        assertThat(packet.parse(record, 0, Packet.MIN_LENGTH)).isEqualTo(Packet.OK);
        packet.remote(new RemoteMemory() {
            @Override
            public long bytes() {
                return BYTES;
            }

            @Override
            public boolean fetch(long offset, long to, long count) {
                NativeMemory.copy(NativeMemory.address(lent) + offset, to, count);
                return true;
            }
        });
        RcPath path = (RcPath) ((RxeQueuePair) subject.qp).qp.path();
        path.onPacket(packet);
        path.burstEnded(false);
    }
}
