/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.attack;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.QpAttr;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqInitAttrEx;
import io.verbs4j.SrqType;
import io.verbs4j.XrcDomain;
import io.verbs4j.XrcdInitAttr;
import io.verbs4j.XrcdOpenFlags;
import io.verbs4j.provider.rxe.packet.ScriptedPeer;
import io.verbs4j.provider.rxe.packet.Subject;
import io.verbs4j.provider.rxe.packet.TransportCounters;
import io.verbs4j.provider.rxe.port.Port;
import io.verbs4j.provider.rxe.queue.EventQueue;
import io.verbs4j.provider.rxe.queue.RxeSharedReceiveQueue;
import io.verbs4j.provider.rxe.queue.RxeSrq;
import io.verbs4j.provider.rxe.wire.Opcode;
import io.verbs4j.provider.rxe.wire.Reth;
import io.verbs4j.provider.rxe.wire.Xrceth;
import io.verbs4j.provider.rxe.xrc.RxeXrcDomain;
import io.verbs4j.provider.rxe.xrc.RxeXrcQp;
import io.verbs4j.rdmacore.sim.QpWalk;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@link BlindRequestTest} for the receiving end of XRC. */
@Tag("attack")
class BlindXrcRequestTest {
    private static final int PSN = 200;

    private static void read(ScriptedPeer peer, Subject s, int psn, int srqNum, int address, int key) {
        peer.send(Opcode.XRC | Opcode.RC_RDMA_READ_REQUEST, psn, true, new byte[0], (b, at) -> {
            Xrceth.write(b, at, srqNum);
            Reth.write(b, at + Xrceth.LENGTH, s.address(address), s.mr.rkey() + key, 8);
        });
    }

    @ParameterizedTest
    @CsvSource({
        // PSN, queue, address, key of a read; one was executed at 0
        "-1, 0, 0, 1",
        "-8388607, 0, 0, 1",
        "-1, 1, 0, 0",
        "0, 1, 0, 0",
        "0, 0, 8, 0",
        "0, 0, 0, 1"
    })
    void staleReadThatNeverExistedIsDropped(int psn, int queue, int address, int key) {
        try (ScriptedPeer peer = new ScriptedPeer();
                Subject s = new Subject(QpType.RC, null, 4096)) {
            Port port = s.context.port();
            XrcDomain xrcd = port.xrcDomains().open(s.context, new XrcdInitAttr().oflags(XrcdOpenFlags.CREAT));
            RxeSharedReceiveQueue handle = new RxeSharedReceiveQueue(
                    s.context,
                    new SrqInitAttrEx()
                            .srqType(SrqType.XRC)
                            .attr(new SrqAttr().maxWr(16).maxSge(2))
                            .pd(s.pd)
                            .xrcd(xrcd)
                            .cq(s.cq),
                    new EventQueue<>("get_async_event", "context", port));
            RxeSrq srq = handle.srq;
            ((RxeXrcDomain) xrcd).domain.add(srq);
            RxeXrcQp target =
                    new RxeXrcQp(new QpInitAttrEx().qpType(QpType.XRC_RECV).xrcd(xrcd), port.newQpNum(), port);
            port.add(target);
            connect(target, peer, s);
            peer.connect(s.gid(), target.qpNum());

            read(peer, s, PSN, srq.number(), 0, 0);
            peer.next(Opcode.XRC | Opcode.RC_RDMA_READ_RESPONSE_ONLY, PSN);
            read(peer, s, PSN + psn, srq.number() + queue, address, key);
            s.awaitCount(TransportCounters.STALE_DUPLICATE, 1);
            peer.silence();
            read(peer, s, PSN, srq.number(), 0, 0);
            peer.next(Opcode.XRC | Opcode.RC_RDMA_READ_RESPONSE_ONLY, PSN);
            assertThat(target.state()).isEqualTo(QpState.RTR);

            port.remove(target);
            target.destroy();
            srq.destroy();
            port.xrcDomains().close(xrcd);
        }
    }

    private static void connect(RxeXrcQp target, ScriptedPeer peer, Subject s) {
        QpWalk walk = QpWalk.of(QpType.XRC_RECV)
                .access(s.access)
                .mtu(s.mtu)
                .readDepth(4)
                .psn(PSN);
        QpAttr init = walk.init();
        target.modify(init, init.mask());
        QpAttr rtr = walk.rtr(QpWalk.path(peer.gid()), ScriptedPeer.QPN);
        target.modify(rtr, rtr.mask());
    }
}
