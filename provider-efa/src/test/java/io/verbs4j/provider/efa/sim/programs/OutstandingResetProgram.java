/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.sim.programs;

import io.verbs4j.CompletionQueue;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.Errno;
import io.verbs4j.QpAttr;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.WcExFlags;
import io.verbs4j.WorkCompletion;
import io.verbs4j.rdmacore.sim.Check;
import io.verbs4j.rdmacore.sim.Simulator;

/**
 * Resets a queue pair with outstanding requests, over and over, and uses it in between: nothing from before a RESET may
 * arrive afterwards. Arguments: the path, and whether the device works by itself ("thread") or on command ("pump").
 */
public final class OutstandingResetProgram {
    private static final int ROUNDS = 100;

    private final WorkCompletion[] wc = {new WorkCompletion()};

    private OutstandingResetProgram() {}

    public static void main(String... args) {
        boolean java = args[0].equals("java");
        OutstandingResetProgram test = new OutstandingResetProgram();
        for (int type : new int[] {QpType.UD, QpType.DRIVER}) {
            try (EfaRig rig = new EfaRig(type)) {
                if (args[1].equals("thread")) {
                    test.overAndOver(rig, type, rig.sends, rig.receives);
                    CqInitAttrEx attr = new CqInitAttrEx().cqe(64).wcFlags(WcExFlags.STANDARD);
                    try (CompletionQueue cq = rig.context.createCqEx(attr)) {
                        test.overAndOver(rig, type, cq, cq);
                    }
                } else {
                    test.untold(rig, type, java);
                }
            }
        }
        System.out.println("reset ok");
    }

    private void overAndOver(EfaRig rig, int type, CompletionQueue sends, CompletionQueue receives) {
        QpInitAttr attr = rig.attr(type).sendCq(sends).recvCq(receives);
        try (QueuePair qp = rig.pd.createQp(attr)) {
            for (int round = 0; round < ROUNDS; round++) {
                EfaRig.ready(qp);
                int many = round % EfaRig.DEPTH;
                for (int i = 0; i < many; i++) {
                    post(rig, qp, round, i);
                }
                if (round % 3 == 0) {
                    sends.poll(1, wc);
                }
                if (round % 5 == 0) {
                    qp.modify(new QpAttr().qpState(QpState.ERR));
                }
                qp.modify(new QpAttr().qpState(QpState.RESET));
                Check.equal(0, sends.poll(1, wc), "sends from before RESET");
                Check.equal(0, receives.poll(1, wc), "receives from before RESET");
            }
        }
    }

    /** Posts to the queue pair itself: half of the messages find a receive. */
    private static void post(EfaRig rig, QueuePair qp, int round, int i) {
        if (i % 2 == 0) {
            RecvWorkRequest receive = new RecvWorkRequest().wrId(round).sgList(rig.at(EfaRig.SIZE, 64));
            Check.equal(0, qp.postRecv(receive, null), "errno of a receive");
        }
        Check.equal(0, qp.postSend(rig.send(round, rig.at(0, 8)).remoteQpn(qp.qpNum()), null), "errno of a send");
    }

    /** On a device that does not flush, RESET must wait for it if libefa's tables are used. */
    private void untold(EfaRig rig, int type, boolean java) {
        try (QueuePair qp = rig.pd.createQp(rig.attr(type))) {
            EfaRig.ready(qp);
            for (int i = 0; i < EfaRig.DEPTH; i++) {
                post(rig, qp, 0, i);
            }
            if (!java) {
                Check.fails(Errno.EBUSY, "24 requests", () -> qp.modify(new QpAttr().qpState(QpState.RESET)));
                Simulator.pump();
            }
            qp.modify(new QpAttr().qpState(QpState.RESET));
            EfaRig.ready(qp);
            for (int i = 0; i < EfaRig.DEPTH; i++) {
                post(rig, qp, i, i);
            }
            Simulator.pump();
            for (int i = 0; i < EfaRig.DEPTH / 2; i++) {
                Check.equal(1, rig.receives.poll(1, wc), "messages after RESET");
            }
        }
    }
}
