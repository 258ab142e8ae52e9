/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package witness;

import io.verbs4j.AccessFlags;
import io.verbs4j.Errno;
import io.verbs4j.FastRegister;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcOpcode;
import io.verbs4j.WrOpcode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The operations of level 3, and memory that is not the program's. */
final class MemoryLoop extends XrcOps.XrcLoop {
    static final long OPERATIONS = QpCreateSendOps.RDMA_WRITE
            | QpCreateSendOps.SEND
            | QpCreateSendOps.LOCAL_INV
            | QpCreateSendOps.FLUSH
            | QpCreateSendOps.ATOMIC_WRITE
            | QpCreateSendOps.REG_MR
            | QpCreateSendOps.RDMA_READ_WITH_INV
            | QpCreateSendOps.NOP
            | QpCreateSendOps.MASKED_ATOMIC_CMP_AND_SWP
            | QpCreateSendOps.MASKED_ATOMIC_FETCH_AND_ADD;

    private static final int TAG_BITS = 8;

    /** A key without memory. */
    Mr key(ProtectionDomain pd) {
        return put(new Mr(pd, 0, ByteBuffer.allocate(0), 0, nextNumber() << TAG_BITS));
    }

    /** Zeros, whatever is written there. */
    Mr nothing(ProtectionDomain pd) {
        return put(new Mr(pd, 0, null, AccessFlags.LOCAL_WRITE, nextNumber()));
    }

    @Override
    int later(SendWorkRequest wr) {
        return switch (wr.opcode()) {
            case WrOpcode.NOP -> 0;
            case WrOpcode.LOCAL_INV -> invalidate(wr.invalidateRkey());
            case WrOpcode.REG_MR -> register(wr);
            case WrOpcode.RDMA_READ_WITH_INV -> {
                ScatterGatherElement into = wr.sgList()[0];
                at(into.lkey(), into.addr(), into.length()).put(at(wr.rkey(), wr.remoteAddr(), into.length()));
                yield invalidate(into.lkey());
            }
            case WrOpcode.ATOMIC_WRITE -> {
                number(wr.rkey(), wr.remoteAddr()).putLong(0, wr.atomicWriteValue());
                yield 0;
            }
            case WrOpcode.FLUSH -> (region(wr.rkey()).access() & AccessFlags.FLUSH_GLOBAL) == 0 ? Errno.EINVAL : 0;
            case WrOpcode.MASKED_ATOMIC_CMP_AND_SWP, WrOpcode.MASKED_ATOMIC_FETCH_AND_ADD -> atomic(wr);
            default -> super.later(wr);
        };
    }

    private int atomic(SendWorkRequest wr) {
        ByteBuffer there = number(wr.rkey(), wr.remoteAddr());
        long before = there.getLong(0);
        boolean same = ((before ^ wr.compareAdd()) & wr.compareAddMask()) == 0;
        if (wr.opcode() == WrOpcode.MASKED_ATOMIC_FETCH_AND_ADD) {
            there.putLong(0, before + wr.compareAdd()); // as one field
        } else if (same) {
            there.putLong(0, before & ~wr.swapMask() | wr.swap() & wr.swapMask());
        }
        number(wr.sgList()[0].lkey(), wr.sgList()[0].addr()).putLong(0, before);
        return 0;
    }

    private ByteBuffer number(int key, long addr) {
        return at(key, addr, Long.BYTES).order(ByteOrder.nativeOrder());
    }

    /** One piece is enough here. */
    private int register(SendWorkRequest wr) {
        FastRegister made = wr.fastRegister();
        ScatterGatherElement piece = wr.sgList()[0];
        ByteBuffer memory = at(piece.lkey(), piece.addr(), piece.length());
        put(new Mr(made.mr().pd(), made.addr(), memory, made.access(), made.key()));
        return 0;
    }

    private int invalidate(int key) {
        return forgetKey(key) ? 0 : Errno.EINVAL;
    }

    @Override
    int completed(int opcode) {
        return switch (opcode) {
            case WrOpcode.NOP -> WcOpcode.NOP;
            case WrOpcode.LOCAL_INV -> WcOpcode.LOCAL_INV;
            case WrOpcode.REG_MR -> WcOpcode.REG_MR;
            case WrOpcode.RDMA_READ_WITH_INV -> WcOpcode.RDMA_READ;
            case WrOpcode.ATOMIC_WRITE -> WcOpcode.ATOMIC_WRITE;
            case WrOpcode.FLUSH -> WcOpcode.FLUSH;
            case WrOpcode.MASKED_ATOMIC_CMP_AND_SWP -> WcOpcode.MASKED_COMP_SWAP;
            case WrOpcode.MASKED_ATOMIC_FETCH_AND_ADD -> WcOpcode.MASKED_FETCH_ADD;
            default -> super.completed(opcode);
        };
    }
}
