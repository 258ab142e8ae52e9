/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendBuilder;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;

/** Passes a list of work requests to a builder. */
final class Built {
    private Built() {}

    static int post(SendBuilder b, SendWorkRequest first) {
        b.start();
        for (SendWorkRequest wr = first; wr != null; wr = wr.next()) {
            begin(b, wr);
            if (wr.ah() != null) {
                b.udAddr(wr.ah(), wr.remoteQpn(), wr.remoteQkey());
            }
            if (wr.remoteSrqn() != 0) {
                b.xrcSrqn(wr.remoteSrqn());
            }
            for (int i = 0; i < wr.numSge(); i++) {
                ScatterGatherElement e = wr.sgList()[i];
                if ((wr.sendFlags() & SendFlags.INLINE) != 0) {
                    b.inlineData(e.lkey(), e.addr(), e.length());
                } else {
                    b.sge(e.lkey(), e.addr(), e.length());
                }
            }
        }
        return b.complete();
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
            case WrOpcode.SEND -> b.send(id, flags);
            case WrOpcode.SEND_WITH_IMM -> b.sendWithImm(id, flags, wr.immData());
            case WrOpcode.SEND_WITH_INV -> b.sendWithInv(id, flags, wr.invalidateRkey());
            case WrOpcode.ATOMIC_CMP_AND_SWP -> b.atomicCompareSwap(id, flags, rkey, addr, wr.compareAdd(), wr.swap());
            case WrOpcode.ATOMIC_FETCH_AND_ADD -> b.atomicFetchAdd(id, flags, rkey, addr, wr.compareAdd());
            case WrOpcode.LOCAL_INV -> b.localInv(id, flags, wr.invalidateRkey());
            case WrOpcode.BIND_MW -> b.bindMw(id, flags, wr.mw(), wr.mwRkey(), wr.mwBind());
            case WrOpcode.RDMA_READ_WITH_INV -> b.readWithInv(id, flags, rkey, addr);
            case WrOpcode.MASKED_ATOMIC_CMP_AND_SWP ->
                b.maskedCompareSwap(
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
                b.maskedFetchAdd(id, flags, rkey, addr, wr.atomicWidth(), wr.compareAdd(), wr.compareAddMask());
            case WrOpcode.FLUSH -> b.flush(id, flags, rkey, addr, wr.flushLength(), wr.flushType(), wr.flushLevel());
            case WrOpcode.ATOMIC_WRITE -> b.atomicWrite(id, flags, rkey, addr, wr.atomicWriteValue());
            case WrOpcode.REG_MR -> b.regMr(id, flags, wr.fastRegister());
            case WrOpcode.NOP -> b.nop(id, flags);
            default -> throw new IllegalArgumentException(WrOpcode.toString(wr.opcode()));
        }
    }
}
