/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import static io.verbs4j.rdmacore.sim.Check.require;

import io.verbs4j.AccessFlags;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.FastRegister;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MrKeyInitAttr;
import io.verbs4j.MwBind;
import io.verbs4j.MwType;
import io.verbs4j.QpCap;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqInitAttrEx;
import io.verbs4j.SrqType;
import io.verbs4j.WcFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.XrcDomain;
import io.verbs4j.XrcdInitAttr;
import io.verbs4j.XrcdOpenFlags;
import io.verbs4j.rdmacore.sim.Simulator;
import java.nio.ByteBuffer;

/**
 * A program for a simulated device: invalidates keys on UC and through XRC_SEND as far as packets for it exist.
 * Operations that {@code queryDeviceEx} lists are posted, and others are refused. Argument: the data path.
 */
public final class InvalidationsProgram {
    private static final int FEW = 8;

    private final WorkCompletion[] wc = {new WorkCompletion()};

    private InvalidationsProgram() {}

    public static void main(String... args) {
        InvalidationsProgram test = new InvalidationsProgram();
        test.unreliable(args[0]);
        test.extended(args[0]);
        Simulator.requireNoViolation();
        System.out.println("invalidations by " + args[0]);
    }

    private static SendWorkRequest request(int opcode, int rkey) {
        return new SendWorkRequest()
                .opcode(opcode)
                .sendFlags(SendFlags.SIGNALED)
                .invalidateRkey(rkey);
    }

    private void done(CompletionQueue cq, int status, int opcode) {
        Simulator.pump();
        require(cq.poll(1, wc) == 1, "no completion");
        require(wc[0].status() == status, "" + wc[0]);
        require(status != WcStatus.SUCCESS || wc[0].opcode() == opcode, "" + wc[0]);
    }

    private static void refused(QueuePair qp, SendWorkRequest wr) {
        String told = qp.explain(wr);
        require(qp.postSend(wr) == Errno.EOPNOTSUPP, "the post was not refused");
        require(told != null && told.contains(WrOpcode.toString(wr.opcode())), "explained as " + told);
        long has = qp.context().queryDeviceEx().sendOps(qp.qpType());
        require((has & QpCreateSendOps.of(wr.opcode())) == 0, "listed, and refused: " + wr);
    }

    private static void listed(Context context, int type, int opcode) {
        long has = context.queryDeviceEx().sendOps(type);
        require((has & QpCreateSendOps.of(opcode)) != 0, "not listed: " + WrOpcode.toString(opcode));
    }

    private void unreliable(String path) {
        try (Mlx5Rig rig = new Mlx5Rig("mlx5_0", path, QpType.UC, ByteBuffer.allocateDirect(4096));
                MemoryRegion mr = rig.pd.regMr(ByteBuffer.allocateDirect(64), Mlx5Rig.ACCESS | AccessFlags.MW_BIND);
                MemoryWindow mw = rig.pd.allocMw(MwType.TYPE_2)) {
            listed(rig.context, QpType.UC, WrOpcode.LOCAL_INV);
            for (int i = 0; i < 3; i++) { // a bound window cannot be bound again
                SendWorkRequest bind = request(WrOpcode.BIND_MW, 0)
                        .mw(mw)
                        .mwRkey(MemoryWindow.incRkey(mw.rkey()))
                        .mwBind(new MwBind()
                                .mr(mr)
                                .addr(mr.addr())
                                .length(FEW)
                                .mwAccessFlags(AccessFlags.REMOTE_WRITE));
                require(rig.qp.postSend(bind) == 0, "the bind was refused");
                done(rig.cq, WcStatus.SUCCESS, WcOpcode.BIND_MW);
                SendWorkRequest takesBack = request(WrOpcode.LOCAL_INV, mw.rkey());
                require(rig.qp.explain(takesBack) == null, rig.qp.explain(takesBack));
                require(rig.qp.postSend(takesBack) == 0, "the invalidation was refused");
                done(rig.cq, WcStatus.SUCCESS, WcOpcode.LOCAL_INV);
            }
            refused(rig.qp, request(WrOpcode.SEND_WITH_INV, 1).sgList(ScatterGatherElement.of(rig.mr, 0, FEW)));
        }
    }

    private void extended(String path) {
        try (Mlx5Rig rig = new Mlx5Rig("mlx5_0", path, QpType.RC, ByteBuffer.allocateDirect(4096));
                XrcDomain domain =
                        rig.context.openXrcd(new XrcdInitAttr().file(null).oflags(XrcdOpenFlags.CREAT));
                SharedReceiveQueue srq = rig.context.createSrqEx(new SrqInitAttrEx()
                        .attr(new SrqAttr().maxWr(8).maxSge(1))
                        .srqType(SrqType.XRC)
                        .pd(rig.pd)
                        .cq(rig.peerCq)
                        .xrcd(domain));
                QueuePair to = rig.context.createQpEx(
                        new QpInitAttrEx().qpType(QpType.XRC_RECV).xrcd(domain));
                QueuePair from = rig.context.createQpEx(new QpInitAttrEx()
                        .qpType(QpType.XRC_SEND)
                        .pd(rig.pd)
                        .sendCq(rig.cq)
                        .cap(new QpCap().maxSendWr(8).maxSendSge(1)))) {
            Mlx5Rig.connect(from, rig.path(), to.qpNum(), Mlx5Rig.WITHOUT_END);
            Mlx5Rig.connect(to, rig.path(), from.qpNum(), Mlx5Rig.WITHOUT_END);
            listed(rig.context, QpType.XRC_SEND, WrOpcode.SEND_WITH_INV);
            refused(from, request(WrOpcode.LOCAL_INV, 1));
            boolean hasKeys = (rig.context.queryDeviceEx().sendOpsRc() & QpCreateSendOps.REG_MR) != 0;
            require(hasKeys == path.equals("java"), "keys: " + hasKeys);
            if (hasKeys) {
                takesBackKey(rig, srq, from);
            }
            message(rig, srq, from, 0x7777); // an unknown key
            done(rig.cq, WcStatus.REM_ACCESS_ERR, WcOpcode.SEND);
        }
    }

    private static void message(Mlx5Rig rig, SharedReceiveQueue srq, QueuePair from, int key) {
        require(srq.postRecv(new RecvWorkRequest().sgList(ScatterGatherElement.of(rig.mr, 0, FEW))) == 0, "receive");
        SendWorkRequest wr = request(WrOpcode.SEND_WITH_INV, key)
                .remoteSrqn(srq.srqNum())
                .sgList(ScatterGatherElement.of(rig.mr, FEW, FEW));
        require(from.explain(wr) == null, from.explain(wr));
        require(from.postSend(wr) == 0, "the message was refused");
    }

    private void takesBackKey(Mlx5Rig rig, SharedReceiveQueue srq, QueuePair from) {
        try (MemoryRegion key = rig.pd.allocMrKey(new MrKeyInitAttr().maxEntries(4))) {
            SendWorkRequest register = request(WrOpcode.REG_MR, 0)
                    .fastRegister(new FastRegister()
                            .mr(key)
                            .key(MemoryWindow.incRkey(key.rkey()))
                            .access(Mlx5Rig.ACCESS)
                            .addr(rig.mr.addr()))
                    .sgList(ScatterGatherElement.of(rig.mr, 0, FEW));
            require(rig.qp.postSend(register) == 0, "the registration was refused");
            done(rig.cq, WcStatus.SUCCESS, WcOpcode.REG_MR);
            int rkey = key.rkey();
            message(rig, srq, from, rkey);
            done(rig.cq, WcStatus.SUCCESS, WcOpcode.SEND);
            done(rig.peerCq, WcStatus.SUCCESS, WcOpcode.RECV);
            require((wc[0].wcFlags() & WcFlags.WITH_INV) != 0, "" + wc[0]);
            require(wc[0].invalidatedRkey() == rkey, "another key was invalidated: " + wc[0]);
        }
    }
}
