/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.sim.programs;

import io.verbs4j.CompletionQueue;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.efadv.EfaCompletionQueue;
import io.verbs4j.efadv.EfaCqInitAttr;
import io.verbs4j.efadv.EfaDeviceAttr;
import io.verbs4j.efadv.EfaDeviceCap;
import io.verbs4j.efadv.EfaDv;
import io.verbs4j.efadv.EfaQpFlags;
import io.verbs4j.efadv.EfaQpInitAttr;
import io.verbs4j.efadv.EfaWcFlags;
import io.verbs4j.efadv.EfaWorkQueue;
import io.verbs4j.rdmacore.sim.Check;

/** Checks what EFA has beyond the verbs in each release. Argument: the release. */
public final class DirectVerbsProgram {
    private DirectVerbsProgram() {}

    public static void main(String... args) {
        int release = Integer.parseInt(args[0]);
        try (EfaRig rig = new EfaRig(QpType.DRIVER)) {
            EfaDv efa = rig.context.vendor(EfaDv.class);
            Check.require(efa == rig.context.vendor(EfaDv.class), "the same object at each call");
            Check.require(EfaDv.isSupported(rig.context.device()), "an EFA is supported");
            device(efa, release);
            rings(rig, efa, release);
            depths(efa, release);
            interconnects(rig, efa, release);
            senders(rig, efa, release);
            flags(rig, release);
        }
        System.out.println("direct ok");
    }

    private static void device(EfaDv efa, int release) {
        EfaDeviceAttr attr = efa.queryDevice();
        System.out.println("device " + attr);
        Check.require((attr.deviceCaps() & EfaDeviceCap.RDMA_READ) != 0, "it reads");
        Check.equal(
                release >= 46 ? EfaDeviceCap.RDMA_WRITE : 0, attr.deviceCaps() & EfaDeviceCap.RDMA_WRITE, "it writes");
        Check.equal(32, attr.inlineBufSize(), "inline data");
        Check.equal(release >= 63 ? 80 : 0, attr.inlineBufSizeEx(), "more inline data");
    }

    private static void rings(EfaRig rig, EfaDv efa, int release) {
        if (release < 59) {
            Check.fails(Errno.ENOSYS, "it came with rdma-core 59", () -> efa.querySendQueue(rig.qp));
            Check.fails(Errno.ENOSYS, "it came with rdma-core 59", () -> efa.queryCq(rig.sends));
            return;
        }
        EfaWorkQueue sends = efa.querySendQueue(rig.qp);
        EfaWorkQueue receives = efa.queryReceiveQueue(rig.qp);
        EfaCompletionQueue cq = efa.queryCq(rig.sends);
        Check.equal(64, sends.entrySize(), "size of a send");
        Check.equal(EfaRig.DEPTH, sends.numEntries(), "sends");
        Check.equal(16, receives.entrySize(), "size of an element of a receive");
        Check.equal(2 * EfaRig.DEPTH, receives.numEntries(), "elements of receives");
        Check.equal(256, cq.numEntries(), "completions");
        Check.equal(32, cq.entrySize(), "size of a completion");
        Check.require(sends.buffer() != 0 && sends.doorbell() != 0 && sends.maxBatch() > 0, "" + sends);
        Check.require(receives.buffer() != 0 && receives.doorbell() != 0 && cq.buffer() != 0, receives + " " + cq);
    }

    private static void depths(EfaDv efa, int release) {
        Check.fails(Errno.EINVAL, "maxRecvSge is 0", () -> efa.maxReceiveQueueDepth(0));
        if (release < 63) {
            Check.fails(Errno.ENOSYS, "it came with rdma-core 63", () -> efa.maxSendQueueDepth(0, 1, 1, 32));
            Check.fails(Errno.ENOSYS, "it came with rdma-core 63", () -> efa.maxReceiveQueueDepth(1));
            return;
        }
        int narrow = efa.maxSendQueueDepth(0, 1, 1, 32);
        int wide = efa.maxSendQueueDepth(0, 1, 1, 33);
        Check.require(narrow > 0 && wide * 2 <= narrow * 2 && wide <= narrow, narrow + " and " + wide);
        int one = efa.maxReceiveQueueDepth(1);
        Check.equal(one / 2, efa.maxReceiveQueueDepth(2), "receives of two elements");
    }

    private static void interconnects(EfaRig rig, EfaDv efa, int release) {
        if (release < 50) {
            Check.fails(Errno.ENOSYS, "it came with rdma-core 50", () -> efa.queryMr(rig.mr));
        } else {
            try {
                System.out.println("interconnects " + efa.queryMr(rig.mr));
            } catch (io.verbs4j.VerbsException e) {
                Check.equal(Errno.EOPNOTSUPP, e.errno(), "the simulator has none");
            }
        }
    }

    /** The sender's GID is reported if there is no address handle for it. */
    private static void senders(EfaRig rig, EfaDv efa, int release) {
        CqInitAttrEx attr = new CqInitAttrEx().cqe(16).vendor(new EfaCqInitAttr().wcFlags(EfaWcFlags.SGID));
        if (release < 43) {
            Check.fails(Errno.ENOSYS, "it came with rdma-core 43", () -> rig.context.createCqEx(attr));
            return;
        }
        try (CompletionQueue cq = rig.context.createCqEx(attr);
                io.verbs4j.ProtectionDomain elsewhere = rig.context.allocPd();
                io.verbs4j.MemoryRegion mr =
                        elsewhere.regMr(java.nio.ByteBuffer.allocateDirect(64), io.verbs4j.AccessFlags.LOCAL_WRITE);
                QueuePair receiver = elsewhere.createQp(rig.attr(QpType.DRIVER).recvCq(cq))) {
            EfaRig.ready(receiver);
            byte[] gid = new byte[Gid.LENGTH];
            Check.fails(Errno.EINVAL, "gid has 4 bytes", () -> efa.readSgid(cq, new byte[4]));
            Check.fails(Errno.EINVAL, "no current completion", () -> efa.readSgid(cq, gid));
            Check.equal(
                    0,
                    receiver.postRecv(
                            new io.verbs4j.RecvWorkRequest()
                                    .wrId(5)
                                    .sgList(new io.verbs4j.ScatterGatherElement()
                                            .addr(mr.addr())
                                            .length(64)
                                            .lkey(mr.lkey())),
                            null),
                    "errno of the receive");
            rig.post(rig.send(1, rig.at(0, 64)).remoteQpn(receiver.qpNum()));
            rig.next(rig.sends);
            Check.equal(0, cq.startPoll(null), "errno of startPoll");
            Check.equal(5, cq.wrId(), "id");
            Check.require(efa.readSgid(cq, gid), "the sender has a GID");
            Check.require(rig.context.queryGid(1, 0).equals(Gid.of(gid)), "the sender's GID is reported");
            if (release >= 52) {
                Check.fails(Errno.EINVAL, "EfaCqInitAttr.wcFlags", () -> efa.isUnsolicited(cq));
            }
            cq.endPoll();
        }
    }

    private static void flags(EfaRig rig, int release) {
        QpInitAttrEx attr = QpInitAttrEx.of(rig.pd, rig.attr(QpType.DRIVER))
                .vendor(new EfaQpInitAttr()
                        .flags(EfaQpFlags.UNSOLICITED_WRITE_RECV)
                        .sl(8));
        QpInitAttrEx level = QpInitAttrEx.of(rig.pd, rig.attr(QpType.DRIVER)).vendor(new EfaQpInitAttr().sl(8));
        if (release < 55) {
            Check.fails(Errno.EOPNOTSUPP, "sl 8 (55)", () -> rig.context.createQpEx(attr));
            Check.fails(Errno.EOPNOTSUPP, "sl 8 (55)", () -> rig.context.createQpEx(level));
        } else {
            rig.context.createQpEx(attr).close();
        }
    }
}
