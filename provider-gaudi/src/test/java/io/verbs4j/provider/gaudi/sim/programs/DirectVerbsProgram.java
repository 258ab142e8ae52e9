/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.sim.programs;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsLevel;
import io.verbs4j.core.Verbs;
import io.verbs4j.hbldv.HblDeviceAttr;
import io.verbs4j.hbldv.HblDv;
import io.verbs4j.hbldv.HblEncap;
import io.verbs4j.hbldv.HblEncapAttr;
import io.verbs4j.hbldv.HblEncapTypes;
import io.verbs4j.hbldv.HblGranularities;
import io.verbs4j.hbldv.HblMemIds;
import io.verbs4j.hbldv.HblOpenAttr;
import io.verbs4j.hbldv.HblPortAttr;
import io.verbs4j.hbldv.HblPortCaps;
import io.verbs4j.hbldv.HblPortExAttr;
import io.verbs4j.hbldv.HblQpAttr;
import io.verbs4j.hbldv.HblQpCaps;
import io.verbs4j.hbldv.HblUsrFifo;
import io.verbs4j.hbldv.HblUsrFifoAttr;
import io.verbs4j.hbldv.HblUsrFifoTypes;
import io.verbs4j.hbldv.HblWqArrays;
import io.verbs4j.hbldv.HblWqTypes;
import io.verbs4j.rdmacore.sim.Check;
import io.verbs4j.rdmacore.sim.Simulator;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Checks the typed API on two cards of three ports, with each published layout of libhbl: the bytes of each structure
 * that reach the library, its answers, and what it lacks. Arguments: the layout, and the library's log.
 */
public final class DirectVerbsProgram {
    private static final List<String> LAYOUTS = List.of("upstream", "1.16.1", "1.17", "1.18", "1.19", "1.20", "1.21");
    private static final List<String> TOLD =
            List.of("upstream", "1.16", "1.17", "1.18", "1.19", "1.20 or 1.21", "1.20 or 1.21");
    private static final int INTERNAL = 2;
    private static final int EXTERNAL = 3;

    private final int layout;
    private final LibraryLog log;
    private final GaudiCard card;

    private DirectVerbsProgram(int layout, LibraryLog log, GaudiCard card) {
        this.layout = layout;
        this.log = log;
        this.card = card;
    }

    public static void main(String... args) {
        int layout = LAYOUTS.indexOf(args[0]);
        try (GaudiCard card = new GaudiCard(0);
                GaudiCard peer = new GaudiCard(1)) {
            Check.require(card.dv.release().equals(TOLD.get(layout)), "release " + card.dv.release());
            DirectVerbsProgram verbs = new DirectVerbsProgram(layout, new LibraryLog(args[1]), card);
            verbs.device();
            verbs.setPort();
            verbs.port();
            verbs.fifos();
            verbs.encapsulations();
            verbs.completionQueue();
            verbs.queuePair(peer);
            if (layout == 0) {
                verbs.noCollectives();
            } else {
                CollectiveCases.run(card, peer, layout, new LibraryLog(args[1]));
            }
        }
        childrenKeepItOpen();
        someOfThePorts();
        Simulator.requireClean();
        System.out.println("direct ok");
    }

    /** Newer releases report how many ports there are, but not which. */
    private static void someOfThePorts() {
        try (GaudiCard some = new GaudiCard(0, new HblOpenAttr().portsMask(1 << EXTERNAL))) {
            Check.equal(1 << EXTERNAL, some.dv.queryDevice().portsMask(), "ports that are open");
        }
    }

    private static void childrenKeepItOpen() {
        try (Context bare = Verbs.open(GaudiCard.device(0), VerbsLevel.CURRENT)) {
            HblUsrFifo fifo = bare.vendor(HblDv.class).createUsrFifo(new HblUsrFifoAttr().portNum(1));
            Check.fails(Errno.EBUSY, "user FIFO", bare::close);
            fifo.close();
        }
    }

    private void device() {
        HblDeviceAttr attr = card.dv.queryDevice();
        Check.equal(layout == 0 ? 1 : 3, attr.caps(), "caps");
        Check.equal(3, attr.numPorts(), "ports");
        Check.equal(0b1110, attr.portsMask(), "mask of ports");
        Check.equal(1 << EXTERNAL, attr.extPortsMask(), "external ports");
        Check.equal(layout < 3 ? 0 : 0b1010100, attr.hwPortsMask(), "the hardware's ports");
    }

    /** Each field has a different number. */
    private void setPort() {
        HblPortExAttr attr = new HblPortExAttr()
                .portNum(EXTERNAL)
                .caps(HblPortCaps.ADVANCED)
                .qpWqBpOffs(0, 0x1111)
                .qpWqBpOffs(15, 0x2222)
                .wqArray(HblWqArrays.GENERIC, 0x21, 0x40, HblMemIds.HOST, HblGranularities.BYTES_64)
                .wqArray(HblWqArrays.SCALE_OUT_COLLECTIVE, 0x31, 0x80, HblMemIds.DEVICE, HblGranularities.BYTES_32);
        if (layout > 2) {
            HblPortExAttr old = new HblPortExAttr().portNum(EXTERNAL).caps(HblPortCaps.ADAPTIVE_TIMEOUT);
            Check.fails(Errno.ENOSYS, "up to 1.17", () -> card.dv.setPortEx(old));
        }
        if (layout == 0) {
            HblPortExAttr later = new HblPortExAttr().portNum(EXTERNAL).atomicFnaMaskSize(1);
            Check.fails(Errno.ENOSYS, "1.16 and newer", () -> card.dv.setPortEx(later));
        } else {
            attr.atomicFnaMaskSize(0x77);
        }
        card.dv.setPortEx(attr);
        ByteBuffer in = log.last("hbldv_set_port_ex", "in");
        Check.equal(168, in.capacity(), "length");
        int[] words = {0x21, 0x40, 1, 1, 0, 0, 0, 0, 0x31, 0x80, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0};
        for (int i = 0; i < words.length; i++) {
            Check.equal(words[i], in.getInt(4 * i), "word " + i);
        }
        Check.equal(1, in.getLong(80), "caps");
        Check.equal(0x1111, in.getInt(88), "first offset");
        Check.equal(0x2222, in.getInt(148), "last offset");
        Check.equal(EXTERNAL, in.getInt(160), "port");
        Check.equal(layout == 0 ? 0 : 0x77, in.get(164), "size of the mask");
    }

    private void port() {
        HblPortAttr attr = card.dv.queryPort(EXTERNAL);
        boolean tells = layout > 0;
        Check.equal(8192, attr.maxNumOfQps(), "queue pairs");
        Check.equal(0, attr.numAllocatedQps(), "queue pairs that there are");
        Check.equal(8192 * 16, attr.maxCqSize(), "bytes of a completion queue");
        Check.require(attr.hasCollectives() == tells, "collectives");
        Check.equal(tells ? 64 : 0, attr.maxNumOfScaleOutCollQps(), "scale-out numbers");
        Check.equal(tells ? 64 : 0, attr.maxNumOfCollQps(), "numbers");
        Check.require(attr.baseCollQpNum() != attr.baseScaleOutCollQpNum() == tells, "first numbers");
        Check.equal(tells ? 64 * EXTERNAL : 0, attr.collQpsOffset(), "offset");
        Check.require(attr.advanced(), "not advanced");
        Check.equal(14, attr.maxNumOfCqs(), "completion queues");
        Check.equal(30, attr.maxNumOfUsrFifos(), "FIFOs");
        Check.equal(2, attr.maxNumOfEncaps(), "encapsulations");
        Check.equal(1, attr.nicMacroIdx(), "macro");
        Check.equal(0, attr.nicPhysPortIdx(), "its port");
        Check.require(!card.dv.queryPort(INTERNAL).advanced(), "advanced");
        Check.equal(1, card.dv.queryPort(INTERNAL).nicPhysPortIdx(), "the macro's port");
    }

    private void fifos() {
        HblUsrFifo fifo = card.dv.createUsrFifo(new HblUsrFifoAttr()
                .portNum(EXTERNAL)
                .numHint(9)
                .type(HblUsrFifoTypes.CC)
                .baseSobAddr(0)
                .dirDupMask(0x5a));
        ByteBuffer in = log.last("hbldv_create_usr_fifo", "in");
        Check.equal(24, in.capacity(), "length");
        Check.equal(EXTERNAL, in.getInt(0), "port");
        Check.equal(9, in.getInt(12), "hint");
        Check.equal(1, in.getInt(16), "type");
        Check.equal(0x5a, in.get(20), "mask");
        ByteBuffer out = log.last("hbldv_create_usr_fifo", "out");
        Check.equal(9, fifo.num(), "number");
        Check.equal(out.getLong(0), fifo.ciCpuAddr(), "index");
        Check.equal(out.getLong(8) + out.getInt(16), fifo.regsCpuAddr(), "registers");
        Check.equal(512, fifo.size(), "size");
        Check.equal(256, fifo.bpThresh(), "threshold");
        Check.fails(
                Errno.EBUSY,
                "",
                () -> card.dv.createUsrFifo(
                        new HblUsrFifoAttr().portNum(EXTERNAL).numHint(9)));
        fifo.close();
        fifo.close();
        card.dv.createUsrFifo(new HblUsrFifoAttr().portNum(EXTERNAL).numHint(9)).close();
        HblUsrFifoAttr shipped = new HblUsrFifoAttr().portNum(EXTERNAL).type(HblUsrFifoTypes.COLL_LAG);
        HblUsrFifoAttr late = new HblUsrFifoAttr().portNum(EXTERNAL).type(HblUsrFifoTypes.LAG_COMPLETION);
        Check.fails(
                layout == 0 ? Errno.ENOSYS : Errno.EOPNOTSUPP,
                layout == 0 ? "1.16" : "",
                () -> card.dv.createUsrFifo(shipped));
        Check.fails(
                layout < 3 ? Errno.ENOSYS : Errno.EOPNOTSUPP,
                layout == 0 ? "1.16" : layout < 3 ? "1.18" : "",
                () -> card.dv.createUsrFifo(late));
    }

    private void encapsulations() {
        HblEncapAttr attr = new HblEncapAttr()
                .portNum(EXTERNAL)
                .type(HblEncapTypes.OVER_UDP)
                .header(new byte[] {1, 2, 3, 4, 5, 6, 7, 8})
                .ipv4Addr(0x01020304)
                .udpDstPort(0x1122);
        HblEncap encap = card.dv.createEncap(attr);
        ByteBuffer in = log.last("hbldv_create_encap", "in");
        Check.equal(32, in.capacity(), "length");
        Check.require(in.getLong(0) != 0, "no header");
        Check.equal(8, in.getInt(8), "length of the header");
        Check.equal(0x01020304, in.getInt(12), "address");
        Check.equal(EXTERNAL, in.getInt(16), "port");
        Check.equal(0x1122, in.getShort(20), "UDP port");
        Check.equal(2, in.getInt(24), "type");
        HblEncap second = card.dv.createEncap(attr.header(null));
        Check.equal(0, log.last("hbldv_create_encap", "in").getLong(0), "header");
        Check.equal(encap.encapNum() + 1, second.encapNum(), "number");
        Check.fails(Errno.ENOSPC, "", () -> card.dv.createEncap(attr));
        Check.fails(Errno.EINVAL, "36 bytes", () -> card.dv.createEncap(attr.header(new byte[36])));
        Check.fails(Errno.EINVAL, "6 bytes", () -> card.dv.createEncap(attr.header(new byte[6])));
        encap.close();
        second.close();
        Check.fails(
                Errno.EINVAL, "", () -> card.dv.createEncap(attr.header(null).portNum(INTERNAL)));
    }

    private void completionQueue() {
        CompletionQueue cq = card.cq(EXTERNAL);
        ByteBuffer in = log.last("hbldv_create_cq", "in");
        Check.equal(8, in.capacity(), "length");
        Check.equal(EXTERNAL, in.get(0), "port");
        Check.equal(0, in.getInt(4), "type");
        Check.equal(4096, card.dv.queryCq(cq).cqSize(), "bytes");
        ByteBuffer out = log.last("hbldv_query_cq", "out");
        Check.equal(out.getLong(8), card.dv.queryCq(cq).memCpuAddr(), "ring");
        Check.equal(out.getLong(16), card.dv.queryCq(cq).piCpuAddr(), "index");
        Check.equal(out.getLong(24), card.dv.queryCq(cq).regsCpuAddr(), "registers");
        Check.equal(out.getInt(36), card.dv.queryCq(cq).cqNum(), "number");
        Check.equal(out.getInt(40), card.dv.queryCq(cq).regsOffset(), "offset");
        cq.close();
        Check.fails(Errno.EINVAL, "closed", () -> card.dv.queryCq(cq));
    }

    private ByteBuffer modified() {
        ByteBuffer in = log.last("hbldv_modify_qp", "in");
        Check.equal(layout < 4 ? 48 : 56, in.capacity(), "length");
        return in;
    }

    /** Uses the external port, whose elements may have 64 bytes. */
    private void queuePair(GaudiCard peer) {
        CompletionQueue cq = card.cq(EXTERNAL);
        QueuePair qp = card.qp(cq);
        qp.modify(GaudiCard.init(EXTERNAL));
        Check.equal(HblWqTypes.WRITE, modified().getInt(28), "usual type");
        Check.equal(0, modified().getInt(32), "usual length of elements");
        Check.equal(0, modified().get(36), "no priority yet");
        qp.modify(GaudiCard.with(GaudiCard.init(EXTERNAL), new HblQpAttr().wqGranularity(HblGranularities.BYTES_64)));
        Check.equal(HblWqTypes.WRITE, modified().getInt(28), "type");
        Check.equal(HblGranularities.BYTES_64, modified().getInt(32), "length of elements");
        qp.modify(GaudiCard.with(
                GaudiCard.rtr(peer, EXTERNAL, 1),
                new HblQpAttr().localKey(0x0a0b0c0d).remoteKey(7).priority(2)));
        Check.equal(0, modified().getLong(0), "caps to another card");
        Check.equal(0x0a0b0c0d, modified().getInt(8), "local key");
        Check.equal(0, modified().getInt(12), "no remote key yet");
        Check.equal(2, modified().get(36), "priority");
        qp.modify(GaudiCard.with(
                GaudiCard.rts(),
                new HblQpAttr()
                        .caps(HblQpCaps.CONG_CTRL)
                        .localKey(7)
                        .remoteKey(0x01020304)
                        .congestionWnd(24)
                        .destWqSize(64)));
        ByteBuffer rts = modified();
        Check.equal(HblQpCaps.CONG_CTRL, rts.getLong(0), "caps");
        Check.equal(0, rts.getInt(8), "no local key any more");
        Check.equal(0x01020304, rts.getInt(12), "remote key");
        Check.equal(24, rts.getInt(16), "window");
        Check.equal(64, rts.getInt(24), "length of the peer's ring");
        Check.equal(1, rts.get(36), "usual priority");
        Check.equal(
                log.last("hbldv_query_qp", "out").getLong(8),
                card.dv.queryQp(qp).swqCpuAddr(),
                "ring");
        Check.equal(
                log.last("hbldv_query_qp", "out").getLong(16),
                card.dv.queryQp(qp).rwqCpuAddr(),
                "ring of receives");
        qp.close();
        QueuePair self = card.qp(cq);
        self.modify(GaudiCard.init(EXTERNAL));
        self.modify(GaudiCard.rtr(card, EXTERNAL, self.qpNum()));
        Check.equal(HblQpCaps.LOOPBACK, modified().getLong(0), "caps to itself");
        Check.equal(0, modified().get(36), "no priority yet");
        self.close();
        cq.close();
    }

    private void noCollectives() {
        Check.fails(Errno.ENOSYS, "1.16", () -> card.dv.reserveCollQps(card.pd, false, 0, 0, TimeUnit.SECONDS));
        Check.fails(Errno.ENOSYS, "1.16", () -> card.dv.reserveCollSchedResources());
        CompletionQueue cq = card.cq(INTERNAL);
        QueuePair qp = card.qp(cq);
        QueuePair other = card.qp(cq);
        Check.fails(Errno.ENOSYS, "1.19", () -> card.dv.migrateQp(qp, other));
        HblQpAttr collective = new HblQpAttr().caps(HblQpCaps.COLL).qpNumHint(1);
        Check.fails(Errno.ENOSYS, "1.16", () -> qp.modify(GaudiCard.with(GaudiCard.init(INTERNAL), collective)));
        qp.close();
        other.close();
        cq.close();
    }
}
