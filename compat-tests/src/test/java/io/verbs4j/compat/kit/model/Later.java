/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit.model;

import io.verbs4j.AccessFlags;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Errno;
import io.verbs4j.FastRegister;
import io.verbs4j.QueuePair;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcOpcode;
import io.verbs4j.WrOpcode;
import io.verbs4j.compat.kit.Capability;

/** The state of a send that level 3 added, and the operations of that level. */
final class Later {
    final long compareAddMask;
    final long swapMask;
    final int width;
    final long value;
    final int flushType;
    final int flushLevel;
    final long flushLength;
    final CompletionQueue cq;
    final QueuePair qp;
    final int count;
    final int invalidate;
    final LaterMemory.Key key;
    final int newKey;
    final int access;
    final long addr;

    /** The invalidated key. */
    int invalidated;

    /** With a fault: it was carried out when posted. */
    boolean done;

    private final int opcode;

    Later(SendWorkRequest wr) {
        opcode = wr.opcode();
        compareAddMask = wr.compareAddMask();
        swapMask = wr.swapMask();
        width = wr.atomicWidth() == 0 ? Long.BYTES : wr.atomicWidth();
        value = wr.atomicWriteValue();
        flushType = wr.flushType();
        flushLevel = wr.flushLevel();
        flushLength = wr.flushLength();
        cq = wr.waitCq();
        qp = wr.enableQp();
        count = wr.waitCount();
        invalidate = wr.invalidateRkey();
        FastRegister register = wr.fastRegister();
        key = register != null && register.mr() instanceof LaterMemory.Key own ? own : null;
        newKey = register == null ? 0 : register.key();
        access = register == null ? 0 : register.access();
        addr = register == null ? 0 : register.addr();
    }

    static boolean isThere(int opcode) {
        return switch (opcode) {
            case WrOpcode.ATOMIC_WRITE -> Traits.has(Capability.ATOMIC_WRITE);
            case WrOpcode.FLUSH -> Traits.has(Capability.FLUSH);
            case WrOpcode.MASKED_ATOMIC_CMP_AND_SWP, WrOpcode.MASKED_ATOMIC_FETCH_AND_ADD ->
                Traits.has(Capability.MASKED_ATOMICS);
            case WrOpcode.REG_MR, WrOpcode.LOCAL_INV -> Traits.has(Capability.FAST_REGISTER);
            case WrOpcode.RDMA_READ_WITH_INV -> Traits.has(Capability.READ_WITH_INV);
            case WrOpcode.NOP -> Traits.has(Capability.NOP);
            case WrOpcode.CQE_WAIT, WrOpcode.SEND_ENABLE, WrOpcode.RECV_ENABLE -> Traits.has(Capability.CROSS_CHANNEL);
            default -> false;
        };
    }

    /** Whether an operation does not involve the other side. */
    static boolean isLocal(int opcode) {
        return opcode == WrOpcode.LOCAL_INV
                || opcode == WrOpcode.REG_MR
                || opcode >= WrOpcode.NOP && opcode <= WrOpcode.RECV_ENABLE;
    }

    static int wcOpcode(int opcode) {
        return switch (opcode) {
            case WrOpcode.ATOMIC_WRITE -> WcOpcode.ATOMIC_WRITE;
            case WrOpcode.FLUSH -> Fault.FLUSH_TELLS_WRITE.on() ? WcOpcode.RDMA_WRITE : WcOpcode.FLUSH;
            case WrOpcode.MASKED_ATOMIC_CMP_AND_SWP -> WcOpcode.MASKED_COMP_SWAP;
            case WrOpcode.MASKED_ATOMIC_FETCH_AND_ADD -> WcOpcode.MASKED_FETCH_ADD;
            case WrOpcode.LOCAL_INV -> WcOpcode.LOCAL_INV;
            case WrOpcode.REG_MR -> WcOpcode.REG_MR;
            case WrOpcode.RDMA_READ_WITH_INV -> WcOpcode.RDMA_READ;
            case WrOpcode.NOP -> WcOpcode.NOP;
            case WrOpcode.TSO -> WcOpcode.TSO;
            case WrOpcode.CQE_WAIT -> WcOpcode.CQE_WAIT;
            case WrOpcode.SEND_ENABLE -> WcOpcode.SEND_ENABLE;
            case WrOpcode.RECV_ENABLE -> WcOpcode.RECV_ENABLE;
            default -> WcOpcode.SEND;
        };
    }

    /** {@return the errno of an invalid request when it is posted; 0 if it is valid} */
    static int check(SendWorkRequest wr, ModelQp qp) {
        boolean dataless = isLocal(wr.opcode()) && wr.opcode() != WrOpcode.REG_MR
                || wr.opcode() == WrOpcode.ATOMIC_WRITE
                || wr.opcode() == WrOpcode.FLUSH;
        if (dataless && wr.numSge() != 0) {
            return Errno.EINVAL;
        }
        boolean right = switch (wr.opcode()) {
            case WrOpcode.REG_MR -> registers(wr);
            case WrOpcode.RDMA_READ_WITH_INV -> wr.numSge() == 1 || wr.numSge() == 2 && Fault.READS_INTO_TWO.on();
            case WrOpcode.CQE_WAIT ->
                qp.extras.crosses && (wr.waitCq() != null || Fault.WAITS_FOR_NOTHING.on()) && wr.waitCount() > 0;
            case WrOpcode.SEND_ENABLE, WrOpcode.RECV_ENABLE -> enables(wr, qp);
            default -> true;
        };
        return right ? 0 : Errno.EINVAL;
    }

    private static boolean registers(SendWorkRequest wr) {
        FastRegister register = wr.fastRegister();
        if (register == null || !(register.mr() instanceof LaterMemory.Key key) || wr.numSge() == 0) {
            return false;
        }
        boolean writes = (register.access() & (AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_ATOMIC)) != 0;
        return (wr.numSge() <= key.maxEntries || Fault.KEY_ANY_COUNT.on())
                && ((register.key() ^ key.lkey()) >>> Byte.SIZE == 0 || Fault.KEY_ANY_NUMBER.on())
                && (!writes || (register.access() & AccessFlags.LOCAL_WRITE) != 0);
    }

    private static boolean enables(SendWorkRequest wr, ModelQp qp) {
        if (!qp.extras.crosses || wr.enableQp() == null || wr.waitCount() < 0) {
            return false;
        }
        QpExtras whom = ModelQp.of(wr.enableQp()).extras;
        boolean managed = wr.opcode() == WrOpcode.SEND_ENABLE ? whom.managedSend : whom.managedRecv;
        return managed || Fault.ENABLES_UNMANAGED.on();
    }

    /** Called when the request is posted. */
    void posted() {
        if (opcode == WrOpcode.REG_MR && !LaterMemory.keepsNumber(newKey)) {
            LaterMemory.show(key, newKey);
        }
        if (opcode == WrOpcode.LOCAL_INV && Fault.INVALIDATES_AT_POST.on()) {
            done = LaterMemory.invalidate(invalidate, false);
        }
    }
}
