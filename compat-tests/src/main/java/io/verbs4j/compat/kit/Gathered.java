/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendBuilder;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;

/** Feeds work requests to a builder. */
final class Gathered {
    private Gathered() {}

    /** Builds a batch of these requests; returns the result of complete. */
    static int complete(SendBuilder builder, SendWorkRequest... batch) {
        builder.start();
        for (SendWorkRequest wr : batch) {
            add(builder, wr);
        }
        return builder.complete();
    }

    /** Posts a batch, which must succeed. */
    static void post(SendBuilder builder, SendWorkRequest... batch) {
        Seen.errno("complete of a batch of " + batch.length, 0, complete(builder, batch));
        Seen.equal("posted()", batch.length, builder.posted());
    }

    /** Adds a request, piece by piece. */
    static void add(SendBuilder builder, SendWorkRequest wr) {
        begin(builder, wr);
        addressed(builder, wr);
        if (wr.remoteSrqn() != 0) {
            builder.xrcSrqn(wr.remoteSrqn());
        }
        for (int i = 0; i < wr.numSge(); i++) {
            ScatterGatherElement e = wr.sgList()[i];
            if ((wr.sendFlags() & SendFlags.INLINE) != 0) {
                builder.inlineData(e.lkey(), e.addr(), e.length());
            } else {
                builder.sge(e.lkey(), e.addr(), e.length());
            }
        }
    }

    /** Adds a SEND, RDMA write or RDMA read of one element, in one call. */
    static void whole(SendBuilder builder, SendWorkRequest wr) {
        ScatterGatherElement e = wr.sgList()[0];
        long id = wr.wrId();
        int flags = wr.sendFlags() & ~SendFlags.INLINE;
        switch (wr.opcode()) {
            case WrOpcode.SEND -> builder.send(id, flags, e.lkey(), e.addr(), e.length());
            case WrOpcode.RDMA_WRITE ->
                builder.write(id, flags, wr.rkey(), wr.remoteAddr(), e.lkey(), e.addr(), e.length());
            default -> builder.read(id, flags, wr.rkey(), wr.remoteAddr(), e.lkey(), e.addr(), e.length());
        }
        addressed(builder, wr);
    }

    private static void addressed(SendBuilder builder, SendWorkRequest wr) {
        if (wr.ah() != null) {
            builder.udAddr(wr.ah(), wr.remoteQpn(), wr.remoteQkey());
        }
    }

    private static void begin(SendBuilder b, SendWorkRequest wr) {
        long id = wr.wrId();
        int flags = wr.sendFlags() & ~SendFlags.INLINE;
        int rkey = wr.rkey();
        long addr = wr.remoteAddr();
        switch (wr.opcode()) {
            case WrOpcode.RDMA_WRITE -> b.write(id, flags, rkey, addr);
            case WrOpcode.RDMA_WRITE_WITH_IMM -> b.writeWithImm(id, flags, rkey, addr, wr.immData());
            case WrOpcode.RDMA_READ -> b.read(id, flags, rkey, addr);
            case WrOpcode.RDMA_READ_WITH_INV -> b.readWithInv(id, flags, rkey, addr);
            case WrOpcode.SEND -> b.send(id, flags);
            case WrOpcode.SEND_WITH_IMM -> b.sendWithImm(id, flags, wr.immData());
            case WrOpcode.SEND_WITH_INV -> b.sendWithInv(id, flags, wr.invalidateRkey());
            case WrOpcode.ATOMIC_CMP_AND_SWP -> b.atomicCompareSwap(id, flags, rkey, addr, wr.compareAdd(), wr.swap());
            case WrOpcode.ATOMIC_FETCH_AND_ADD -> b.atomicFetchAdd(id, flags, rkey, addr, wr.compareAdd());
            case WrOpcode.LOCAL_INV -> b.localInv(id, flags, wr.invalidateRkey());
            case WrOpcode.BIND_MW -> b.bindMw(id, flags, wr.mw(), wr.mwRkey(), wr.mwBind());
            default -> beginLater(b, wr, id, flags, rkey, addr);
        }
    }

    private static void beginLater(SendBuilder b, SendWorkRequest wr, long id, int flags, int rkey, long addr) {
        int width = wr.atomicWidth();
        long number = wr.compareAdd();
        long mask = wr.compareAddMask();
        switch (wr.opcode()) {
            case WrOpcode.MASKED_ATOMIC_CMP_AND_SWP ->
                b.maskedCompareSwap(id, flags, rkey, addr, width, number, wr.swap(), mask, wr.swapMask());
            case WrOpcode.MASKED_ATOMIC_FETCH_AND_ADD -> b.maskedFetchAdd(id, flags, rkey, addr, width, number, mask);
            case WrOpcode.FLUSH -> b.flush(id, flags, rkey, addr, wr.flushLength(), wr.flushType(), wr.flushLevel());
            case WrOpcode.ATOMIC_WRITE -> b.atomicWrite(id, flags, rkey, addr, wr.atomicWriteValue());
            case WrOpcode.REG_MR -> b.regMr(id, flags, wr.fastRegister());
            case WrOpcode.NOP -> b.nop(id, flags);
            case WrOpcode.CQE_WAIT -> b.cqeWait(id, flags, wr.waitCq(), wr.waitCount());
            case WrOpcode.SEND_ENABLE -> b.sendEnable(id, flags, wr.enableQp(), wr.waitCount());
            case WrOpcode.RECV_ENABLE -> b.recvEnable(id, flags, wr.enableQp(), wr.waitCount());
            default -> throw new IllegalArgumentException(WrOpcode.toString(wr.opcode()));
        }
    }
}
