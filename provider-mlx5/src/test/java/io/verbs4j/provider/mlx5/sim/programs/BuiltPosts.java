/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendBuilder;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;
import java.util.Random;

/** Posts work requests through a builder, choosing at random where it has two ways. */
final class BuiltPosts {
    private final QueuePair qp;
    private final SendBuilder builder;
    private final Random random = new Random(1);

    BuiltPosts(QueuePair qp) {
        this.qp = qp;
        this.builder = qp.builder();
    }

    int post(SendWorkRequest first) {
        builder.start();
        for (SendWorkRequest wr = first; wr != null; wr = wr.next()) {
            add(wr);
        }
        return builder.complete();
    }

    private void add(SendWorkRequest wr) {
        boolean inline = (wr.sendFlags() & SendFlags.INLINE) != 0 && wr.numSge() != 0;
        if (wr.numSge() == 1 && !inline && qp.qpType() != QpType.UD && random.nextBoolean() && addWhole(wr)) {
            return;
        }
        begin(wr);
        if (qp.qpType() == QpType.UD) {
            builder.udAddr(wr.ah(), wr.remoteQpn(), wr.remoteQkey());
        }
        for (int i = 0; i < wr.numSge(); i++) {
            ScatterGatherElement e = wr.sgList()[i];
            if (inline) {
                builder.inlineData(e.lkey(), e.addr(), e.length());
            } else {
                builder.sge(e.lkey(), e.addr(), e.length());
            }
        }
    }

    private boolean addWhole(SendWorkRequest wr) {
        ScatterGatherElement e = wr.sgList()[0];
        switch (wr.opcode()) {
            case WrOpcode.RDMA_WRITE ->
                builder.write(wr.wrId(), wr.sendFlags(), wr.rkey(), wr.remoteAddr(), e.lkey(), e.addr(), e.length());
            case WrOpcode.RDMA_READ ->
                builder.read(wr.wrId(), wr.sendFlags(), wr.rkey(), wr.remoteAddr(), e.lkey(), e.addr(), e.length());
            case WrOpcode.SEND -> builder.send(wr.wrId(), wr.sendFlags(), e.lkey(), e.addr(), e.length());
            default -> {
                return false;
            }
        }
        return true;
    }

    private void begin(SendWorkRequest wr) {
        long id = wr.wrId();
        int flags = wr.sendFlags() & ~SendFlags.INLINE;
        int rkey = wr.rkey();
        long addr = wr.remoteAddr();
        switch (wr.opcode()) {
            case WrOpcode.RDMA_WRITE -> builder.write(id, flags, rkey, addr);
            case WrOpcode.RDMA_WRITE_WITH_IMM -> builder.writeWithImm(id, flags, rkey, addr, wr.immData());
            case WrOpcode.RDMA_READ -> builder.read(id, flags, rkey, addr);
            case WrOpcode.SEND -> builder.send(id, flags);
            case WrOpcode.SEND_WITH_IMM -> builder.sendWithImm(id, flags, wr.immData());
            case WrOpcode.ATOMIC_CMP_AND_SWP ->
                builder.atomicCompareSwap(id, flags, rkey, addr, wr.compareAdd(), wr.swap());
            case WrOpcode.ATOMIC_FETCH_AND_ADD -> builder.atomicFetchAdd(id, flags, rkey, addr, wr.compareAdd());
            case WrOpcode.SEND_WITH_INV -> builder.sendWithInv(id, flags, wr.invalidateRkey());
            case WrOpcode.LOCAL_INV -> builder.localInv(id, flags, wr.invalidateRkey());
            case WrOpcode.NOP -> builder.nop(id, flags);
            case WrOpcode.MASKED_ATOMIC_CMP_AND_SWP ->
                builder.maskedCompareSwap(
                        id,
                        flags,
                        rkey,
                        addr,
                        wr.atomicWidth(),
                        wr.compareAdd(),
                        wr.swap(),
                        wr.compareAddMask(),
                        wr.swapMask());
            case WrOpcode.MASKED_ATOMIC_FETCH_AND_ADD ->
                builder.maskedFetchAdd(id, flags, rkey, addr, wr.atomicWidth(), wr.compareAdd(), wr.compareAddMask());
            case WrOpcode.BIND_MW -> builder.bindMw(id, flags, wr.mw(), wr.mwRkey(), wr.mwBind());
            default -> throw new IllegalArgumentException(WrOpcode.toString(wr.opcode()));
        }
    }
}
