/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import static io.verbs4j.compat.kit.DatagramRig.GRH;
import static io.verbs4j.compat.kit.DatagramRig.MULTICAST_QPN;

import io.verbs4j.AddressHandle;
import io.verbs4j.AhAttr;
import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.LinkLayer;
import io.verbs4j.QpType;
import io.verbs4j.WcFlags;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;

/** R6: unreliable connections and datagrams. */
interface DatagramRules {
    @Rule(
            id = "R6.01",
            says = "UC: what is sent arrives whole",
            look = "QueuePair.postSend",
            man = "ibv_post_send(3), DESCRIPTION",
            needs = {Capability.UC, Capability.SEND})
    default void r601Uc(Rig rig) {
        rig.start(s -> s.qpType = QpType.UC);
        rig.b.recv(1, 0, 5000);
        rig.a.post(rig.a.wr(WrOpcode.SEND, 2, rig.a.sge(5, 3000)));
        Seen.equal("byteLen", 3000, rig.b.next(1, WcStatus.SUCCESS).byteLen());
        rig.b.memory.holds(0, rig.a.memory, 5, 3000);
        rig.a.next(2, WcStatus.SUCCESS);
    }

    @Rule(
            id = "R6.02",
            says = "UC: a message that nobody receives is lost, and the sender does not learn of it",
            look = "QueuePair.postSend",
            man = "ibv_create_qp(3), DESCRIPTION (IBV_QPT_UC)",
            needs = {Capability.UC, Capability.SEND})
    default void r602UcLost(Rig rig) {
        rig.start(s -> s.qpType = QpType.UC);
        rig.a.post(rig.a.wr(WrOpcode.SEND, 2, rig.a.sge(0, 100)));
        rig.a.next(2, WcStatus.SUCCESS);
        rig.b.nothing("although no receive was posted");
        rig.b.recv(1, 0, 5000);
        rig.b.nothing("of a message that was sent before its receive was posted");
    }

    @Rule(
            id = "R6.03",
            says = "UC: RDMA write puts the bytes at the given address",
            look = "QueuePair.postSend",
            man = "ibv_post_send(3), DESCRIPTION (IBV_WR_RDMA_WRITE)",
            needs = {Capability.UC, Capability.RDMA_WRITE})
    default void r603UcWrite(Rig rig) {
        rig.start(s -> {
            s.qpType = QpType.UC;
            s.access &= io.verbs4j.AccessFlags.REMOTE_WRITE;
        });
        rig.a.post(rig.a.to(rig.b, 0, rig.a.wr(WrOpcode.RDMA_WRITE, 1, rig.a.sge(0, 3000))));
        rig.a.next(1, WcStatus.SUCCESS);
        if (rig.has(Capability.SEND)) { // its arrival shows that the write before it has arrived
            rig.b.recv(2, 50_000, 10);
            rig.a.post(rig.a.wr(WrOpcode.SEND, 3, rig.a.sge(0, 1)));
            rig.b.next(2, WcStatus.SUCCESS);
        } else {
            rig.a.pause();
        }
        rig.b.memory.holds(0, rig.a.memory, 0, 3000);
    }

    @Rule(
            id = "R6.04",
            says = "UD: a datagram arrives behind 40 bytes, and tells where it is from",
            look = {"QueuePair.postSend", "CompletionQueue.poll"},
            man = "ibv_post_recv(3), DESCRIPTION (40 bytes for the GRH); ibv_poll_cq(3) (src_qp)",
            needs = {Capability.UD, Capability.SEND})
    default void r604Datagram(DatagramRig rig) {
        rig.startUd();
        rig.b.recv(1, 0, 2000);
        rig.a.post(rig.datagram(2, rig.toB(), 200));
        WorkCompletion got = rig.b.next(1, WcStatus.SUCCESS);
        Seen.equal("byteLen", GRH + 200, got.byteLen());
        Seen.equal("srcQp", rig.a.qp.qpNum(), got.srcQp());
        Seen.check(
                rig.has(Capability.SENDER_ADDRESS) || (got.wcFlags() & WcFlags.GRH) == 0,
                "wcFlags has GRH, which reports the sender, although Capability.SENDER_ADDRESS is not declared");
        rig.b.memory.holds(GRH, rig.a.memory, 0, 200);
        rig.b.memory.untouched(GRH + 200, 1000);
        rig.a.next(2, WcStatus.SUCCESS);
    }

    @Rule(
            id = "R6.05",
            says = "UD: an address handle made of a completion leads back to the sender",
            look = {"CompletionQueue.poll", "ContextOps.createAh"},
            man = "ibv_create_ah_from_wc(3), DESCRIPTION",
            needs = {Capability.UD, Capability.SEND, Capability.SENDER_ADDRESS})
    default void r605WayBack(DatagramRig rig) {
        rig.startUd();
        rig.b.recv(1, 0, 2000);
        rig.a.recv(3, 0, 2000);
        rig.a.post(rig.datagram(2, rig.toB(), 10));
        WorkCompletion got = rig.b.next(1, WcStatus.SUCCESS);
        if (rig.a.context.queryPort(rig.kit.portNum()).linkLayer() != LinkLayer.INFINIBAND) {
            Seen.check((got.wcFlags() & WcFlags.GRH) != 0, "wcFlags lacks GRH, which RoCE always has");
        }
        AddressHandle back =
                rig.opened(rig.b.pd.createAhFromWc(got, rig.b.memory.buffer.duplicate(), rig.kit.portNum()));
        rig.b.post(rig.b
                .wr(WrOpcode.SEND, 4, rig.b.sge(100, 20))
                .ah(back)
                .remoteQpn(got.srcQp())
                .remoteQkey(Side.QKEY));
        rig.a.next(2, WcStatus.SUCCESS);
        Seen.equal(
                "srcQp of the reply",
                rig.b.qp.qpNum(),
                rig.a.next(3, WcStatus.SUCCESS).srcQp());
    }

    @Rule(
            id = "R6.06",
            says = "UD: a datagram with another Q_Key is dropped",
            look = "QueuePair.postSend",
            man = "ibv_modify_qp(3), DESCRIPTION (qkey)",
            needs = {Capability.UD, Capability.SEND})
    default void r606Qkey(DatagramRig rig) {
        rig.startUd();
        rig.b.recv(1, 0, 2000);
        AddressHandle ah = rig.toB();
        rig.a.post(rig.datagram(2, ah, 10).remoteQkey(Side.QKEY + 1));
        rig.a.next(2, WcStatus.SUCCESS);
        rig.a.post(rig.datagram(3, ah, 11));
        rig.a.next(3, WcStatus.SUCCESS);
        Seen.equal(
                "byteLen of the first message that arrived",
                GRH + 11,
                rig.b.next(1, WcStatus.SUCCESS).byteLen());
    }

    @Rule(
            id = "R6.07",
            says = "UD: a datagram without address handle, or that is not a SEND, is refused at the post",
            look = "QueuePair.postSend",
            man = "ibv_post_send(3), RETURN VALUE",
            needs = {Capability.UD, Capability.SEND})
    default void r607BadDatagram(DatagramRig rig) {
        rig.startUd();
        AddressHandle ah = rig.toB();
        Seen.errno("postSend without an address handle", Errno.EINVAL, rig.a.qp.postSend(rig.datagram(1, null, 10)));
        Seen.errno(
                "postSend of an RDMA write",
                Errno.EOPNOTSUPP,
                rig.a.qp.postSend(rig.datagram(1, ah, 10).opcode(WrOpcode.RDMA_WRITE)));
    }

    @Rule(
            id = "R6.08",
            says = "UD: an address handle to a port that does not exist is refused",
            look = "ContextOps.createAh",
            man = "ibv_create_ah(3), RETURN VALUE",
            needs = Capability.UD)
    default void r608BadAddress(DatagramRig rig) {
        rig.startUd();
        AhAttr attr = rig.b.path().portNum(rig.a.context.queryDevice().physPortCnt() + 1);
        Seen.refuses("createAh with port " + attr.portNum(), () -> rig.opened(rig.a.pd.createAh(attr)), Errno.EINVAL);
    }

    @Rule(
            id = "R6.09",
            says = "multicast reaches those who are attached, and no longer those who were detached",
            look = {"ContextOps.attachMcast", "ContextOps.detachMcast", "QueuePair.postSend"},
            man = "ibv_attach_mcast(3), DESCRIPTION",
            needs = {Capability.UD, Capability.SEND, Capability.MULTICAST})
    default void r609Multicast(DatagramRig rig) {
        rig.startUd();
        Gid group = rig.group();
        rig.b.qp.attachMcast(group, 0);
        AddressHandle ah = rig.opened(rig.a.pd.createAh(rig.toGroup()));
        rig.b.recv(1, 0, 2000);
        rig.a.post(rig.datagram(2, ah, 99).remoteQpn(MULTICAST_QPN));
        rig.a.next(2, WcStatus.SUCCESS);
        Seen.equal("byteLen", GRH + 99, rig.b.next(1, WcStatus.SUCCESS).byteLen());
        rig.b.qp.detachMcast(group, 0);
        rig.b.recv(3, 0, 2000);
        rig.a.post(rig.datagram(4, ah, 98).remoteQpn(MULTICAST_QPN));
        rig.a.next(4, WcStatus.SUCCESS);
        rig.b.nothing("after the queue pair was detached");
    }
}
