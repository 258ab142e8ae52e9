/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.Errno;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.MwType;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QueuePair;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;

/** R2 again: as {@link DeclaredRules}, of what is posted. */
abstract class OperationRules extends DeclaredRules {
    private static final int NO_OPCODE = 99;
    private static final int INLINE = 8;
    private static final long NO_OPERATION = 1L << 40;

    /** For {@link ProviderKit}. */
    OperationRules() {}

    /** Handed to a device that says it has none. */
    private static final class NoWindow extends MemoryWindow {
        NoWindow(ProtectionDomain pd) {
            super(pd, MwType.TYPE_1, 0);
        }
    }

    @Rule(
            id = "R2.14",
            says = "what is posted is what the kit is told the device has; else it answers EOPNOTSUPP",
            look = {"QueuePair.postSend", "QueuePair.postRecv", "QueuePair.bindMw"},
            man = "the Javadoc of QueuePair.postSend, and the has... methods of the kit",
            needs = Capability.RC)
    final void r214Operations() {
        make(s -> {});
        Seen.errno("postSend of operation 99 in state RESET", Errno.EINVAL, a.qp.postSend(a.wr(NO_OPCODE, 1)));
        Side.connect(a, b);
        SendWorkRequest unknown = a.request(NO_OPCODE, b, 1, 0, a.sge(0, 8));
        Seen.errno("postSend of operation 99", Errno.EOPNOTSUPP, a.qp.postSend(unknown));
        for (Operation operation : Operation.values()) {
            if (hasReceives()) {
                b.recv(1, 100, 100);
            }
            SendWorkRequest wr = a.request(operation.opcode, b, 1, 64, a.sge(0, 8));
            int answer = a.qp.postSend(wr);
            String call = "postSend of " + operation + ", where " + operation.methods() + " says "
                    + operation.isStated(this) + ",";
            if (!operation.isStated(this)) {
                Seen.errno(call, Errno.EOPNOTSUPP, answer);
            } else {
                Seen.errno(call, 0, answer);
                a.next(1, WcStatus.SUCCESS);
            }
        }
        if (!hasReceives()) {
            Seen.errno("postRecv, where hasSend() says false,", Errno.EOPNOTSUPP, a.qp.postRecv(a.receive(1, 0, 10)));
        }
        if (!hasMemoryWindows()) {
            bindNothing();
        }
        if (level() >= VerbsLevel.COMPLETIONS) {
            unstated(hasTypeTwoWindows(), WrOpcode.BIND_MW, "hasTypeTwoWindows()");
            unstated(
                    hasTypeTwoWindows() || hasFastRegister(),
                    WrOpcode.LOCAL_INV,
                    "hasTypeTwoWindows() or hasFastRegister()");
            unstated(hasSendWithInvalidate(), WrOpcode.SEND_WITH_INV, "hasSendWithInvalidate()");
        }
        inline();
        if (hasSend() && !hasRnr()) {
            notReady();
        }
    }

    private void unstated(boolean stated, int opcode, String method) {
        if (!stated) {
            String call = "postSend of " + WrOpcode.toString(opcode) + ", where " + method + " says false,";
            Seen.errno(call, Errno.EOPNOTSUPP, a.qp.postSend(a.wr(opcode, 1)));
        }
    }

    private void bindNothing() {
        MwBind bind = new MwBind().mr(a.mr).addr(a.mr.addr()).length(8);
        Seen.errno("bindMw(null, ...)", Errno.EINVAL, a.qp.bindMw(null, bind));
        Seen.errno(
                "bindMw, where hasMemoryWindows() says false,",
                Errno.EOPNOTSUPP,
                a.qp.bindMw(new NoWindow(a.pd), bind));
    }

    private void inline() {
        if (!hasSend() && !hasRdmaWrite()) {
            return;
        }
        QpInitAttr attr = a.qpInit();
        attr.cap().maxInlineData(INLINE);
        int room;
        try {
            opened(a.pd.createQp(attr));
            room = attr.cap().maxInlineData();
        } catch (VerbsException e) {
            room = 0;
        }
        Seen.check(
                room >= INLINE == hasInline(),
                "createQp gave room for " + room + " bytes of inline data where 8 were asked for, and hasInline() says "
                        + hasInline());
        if (!hasInline()) {
            SendWorkRequest wr = a.operation(b, 1, 0, 0, INLINE).sendFlags(SendFlags.INLINE);
            Seen.check(a.qp.postSend(wr) != 0, "postSend with the flag INLINE returned 0, and hasInline() says false");
        }
    }

    /** A send without a receive must not wait for one on a device that has no such waiting. */
    private void notReady() {
        start();
        a.post(a.wr(WrOpcode.SEND, 1, a.sge(0, 10)));
        a.pause();
        if (a.cq.poll(1, new WorkCompletion[] {new WorkCompletion()}) == 0) {
            b.qp.postRecv(b.receive(2, 0, 10));
            b.pause();
            WorkCompletion[] wc = {new WorkCompletion()};
            boolean waited = b.cq.poll(1, wc) == 1 && wc[0].status() == WcStatus.SUCCESS;
            Seen.check(!waited, "a send has waited for its receive, and hasRnr() says false");
        }
    }

    @Rule(
            id = "R2.20",
            says = "operations that will be posted are judged when the queue pair is made",
            look = {"the function in the slot CREATE_QP_EX"},
            man = "ibv_create_qp_ex(3) (send_ops_flags), and the Javadoc of QpInitAttrEx.sendOpsFlags",
            needs = {Capability.RC, Capability.EXTENDED, Capability.SEND_OPS})
    final void r220SendOps() {
        make(s -> {});
        QueuePair qp = opened(a.context.createQpEx(with(Operation.stated(this))));
        for (Operation operation : Operation.values()) {
            if (!operation.isStated(this)) {
                refused(operation.bit);
            }
        }
        long others = QpCreateSendOps.BIND_MW | QpCreateSendOps.LOCAL_INV | QpCreateSendOps.SEND_WITH_INV;
        for (long bit = 1; bit != 0; bit <<= 1) {
            if ((others & ~Operation.stated(this) & bit) != 0) {
                refused(bit);
            }
        }
        refused(NO_OPERATION);
        a.qp = qp;
        b.qp = opened(b.context.createQpEx(QpInitAttrEx.of(b.pd, b.qpInit()).sendOpsFlags(Operation.stated(this))));
        Side.connect(a, b);
        a.exchange(b, 1, 0, 0, 100);
    }

    private QpInitAttrEx with(long operations) {
        return QpInitAttrEx.of(a.pd, a.qpInit()).sendOpsFlags(operations);
    }

    private void refused(long operations) {
        Seen.refuses(
                "createQpEx with sendOpsFlags " + QpCreateSendOps.toString(operations)
                        + ", which the device is not said to have,",
                () -> opened(a.context.createQpEx(with(operations))),
                Errno.EOPNOTSUPP);
    }
}
