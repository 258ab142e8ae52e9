/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import static io.verbs4j.compat.kit.OperationRig.NO_OPERATION;
import static io.verbs4j.compat.kit.Unknown.NO_OPCODE;

import io.verbs4j.Errno;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QueuePair;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.VerbsLevel;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;

/** R2 again: like {@link DeclaredRules}, for posted operations. */
interface OperationRules {
    @Rule(
            id = "R2.14",
            says = "what is posted is what the kit is told the device has; else it answers EOPNOTSUPP",
            look = {"QueuePair.postSend", "QueuePair.postRecv", "QueuePair.bindMw"},
            man = "the Javadoc of QueuePair.postSend and of Capability",
            needs = Capability.RC)
    default void r214Operations(OperationRig rig) {
        rig.make(s -> {});
        Seen.errno("postSend of operation 99 in state RESET", Errno.EINVAL, rig.a.qp.postSend(rig.a.wr(NO_OPCODE, 1)));
        Side.connect(rig.a, rig.b);
        SendWorkRequest unknown = rig.a.request(NO_OPCODE, rig.b, 1, 0, rig.a.sge(0, 8));
        Seen.errno("postSend of operation 99", Errno.EOPNOTSUPP, rig.a.qp.postSend(unknown));
        for (Operation operation : Operation.values()) {
            if (rig.hasReceives()) {
                rig.b.recv(1, 100, 100);
            }
            SendWorkRequest wr = rig.a.request(operation.opcode, rig.b, 1, 64, rig.a.sge(0, 8));
            int answer = rig.a.qp.postSend(wr);
            String call = "postSend of " + operation + " (" + operation.stated(rig) + ")";
            if (!operation.isStated(rig)) {
                Seen.errno(call, Errno.EOPNOTSUPP, answer);
            } else {
                Seen.errno(call, 0, answer);
                rig.a.next(1, WcStatus.SUCCESS);
            }
        }
        if (!rig.hasReceives()) {
            Seen.errno(
                    "postRecv (Capability.SEND is not declared)",
                    Errno.EOPNOTSUPP,
                    rig.a.qp.postRecv(rig.a.receive(1, 0, 10)));
        }
        if (!rig.has(Capability.MEMORY_WINDOWS)) {
            rig.bindNothing();
        }
        if (rig.kit.level() >= VerbsLevel.COMPLETIONS) {
            rig.unstated(
                    rig.has(Capability.TYPE_2_WINDOWS), WrOpcode.BIND_MW, "Capability.TYPE_2_WINDOWS is not declared");
            rig.unstated(
                    rig.has(Capability.TYPE_2_WINDOWS) || rig.has(Capability.FAST_REGISTER),
                    WrOpcode.LOCAL_INV,
                    "neither Capability.TYPE_2_WINDOWS nor Capability.FAST_REGISTER is declared");
            rig.unstated(
                    rig.has(Capability.SEND_WITH_INV),
                    WrOpcode.SEND_WITH_INV,
                    "Capability.SEND_WITH_INV is not declared");
        }
        rig.inline();
        if (rig.has(Capability.SEND) && !rig.has(Capability.RNR)) {
            rig.notReady();
        }
    }

    @Rule(
            id = "R2.20",
            says = "operations that will be posted are judged when the queue pair is made",
            look = {"the function in the slot CREATE_QP_EX"},
            man = "ibv_create_qp_ex(3) (send_ops_flags), and the Javadoc of QpInitAttrEx.sendOpsFlags",
            needs = {Capability.RC, Capability.EXTENDED, Capability.SEND_OPS})
    default void r220SendOps(OperationRig rig) {
        rig.make(s -> {});
        QueuePair qp = rig.opened(rig.a.context.createQpEx(rig.with(Operation.allStated(rig))));
        for (Operation operation : Operation.values()) {
            if (!operation.isStated(rig)) {
                rig.refused(operation.bit);
            }
        }
        long others = QpCreateSendOps.BIND_MW | QpCreateSendOps.LOCAL_INV | QpCreateSendOps.SEND_WITH_INV;
        for (long bit = 1; bit != 0; bit <<= 1) {
            if ((others & ~Operation.allStated(rig) & bit) != 0) {
                rig.refused(bit);
            }
        }
        rig.refused(NO_OPERATION);
        rig.a.qp = qp;
        rig.b.qp = rig.opened(rig.b.context.createQpEx(
                QpInitAttrEx.of(rig.b.pd, rig.b.qpInit()).sendOpsFlags(Operation.allStated(rig))));
        Side.connect(rig.a, rig.b);
        rig.a.exchange(rig.b, 1, 0, 0, 100);
    }
}
