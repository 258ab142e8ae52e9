/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.qp;

import io.verbs4j.Errno;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpType;
import io.verbs4j.SendBuilder;
import io.verbs4j.WrOpcode;
import io.verbs4j.provider.rxe.memory.Domains;
import io.verbs4j.provider.rxe.queue.CrossRequest;
import io.verbs4j.provider.rxe.queue.ScatterList;
import io.verbs4j.provider.rxe.queue.SendWqe;

/**
 * Checks send requests before they are posted. A check changes nothing that a program can see, so a request that passed
 * need not be posted. Guarded by the send lock.
 */
final class SendChecks implements SendWqe.InlineReader {
    private static final int MAX_SRQ_NUM = 0xff_ffff;

    private final QpSending qp;
    private final ProtectionDomain pd;
    private final int qpType;

    SendChecks(QpSending qp) {
        this.qp = qp;
        this.pd = qp.pd();
        this.qpType = qp.qpType();
    }

    /** Checks what is specific to builders; returns 0 or an errno. */
    int checkBuilt(SendBuilder built, int i) {
        boolean lacksAddress = qpType == QpType.UD && !built.isAddressed(i);
        if (lacksAddress || qpType == QpType.XRC_SEND && !built.namesSrq(i)) {
            return Errno.EINVAL;
        }
        return built.isVendorAddressed(i) ? Errno.EOPNOTSUPP : 0;
    }

    /** Checks a request and copies its inline data; returns 0 or an errno. */
    int check(SendWqe wqe) {
        int opcode = wqe.opcode;
        if (CrossRequest.isOne(opcode)) {
            return checkCross(wqe);
        }
        if (!qp.has(wqe.op)
                || (wqe.sendFlags & ~SendOps.FLAGS) != 0
                || opcode == WrOpcode.BIND_MW && !SendOps.bindsByRequest(qpType)) {
            return Errno.EOPNOTSUPP;
        }
        if (wqe.isLocal()) {
            return !wqe.data.isEmpty() ? Errno.EINVAL : checkLocal(wqe);
        }
        if (!isValid(wqe)) {
            return Errno.EINVAL;
        }
        int error = wqe.isAnswered() ? AnsweredSends.check(wqe, qp.settings().maxRdAtomic) : 0;
        return error == 0 && !wqe.copyInline(this) ? Errno.EINVAL : error;
    }

    private static int checkLocal(SendWqe wqe) {
        return switch (wqe.opcode) {
            case WrOpcode.BIND_MW -> wqe.bind.check();
            case WrOpcode.REG_MR -> wqe.register.check();
            default -> 0;
        };
    }

    private int checkCross(SendWqe wqe) {
        boolean has = qp.mayCross() && qp.has(CrossChannel.operation(wqe.opcode));
        return !has || (wqe.sendFlags & ~SendOps.FLAGS) != 0
                ? Errno.EOPNOTSUPP
                : qp.crossChannel().check(wqe);
    }

    /** Returns whether a request is valid whose operation the queue pair supports. */
    private boolean isValid(SendWqe wqe) {
        long size = wqe.data.total();
        if (size > RxeQp.MAX_MESSAGE) {
            return false;
        }
        if (qpType == QpType.UD) {
            return wqe.ah instanceof RxeAddressHandle ah
                    && size <= ah.av.maxPayload()
                    && !ah.av.isClosed()
                    && Domains.root(ah.pd()) == pd;
        }
        return qpType != QpType.XRC_SEND || (wqe.remoteSrqn & ~MAX_SRQ_NUM) == 0;
    }

    @Override
    public boolean read(ScatterList from, long to) {
        return from.gather(qp.keys(), pd, 0, to, from.total()) == ScatterList.OK;
    }
}
