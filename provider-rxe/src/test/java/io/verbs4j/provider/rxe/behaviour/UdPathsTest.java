/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AddressHandle;
import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.QpType;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcFlags;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a program sees of UD. */
@WithOneCopy
class UdPathsTest extends EachPath {
    private static final int GRH = 40;
    private static final int MULTICAST_QPN = 0xffffff;

    private AddressHandle toB;

    @BeforeEach
    void makeUd() {
        make(s -> s.qpType = QpType.UD);
        for (Side s : new Side[] {a, b}) {
            s.toInit();
            s.toRtr(null, 0, 0);
            s.toRts(1);
        }
        toB = a.opened(a.pd.createAh(a.path(b.gid())));
    }

    private SendWorkRequest datagram(long wrId, int size) {
        return Side.wr(WrOpcode.SEND, wrId, a.sge(0, size))
                .ah(toB)
                .remoteQpn(b.qp.qpNum())
                .remoteQkey(Side.QKEY);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1000, 4096})
    void datagramArrivesBehindItsHeader(int size) {
        b.recv(1, 0, 5000);
        a.post(datagram(2, size));
        a.next(2, WcStatus.SUCCESS);
        WorkCompletion got = b.next(1, WcStatus.SUCCESS);
        assertThat(got.byteLen()).isEqualTo(GRH + size);
        assertThat(got.srcQp()).isEqualTo(a.qp.qpNum());
        assertThat(got.wcFlags() & WcFlags.GRH).isNotZero();
        b.assertPattern(GRH, 1, 0, size);
        assertThat(b.context.initAhFromWc(1, got, b.buffer.duplicate()).grh().dgid())
                .isEqualTo(a.gid());
    }

    @Test
    void replyReachesSender() {
        b.recv(1, 0, 5000);
        a.recv(3, 0, 5000);
        a.post(datagram(2, 10));
        WorkCompletion got = b.next(1, WcStatus.SUCCESS);
        AddressHandle back = b.opened(b.pd.createAhFromWc(got, b.buffer.duplicate(), 1));
        b.post(Side.wr(WrOpcode.SEND_WITH_IMM, 4, b.sge(100, 20))
                .immData(5)
                .ah(back)
                .remoteQpn(got.srcQp())
                .remoteQkey(Side.QKEY));
        a.next(2, WcStatus.SUCCESS);
        WorkCompletion answer = a.next(3, WcStatus.SUCCESS);
        assertThat(answer.immData()).isEqualTo(5);
        assertThat(answer.srcQp()).isEqualTo(b.qp.qpNum());
    }

    @Test
    void wrongQkeyIsDropped() {
        b.recv(1, 0, 5000);
        a.post(datagram(2, 10).remoteQkey(Side.QKEY + 1));
        a.next(2, WcStatus.SUCCESS);
        a.post(datagram(3, 11));
        a.next(3, WcStatus.SUCCESS);
        assertThat(b.next(1, WcStatus.SUCCESS).byteLen()).isEqualTo(GRH + 11);
    }

    @Test
    void datagramWithoutReceiveIsDropped() {
        a.post(datagram(2, 10));
        a.next(2, WcStatus.SUCCESS);
        assertThat(b.rest(50)).isEmpty(); // it may still be in transit
        b.recv(1, 0, 5000);
        a.post(datagram(3, 11));
        a.next(3, WcStatus.SUCCESS);
        assertThat(b.next(1, WcStatus.SUCCESS).byteLen()).isEqualTo(GRH + 11);
    }

    @Test
    void tooLongDatagramIsLostAndReceiveStays() {
        b.recv(1, 0, GRH + 9);
        a.post(datagram(2, 10));
        a.next(2, WcStatus.SUCCESS);
        a.post(datagram(3, 9));
        a.next(3, WcStatus.SUCCESS);
        assertThat(b.next(1, WcStatus.SUCCESS).byteLen()).isEqualTo(GRH + 9);
    }

    @Test
    void datagramAboveMtuIsRefusedAtPost() {
        assertThat(a.qp.postSend(datagram(1, 4097))).isEqualTo(Errno.EINVAL);
    }

    @Test
    void invalidDatagramIsRefusedAtPost() {
        assertThat(a.qp.postSend(datagram(1, 10).ah(null))).isEqualTo(Errno.EINVAL);
        assertThat(a.qp.postSend(datagram(1, 10).opcode(WrOpcode.RDMA_WRITE))).isEqualTo(Errno.EOPNOTSUPP);
        AddressHandle closed = a.pd.createAh(a.path(b.gid()));
        closed.close();
        assertThat(a.qp.postSend(datagram(1, 10).ah(closed))).isEqualTo(Errno.EINVAL);
    }

    @Test
    void multicastReachesAttachedQueuePairs() {
        Gid group = Gid.parseHex("00000000000000000000ffffef010203"); // 239.1.2.3
        b.qp.attachMcast(group, 0);
        AddressHandle toGroup = a.opened(a.pd.createAh(a.path(group)));
        b.recv(1, 0, 5000);
        a.post(Side.wr(WrOpcode.SEND, 2, a.sge(0, 99))
                .ah(toGroup)
                .remoteQpn(MULTICAST_QPN)
                .remoteQkey(Side.QKEY));
        a.next(2, WcStatus.SUCCESS);
        WorkCompletion got = b.next(1, WcStatus.SUCCESS);
        assertThat(got.byteLen()).isEqualTo(GRH + 99);
        b.assertPattern(GRH, 1, 0, 99);
        ByteBuffer grh = b.buffer.duplicate();
        assertThat(b.context.initAhFromWc(1, got, grh).grh().dgid()).isEqualTo(a.gid());
        b.qp.detachMcast(group, 0);
        b.recv(3, 0, 5000);
        a.post(Side.wr(WrOpcode.SEND, 4, a.sge(0, 98))
                .ah(toGroup)
                .remoteQpn(MULTICAST_QPN)
                .remoteQkey(Side.QKEY));
        a.next(4, WcStatus.SUCCESS);
        assertThat(b.rest(50)).isEmpty();
    }
}
