/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import static io.verbs4j.provider.rxe.packet.ScriptedPeer.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AddressHandle;
import io.verbs4j.AhAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcFlags;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.provider.rxe.wire.Opcode;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** UD against a scripted peer. */
class UdPacketTest {
    private static final int GRH = 40;
    private static final int BYTES = 1 << 20;
    private static final int SOURCE = 0x1234;

    private final ScriptedPeer peer = new ScriptedPeer();
    private final Subject subject = new Subject(QpType.UD, null, BYTES);
    private AddressHandle ah;

    @BeforeEach
    void connect() {
        peer.connect(subject.gid(), subject.qp.qpNum());
        subject.connect(peer.gid(), 0, 100, 0);
        ah = subject.pd.createAh(Subject.path(peer.gid()));
    }

    @AfterEach
    void close() {
        ah.close();
        subject.close();
        peer.close();
    }

    private SendWorkRequest datagram(long id, int length, int qkey) {
        return subject.wr(WrOpcode.SEND_WITH_IMM, id, 0, length)
                .ah(ah)
                .remoteQpn(ScriptedPeer.QPN)
                .remoteQkey(qkey)
                .immData(77);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4093, 4096})
    void datagramHasItsFields(int size) {
        subject.put(0, bytes(size, 1));
        subject.post(datagram(1, size, 0x22));
        Received r = peer.next(Opcode.UD_SEND_ONLY_WITH_IMM, 100);
        assertThat(r.packet.qkey()).isEqualTo(0x22);
        assertThat(r.packet.srcQpn()).isEqualTo(subject.qp.qpNum());
        assertThat(r.packet.immData()).isEqualTo(77);
        assertThat(r.payload).isEqualTo(bytes(size, 1));
        subject.next(1, WcStatus.SUCCESS);
    }

    @Test
    void qkeyWithUpperBitMeansOwnQkey() {
        subject.post(datagram(1, 10, 0x8000_0000));
        assertThat(peer.next(Opcode.UD_SEND_ONLY_WITH_IMM, 100).packet.qkey()).isEqualTo(Subject.QKEY);
    }

    @Test
    void datagramArrivesBehindHeaderWithSource() {
        subject.recv(1, 0, GRH + 100);
        peer.solicited().datagram(5, Subject.QKEY, SOURCE, bytes(99, 1));
        WorkCompletion wc = subject.next(1, WcStatus.SUCCESS);
        assertThat(wc.byteLen()).isEqualTo(GRH + 99);
        assertThat(wc.srcQp()).isEqualTo(SOURCE);
        assertThat(wc.wcFlags()).isEqualTo(WcFlags.GRH);
        assertThat(subject.get(GRH, 99)).isEqualTo(bytes(99, 1));
        AhAttr back = subject.context.initAhFromWc(1, wc, ByteBuffer.wrap(subject.get(0, GRH)));
        assertThat(back.grh().dgid()).isEqualTo(peer.gid());
    }

    @Test
    void datagramWithWrongQkeyIsDropped() {
        subject.recv(1, 0, 1000);
        peer.datagram(5, Subject.QKEY + 1, SOURCE, bytes(99, 1));
        subject.awaitCount(TransportCounters.WRONG_QKEY, 1);
        subject.nothingCompletes();
    }

    @Test
    void datagramWithoutReceiveIsDropped() {
        peer.datagram(5, Subject.QKEY, SOURCE, bytes(99, 1));
        subject.awaitCount(TransportCounters.NO_RECEIVE, 1);
    }

    @Test
    void tooLongDatagramIsDroppedAndKeepsReceive() {
        subject.recv(1, 0, GRH + 98);
        peer.datagram(5, Subject.QKEY, SOURCE, bytes(99, 1));
        subject.awaitCount(TransportCounters.TOO_LONG, 1);
        subject.nothingCompletes();
        assertThat(subject.get(0, GRH + 98)).isEqualTo(new byte[GRH + 98]);
        peer.datagram(5, Subject.QKEY, SOURCE, bytes(98, 1));
        subject.next(1, WcStatus.SUCCESS);
    }

    @Test
    void queuePairInSqeStillReceives() {
        subject.recv(1, 0, 1000);
        SendWorkRequest wr = datagram(2, 10, 0);
        wr.sgList()[0].lkey(1);
        subject.post(wr);
        subject.next(2, WcStatus.LOC_PROT_ERR);
        assertThat(subject.state()).isEqualTo(QpState.SQE);
        peer.datagram(5, Subject.QKEY, SOURCE, bytes(99, 1));
        subject.next(1, WcStatus.SUCCESS);
    }
}
