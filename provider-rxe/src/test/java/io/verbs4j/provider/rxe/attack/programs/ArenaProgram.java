/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.attack.programs;

import io.verbs4j.AccessFlags;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.core.Verbs;
import io.verbs4j.rdmacore.sim.QpWalk;
import io.verbs4j.testsupport.program.ForeignArena;
import java.nio.ByteBuffer;

/** Registers the memory of an arena, closes the arena, and lets a peer write to it. */
public final class ArenaProgram {
    private static final int BYTES = 1 << 20;
    private static final int ACCESS = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE;

    private ArenaProgram() {}

    public static void main(String[] args) throws Exception {
        for (ForeignArena.Kind kind : new ForeignArena.Kind[] {ForeignArena.Kind.SHARED, ForeignArena.Kind.CONFINED}) {
            ForeignArena arena = new ForeignArena(kind);
            ByteBuffer target = arena.allocate(BYTES);
            try {
                attack(kind, arena, target);
            } catch (VerbsException e) {
                System.out.println(kind + " " + e.getMessage());
            }
            System.out.println(kind + (arena.close() == null ? " is closed" : " can't be closed"));
        }
    }

    private static void attack(ForeignArena.Kind kind, ForeignArena arena, ByteBuffer buffer) throws Exception {
        try (Context context = Verbs.open(Verbs.devices().get(0), VerbsLevel.CURRENT);
                ProtectionDomain pd = context.allocPd();
                MemoryRegion target = pd.regMr(buffer, ACCESS);
                MemoryRegion source = pd.regMr(ByteBuffer.allocateDirect(BYTES), 0);
                CompletionQueue cq = context.createCq(16);
                QueuePair left = pd.createQp(attr(cq));
                QueuePair right = pd.createQp(attr(cq))) {
            connect(context, left, right);
            connect(context, right, left);
            System.out.println(kind + (arena.close() == null ? " was closed" : " was kept open"));
            left.postSend(new SendWorkRequest()
                    .opcode(WrOpcode.RDMA_WRITE)
                    .sendFlags(SendFlags.SIGNALED)
                    .sgList(ScatterGatherElement.of(source))
                    .remoteAddr(target.addr())
                    .rkey(target.rkey()));
            WorkCompletion[] wc = {new WorkCompletion()};
            while (cq.poll(1, wc) == 0) {
                Thread.onSpinWait();
            }
            System.out.println(kind + " " + WcStatus.toString(wc[0].status()));
        }
    }

    private static QpInitAttr attr(CompletionQueue cq) {
        return new QpInitAttr()
                .qpType(QpType.RC)
                .sendCq(cq)
                .recvCq(cq)
                .cap(new QpCap().maxSendWr(16).maxRecvWr(16).maxSendSge(1).maxRecvSge(1));
    }

    private static void connect(Context context, QueuePair qp, QueuePair peer) {
        QpWalk.of(QpType.RC).access(ACCESS).timeout(16).connect(qp, QpWalk.path(context.queryGid(1, 0)), peer.qpNum());
    }
}
