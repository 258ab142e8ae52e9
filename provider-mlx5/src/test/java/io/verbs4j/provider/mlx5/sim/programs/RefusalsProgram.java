/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import static io.verbs4j.rdmacore.sim.Check.require;

import io.verbs4j.Errno;
import io.verbs4j.FlushLevel;
import io.verbs4j.FlushType;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqInitAttr;
import io.verbs4j.WrOpcode;
import io.verbs4j.rdmacore.sim.Simulator;
import java.nio.ByteBuffer;

/**
 * A program for a simulated device: each request that a post refuses has an explanation with the right words, and each
 * one that it accepts has none. Argument: the data path.
 */
public final class RefusalsProgram {
    private final Mlx5Rig rig;
    private final QueuePair qp;
    private int refused;

    private RefusalsProgram(Mlx5Rig rig) {
        this.rig = rig;
        this.qp = rig.qp;
    }

    public static void main(String... args) {
        try (Mlx5Rig rig = new Mlx5Rig("mlx5_0", args[0], QpType.RC, ByteBuffer.allocateDirect(8192))) {
            RefusalsProgram test = new RefusalsProgram(rig);
            test.inline();
            test.elements();
            test.operations();
            test.ignoredCapacities();
            Simulator.pump();
            Simulator.requireNoViolation();
            System.out.println("explained " + test.refused + " refusals");
        }
    }

    private ScatterGatherElement element(int length) {
        return ScatterGatherElement.of(rig.mr, 0, 0).length(length);
    }

    private SendWorkRequest send(int flags, ScatterGatherElement... list) {
        return request(WrOpcode.SEND, flags, list);
    }

    private SendWorkRequest request(int opcode, int flags, ScatterGatherElement... list) {
        return new SendWorkRequest()
                .opcode(opcode)
                .sendFlags(flags)
                .sgList(list)
                .remoteAddr(rig.mr.addr())
                .rkey(rig.mr.rkey());
    }

    private void refuses(int errno, String words, SendWorkRequest wr) {
        String told = qp.explain(wr);
        int error = qp.postSend(wr);
        require(error == errno, words + ": the post returned " + error + ", explained as " + told);
        require(told != null && told.contains(words), "explained as " + told + ", not by " + words);
        refused++;
    }

    private void takes(SendWorkRequest wr) {
        String told = qp.explain(wr);
        require(told == null, told);
        require(qp.postSend(wr) == 0, "a post was refused");
    }

    private void inline() {
        int inline = SendFlags.SIGNALED | SendFlags.INLINE;
        takes(send(inline, element(16)));
        refuses(Errno.EINVAL, "lkey 0x0", send(inline, element(16).lkey(0)));
        refuses(Errno.EINVAL, "not in memory", send(inline, element(16).addr(rig.mr.addr() + 8190)));
        refuses(Errno.EINVAL, "INLINE", send(inline, element(4096)));
        takes(send(inline, element(0).lkey(0).addr(0)));
        try (ProtectionDomain other = rig.context.allocPd();
                MemoryRegion foreign = other.regMr(ByteBuffer.allocateDirect(64), Mlx5Rig.ACCESS)) {
            refuses(Errno.EINVAL, "protection domain with lkey", send(inline, ScatterGatherElement.of(foreign, 0, 8)));
        }
    }

    private void elements() {
        refuses(Errno.EINVAL, "length", send(0, element(-1)));
        refuses(Errno.EINVAL, "is null", send(0, element(1), null));
        refuses(Errno.EINVAL, "numSge", send(0).sgList(new ScatterGatherElement[] {element(1)}, 2));
        refuses(Errno.EINVAL, "cap.maxSendSge", send(0, element(1), element(1), element(1), element(1)));
        refuses(Errno.EOPNOTSUPP, "sendFlags", send(1 << 10, element(1)));
    }

    private void operations() {
        refuses(
                Errno.EOPNOTSUPP,
                "opcode is FLUSH",
                request(WrOpcode.FLUSH, 0, element(1))
                        .flushType(FlushType.GLOBAL)
                        .flushLevel(FlushLevel.RANGE));
        refuses(Errno.EOPNOTSUPP, "opcode is ATOMIC_WRITE", request(WrOpcode.ATOMIC_WRITE, 0, element(1)));
        refuses(
                Errno.EOPNOTSUPP,
                "opcode is CQE_WAIT",
                request(WrOpcode.CQE_WAIT, 0, element(1)).waitCq(rig.cq));
        refuses(
                Errno.EOPNOTSUPP,
                "opcode is SEND_ENABLE",
                request(WrOpcode.SEND_ENABLE, 0, element(1)).enableQp(rig.qp));
        refuses(Errno.EINVAL, "no data", request(WrOpcode.LOCAL_INV, 0, element(1)));
    }

    /** With a shared receive queue, the capacities of receives are ignored. */
    private void ignoredCapacities() {
        try (SharedReceiveQueue srq =
                rig.pd.createSrq(new SrqInitAttr().attr(new SrqAttr().maxWr(8).maxSge(1)))) {
            QpInitAttr attr = Mlx5Rig.attr(QpType.RC, rig.cq, srq);
            attr.cap().maxRecvWr(Integer.MAX_VALUE).maxRecvSge(1000);
            rig.pd.createQp(attr).close();
            require(
                    attr.cap().maxRecvWr() == 0,
                    "receives of its own: " + attr.cap().maxRecvWr());
        }
    }
}
