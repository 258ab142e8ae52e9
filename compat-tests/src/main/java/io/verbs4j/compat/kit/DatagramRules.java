/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.AddressHandle;
import io.verbs4j.AhAttr;
import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.LinkLayer;
import io.verbs4j.QpAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcFlags;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import org.junit.jupiter.api.Assumptions;

/** R6: unreliable connections and datagrams. */
abstract class DatagramRules extends RdmaRules {
    private static final int GRH = 40;
    private static final int MULTICAST_QPN = 0xffffff;

    /** For {@link ProviderKit}. */
    DatagramRules() {}

    @Rule(
            id = "R6.01",
            says = "UC: what is sent arrives whole",
            look = "QueuePair.postSend",
            man = "ibv_post_send(3), DESCRIPTION",
            needs = {Capability.UC, Capability.SEND})
    final void r601Uc() {
        start(s -> s.qpType = QpType.UC);
        b.recv(1, 0, 5000);
        a.post(a.wr(WrOpcode.SEND, 2, a.sge(5, 3000)));
        Seen.equal("byteLen", 3000, b.next(1, WcStatus.SUCCESS).byteLen());
        b.memory.holds(0, a.memory, 5, 3000);
        a.next(2, WcStatus.SUCCESS);
    }

    @Rule(
            id = "R6.02",
            says = "UC: a message that nobody receives is lost, and the sender does not learn of it",
            look = "QueuePair.postSend",
            man = "ibv_create_qp(3), DESCRIPTION (IBV_QPT_UC)",
            needs = {Capability.UC, Capability.SEND})
    final void r602UcLost() {
        start(s -> s.qpType = QpType.UC);
        a.post(a.wr(WrOpcode.SEND, 2, a.sge(0, 100)));
        a.next(2, WcStatus.SUCCESS);
        b.nothing("though nothing was posted to receive");
        b.recv(1, 0, 5000);
        b.nothing("of a message that was sent before its receive was posted");
    }

    @Rule(
            id = "R6.03",
            says = "UC: RDMA write puts the bytes where it is told",
            look = "QueuePair.postSend",
            man = "ibv_post_send(3), DESCRIPTION (IBV_WR_RDMA_WRITE)",
            needs = {Capability.UC, Capability.RDMA_WRITE})
    final void r603UcWrite() {
        start(s -> {
            s.qpType = QpType.UC;
            s.access &= io.verbs4j.AccessFlags.REMOTE_WRITE;
        });
        a.post(a.to(b, 0, a.wr(WrOpcode.RDMA_WRITE, 1, a.sge(0, 3000))));
        a.next(1, WcStatus.SUCCESS);
        if (hasSend()) { // it tells when the write before it has arrived
            b.recv(2, 50_000, 10);
            a.post(a.wr(WrOpcode.SEND, 3, a.sge(0, 1)));
            b.next(2, WcStatus.SUCCESS);
        } else {
            a.pause();
        }
        b.memory.holds(0, a.memory, 0, 3000);
    }

    AddressHandle toB() {
        return made(AddressHandle.class, a.pd.createAh(b.path()));
    }

    void startUd() {
        make(s -> s.qpType = QpType.UD);
        for (Side side : new Side[] {a, b}) {
            side.unconnected(side.qp);
        }
    }

    SendWorkRequest datagram(long wrId, AddressHandle ah, int size) {
        return a.wr(WrOpcode.SEND, wrId, a.sge(0, size))
                .ah(ah)
                .remoteQpn(b.qp.qpNum())
                .remoteQkey(Side.QKEY);
    }

    @Rule(
            id = "R6.04",
            says = "UD: a datagram arrives behind 40 bytes, and tells where it is from",
            look = {"QueuePair.postSend", "CompletionQueue.poll"},
            man = "ibv_post_recv(3), DESCRIPTION (40 bytes for the GRH); ibv_poll_cq(3) (src_qp)",
            needs = {Capability.UD, Capability.SEND})
    final void r604Datagram() {
        startUd();
        b.recv(1, 0, 2000);
        a.post(datagram(2, toB(), 200));
        WorkCompletion got = b.next(1, WcStatus.SUCCESS);
        Seen.equal("byteLen", GRH + 200, got.byteLen());
        Seen.equal("srcQp", a.qp.qpNum(), got.srcQp());
        Seen.check(
                hasSenderAddress() || (got.wcFlags() & WcFlags.GRH) == 0,
                "wcFlags has GRH, and hasSenderAddress() says that nothing tells where it is from");
        b.memory.holds(GRH, a.memory, 0, 200);
        b.memory.untouched(GRH + 200, 1000);
        a.next(2, WcStatus.SUCCESS);
    }

    @Rule(
            id = "R6.05",
            says = "UD: an address handle made of a completion leads back to the sender",
            look = {"CompletionQueue.poll", "ContextOps.createAh"},
            man = "ibv_create_ah_from_wc(3), DESCRIPTION",
            needs = {Capability.UD, Capability.SEND, Capability.SENDER_ADDRESS})
    final void r605WayBack() {
        startUd();
        b.recv(1, 0, 2000);
        a.recv(3, 0, 2000);
        a.post(datagram(2, toB(), 10));
        WorkCompletion got = b.next(1, WcStatus.SUCCESS);
        if (a.context.queryPort(portNum()).linkLayer() != LinkLayer.INFINIBAND) {
            Seen.check((got.wcFlags() & WcFlags.GRH) != 0, "wcFlags lacks GRH, which RoCE always has");
        }
        AddressHandle back = opened(b.pd.createAhFromWc(got, b.memory.buffer.duplicate(), portNum()));
        b.post(b.wr(WrOpcode.SEND, 4, b.sge(100, 20))
                .ah(back)
                .remoteQpn(got.srcQp())
                .remoteQkey(Side.QKEY));
        a.next(2, WcStatus.SUCCESS);
        Seen.equal(
                "srcQp of the answer", b.qp.qpNum(), a.next(3, WcStatus.SUCCESS).srcQp());
    }

    @Rule(
            id = "R6.06",
            says = "UD: a datagram with another Q_Key is dropped",
            look = "QueuePair.postSend",
            man = "ibv_modify_qp(3), DESCRIPTION (qkey)",
            needs = {Capability.UD, Capability.SEND})
    final void r606Qkey() {
        startUd();
        b.recv(1, 0, 2000);
        AddressHandle ah = toB();
        a.post(datagram(2, ah, 10).remoteQkey(Side.QKEY + 1));
        a.next(2, WcStatus.SUCCESS);
        a.post(datagram(3, ah, 11));
        a.next(3, WcStatus.SUCCESS);
        Seen.equal(
                "byteLen of the first that arrived",
                GRH + 11,
                b.next(1, WcStatus.SUCCESS).byteLen());
    }

    @Rule(
            id = "R6.07",
            says = "UD: a datagram without address handle, or that is not a SEND, is refused at the post",
            look = "QueuePair.postSend",
            man = "ibv_post_send(3), RETURN VALUE",
            needs = {Capability.UD, Capability.SEND})
    final void r607BadDatagram() {
        startUd();
        AddressHandle ah = toB();
        Seen.errno("postSend without an address handle", Errno.EINVAL, a.qp.postSend(datagram(1, null, 10)));
        Seen.errno(
                "postSend of an RDMA write",
                Errno.EOPNOTSUPP,
                a.qp.postSend(datagram(1, ah, 10).opcode(WrOpcode.RDMA_WRITE)));
    }

    @Rule(
            id = "R6.08",
            says = "UD: an address handle to a port that does not exist is refused",
            look = "ContextOps.createAh",
            man = "ibv_create_ah(3), RETURN VALUE",
            needs = Capability.UD)
    final void r608BadAddress() {
        startUd();
        AhAttr attr = b.path().portNum(a.context.queryDevice().physPortCnt() + 1);
        Seen.refuses("createAh with port " + attr.portNum(), () -> opened(a.pd.createAh(attr)), Errno.EINVAL);
    }

    @Rule(
            id = "R6.09",
            says = "multicast reaches those who are attached, and no longer those who were detached",
            look = {"ContextOps.attachMcast", "ContextOps.detachMcast", "QueuePair.postSend"},
            man = "ibv_attach_mcast(3), DESCRIPTION",
            needs = {Capability.UD, Capability.SEND, Capability.MULTICAST})
    final void r609Multicast() {
        startUd();
        Gid group = group();
        b.qp.attachMcast(group, 0);
        AddressHandle ah = opened(a.pd.createAh(toGroup()));
        b.recv(1, 0, 2000);
        a.post(datagram(2, ah, 99).remoteQpn(MULTICAST_QPN));
        a.next(2, WcStatus.SUCCESS);
        Seen.equal("byteLen", GRH + 99, b.next(1, WcStatus.SUCCESS).byteLen());
        b.qp.detachMcast(group, 0);
        b.recv(3, 0, 2000);
        a.post(datagram(4, ah, 98).remoteQpn(MULTICAST_QPN));
        a.next(4, WcStatus.SUCCESS);
        b.nothing("after it was detached");
    }

    /** A group that anybody may be a member of. */
    Gid group() {
        Gid own = b.gid();
        Assumptions.assumeTrue(
                a.context.queryPort(portNum()).linkLayer() != LinkLayer.INFINIBAND,
                "on InfiniBand a subnet manager must have made the group");
        return own.isIpv4Mapped()
                ? Gid.parseHex("00000000000000000000ffffef010203") // 239.1.2.3
                : Gid.parseHex("ff0e0000000000000000000000010203");
    }

    /** The way to all its members. */
    AhAttr toGroup() {
        AhAttr path = b.path();
        path.grh().dgid(group());
        return path;
    }

    /** A queue pair of this side in state ERR. */
    static void fail(Side side) {
        side.qp.modify(new QpAttr().qpState(QpState.ERR));
    }
}
