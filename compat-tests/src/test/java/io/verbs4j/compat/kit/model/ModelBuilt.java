/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit.model;

import io.verbs4j.Errno;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.SendBuilder;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Reads what builders have collected: either a whole batch is valid, or nothing of it is posted. */
final class ModelBuilt {
    private final ModelQp qp;

    /** With a fault: refused requests that wait for the next batch. */
    private final List<Send> refused = new ArrayList<>();

    private boolean used;

    ModelBuilt(ModelQp qp) {
        this.qp = qp;
    }

    /** Puts the requests to post into a list, which stays empty if they are refused. Returns 0 or an errno. */
    int read(SendBuilder built, List<Send> batch) {
        int count = built.count();
        if (Fault.BUILT_ONE_MORE.on() && !used && count == 1) {
            count++;
        }
        used = true;
        int error = 0;
        SendWorkRequest first = null;
        for (int i = 0; i < count && error == 0; i++) {
            SendWorkRequest wr = built.request(i);
            if (wr == null) {
                return Errno.ENOMEM;
            }
            if (first == null) {
                first = copy(wr);
            } else {
                mixUp(first, wr);
            }
            error = check(built, i, wr, batch.size());
            if (error == 0) {
                batch.add(new Send(wrong(wr, count)));
            }
        }
        return error == 0 ? accepted(batch) : refused(batch, error);
    }

    private int accepted(List<Send> batch) {
        batch.addAll(0, refused);
        refused.clear();
        if (Fault.BUILT_BACKWARDS.on() && batch.size() == 3) {
            Collections.reverse(batch);
        }
        return 0;
    }

    private int refused(List<Send> batch, int error) {
        boolean keep = error == Errno.EINVAL ? Fault.BUILT_HIDES_FIRST.on() : Fault.BUILT_FULL_HIDES.on();
        if (Fault.BUILT_REFUSED_BINDS.on()) {
            batch.stream().filter(send -> send.bind != null).forEach(send -> send.bind.posted());
        }
        if (Fault.BUILT_KEEPS_REFUSED.on()) {
            refused.addAll(batch);
        }
        boolean silent = Fault.BUILT_REFUSES_SILENTLY.on() && !batch.isEmpty() && error == Errno.EINVAL;
        if (!keep) {
            batch.clear();
        }
        return silent ? 0 : error == Errno.ENOMEM && Fault.BUILT_FULL_EAGAIN.on() ? Errno.EAGAIN : error;
    }

    private int check(SendBuilder built, int i, SendWorkRequest wr, int before) {
        if (qp.type() == QpType.XRC_SEND && !built.namesSrq(i) && !Fault.BUILT_NO_SRQ.on()) {
            return Errno.EINVAL;
        }
        if (Fault.BUILT_IN_ERR_EINVAL.on() && qp.state() == QpState.ERR) {
            return Errno.EINVAL;
        }
        if (Fault.BUILT_INLINE_ANY_LENGTH.on() && built.isInline(i)) {
            return 0;
        }
        if (Fault.BUILT_EARLY.on() && qp.state() == QpState.INIT) {
            return 0;
        }
        if (Fault.BUILT_UD_WRITES.on() && qp.type() == QpType.UD) {
            wr.opcode(WrOpcode.SEND);
        }
        if (Fault.BUILT_NO_ADDRESS.on() && qp.type() == QpType.UD && !built.isAddressed(i)) {
            return 0;
        }
        int full = Fault.BUILT_FULL_EARLY.on() && before == 3 ? 1 : 0;
        int error = qp.check(wr, before + full);
        return error == Errno.EOPNOTSUPP && Fault.BUILT_UNKNOWN_EINVAL.on() ? Errno.EINVAL : error;
    }

    /** Copies the fields of the first request that the faults pass on to others. */
    private static SendWorkRequest copy(SendWorkRequest wr) {
        return new SendWorkRequest()
                .sendFlags(wr.sendFlags())
                .immData(wr.immData())
                .remoteQpn(wr.remoteQpn())
                .remoteQkey(wr.remoteQkey())
                .remoteSrqn(wr.remoteSrqn())
                .compareAdd(wr.compareAdd())
                .atomicWriteValue(wr.atomicWriteValue())
                .flushType(wr.flushType())
                .flushLevel(wr.flushLevel())
                .flushLength(wr.flushLength())
                .compareAddMask(wr.compareAddMask())
                .waitCount(wr.waitCount())
                .sgList(Receives.copy(wr.sgList(), wr.numSge()));
    }

    /** Gives a request the fields of the first one of the batch. */
    private static void mixUp(SendWorkRequest first, SendWorkRequest wr) {
        if (Fault.BUILT_FLAGS_OF_FIRST.on()) {
            wr.sendFlags(first.sendFlags());
        }
        if (Fault.BUILT_PIECES_OF_FIRST.on() && wr.numSge() > 1 && wr.opcode() != WrOpcode.REG_MR) {
            wr.sgList(first.sgList());
        }
        if (Fault.BUILT_IMMEDIATE_OF_FIRST.on()) {
            wr.immData(first.immData());
        }
        if (Fault.BUILT_ADDRESS_OF_FIRST.on()) {
            wr.remoteQpn(first.remoteQpn());
        }
        if (Fault.BUILT_QKEY_OF_FIRST.on()) {
            wr.remoteQkey(first.remoteQkey());
        }
        if (Fault.BUILT_SRQ_OF_FIRST.on()) {
            wr.remoteSrqn(first.remoteSrqn());
        }
        if (Fault.BUILT_OPERAND_OF_FIRST.on()
                && (wr.opcode() == WrOpcode.ATOMIC_CMP_AND_SWP || wr.opcode() == WrOpcode.ATOMIC_FETCH_AND_ADD)) {
            wr.compareAdd(first.compareAdd());
        }
        if (Fault.BUILT_MASK_OF_FIRST.on()) {
            wr.compareAddMask(first.compareAddMask());
        }
        if (Fault.BUILT_VALUE_OF_FIRST.on()) {
            wr.atomicWriteValue(first.atomicWriteValue());
        }
        if (Fault.BUILT_FLUSH_OF_FIRST.on()) {
            wr.flushLevel(first.flushLevel());
        }
        if (Fault.BUILT_COUNT_OF_FIRST.on()) {
            wr.waitCount(first.waitCount());
        }
    }

    /** Applies the faults that concern a single request. */
    private SendWorkRequest wrong(SendWorkRequest wr, int count) {
        int opcode = wr.opcode();
        if (Fault.BUILT_CUTS.on() && wr.numSge() == 1 && wr.sgList()[0].length() == Fabric.MTU) {
            wr.sgList()[0].length(Fabric.MTU - 1);
        }
        if (Fault.BUILT_ONE_PIECE.on() && wr.numSge() > 1 && opcode != WrOpcode.REG_MR) {
            wr.sgList(wr.sgList(), 1);
        }
        if (Fault.BUILT_INLINE_LATER.on()) {
            wr.sendFlags(wr.sendFlags() & ~SendFlags.INLINE);
        }
        if (Fault.BUILT_UNSOLICITED.on()) {
            wr.sendFlags(wr.sendFlags() & ~SendFlags.SOLICITED);
        }
        if (Fault.BUILT_SIGNALS_ALL.on()) {
            wr.sendFlags(wr.sendFlags() | SendFlags.SIGNALED);
        }
        if (Fault.BUILT_SWAPS_IMMEDIATE.on()) {
            wr.immData(Integer.reverseBytes(wr.immData()));
        }
        if (Fault.BUILT_BINDS_FROM_START.on() && opcode == WrOpcode.BIND_MW) {
            wr.mwBind().addr(wr.mwBind().mr().addr());
        }
        if (Fault.BUILT_SENDS_KEEP_KEY.on() && opcode == WrOpcode.SEND_WITH_INV) {
            wr.opcode(WrOpcode.SEND);
        }
        if (Fault.BUILT_KEY_READ_ONLY.on() && opcode == WrOpcode.REG_MR) {
            wr.fastRegister().access(0);
        }
        if (Fault.BUILT_KEY_ONE_PIECE.on() && opcode == WrOpcode.REG_MR) {
            wr.sgList(wr.sgList(), 1);
        }
        if (Fault.BUILT_READS_KEEP_KEY.on() && opcode == WrOpcode.RDMA_READ_WITH_INV) {
            wr.opcode(WrOpcode.RDMA_READ);
        }
        if (Fault.BUILT_NOP_LOST.on() && opcode == WrOpcode.NOP && count > 1) {
            wr.sendFlags(0);
        }
        return wr;
    }
}
