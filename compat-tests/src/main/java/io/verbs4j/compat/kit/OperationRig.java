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
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.VerbsException;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;

/** Operations that are not declared. See {@link OperationRules}. */
final class OperationRig extends Rig {
    private static final int INLINE = 8;
    static final long NO_OPERATION = 1L << 40;

    OperationRig(ProviderKit kit) {
        super(kit);
    }

    /** A window for a device that declares none. */
    private static final class NoWindow extends MemoryWindow {
        NoWindow(ProtectionDomain pd) {
            super(pd, MwType.TYPE_1, 0);
        }
    }

    void unstated(boolean stated, int opcode, String words) {
        if (!stated) {
            String call = "postSend of " + WrOpcode.toString(opcode) + " (" + words + ")";
            Seen.errno(call, Errno.EOPNOTSUPP, a.qp.postSend(a.wr(opcode, 1)));
        }
    }

    void bindNothing() {
        MwBind bind = new MwBind().mr(a.mr).addr(a.mr.addr()).length(8);
        Seen.errno("bindMw(null, ...)", Errno.EINVAL, a.qp.bindMw(null, bind));
        Seen.errno(
                "bindMw (Capability.MEMORY_WINDOWS is not declared)",
                Errno.EOPNOTSUPP,
                a.qp.bindMw(new NoWindow(a.pd), bind));
    }

    void inline() {
        if (!has(Capability.SEND) && !has(Capability.RDMA_WRITE)) {
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
                room >= INLINE == has(Capability.INLINE),
                "createQp gave room for " + room + " bytes of inline data after a request for 8, although "
                        + stated(Capability.INLINE));
        if (!has(Capability.INLINE)) {
            SendWorkRequest wr = a.operation(b, 1, 0, 0, INLINE).sendFlags(SendFlags.INLINE);
            Seen.check(
                    a.qp.postSend(wr) != 0,
                    "postSend with the flag INLINE returned 0, although Capability.INLINE is not declared");
        }
    }

    /** Checks that a send without a receive does not wait for one if the device has no such waiting. */
    void notReady() {
        start();
        a.post(a.wr(WrOpcode.SEND, 1, a.sge(0, 10)));
        a.pause();
        if (a.cq.poll(1, new WorkCompletion[] {new WorkCompletion()}) == 0) {
            b.qp.postRecv(b.receive(2, 0, 10));
            b.pause();
            WorkCompletion[] wc = {new WorkCompletion()};
            boolean waited = b.cq.poll(1, wc) == 1 && wc[0].status() == WcStatus.SUCCESS;
            Seen.check(!waited, "a send waited for its receive, although Capability.RNR is not declared");
        }
    }

    QpInitAttrEx with(long operations) {
        return QpInitAttrEx.of(a.pd, a.qpInit()).sendOpsFlags(operations);
    }

    void refused(long operations) {
        Seen.refuses(
                "createQpEx with sendOpsFlags " + QpCreateSendOps.toString(operations)
                        + ", which capabilities() does not declare,",
                () -> opened(a.context.createQpEx(with(operations))),
                Errno.EOPNOTSUPP);
    }
}
