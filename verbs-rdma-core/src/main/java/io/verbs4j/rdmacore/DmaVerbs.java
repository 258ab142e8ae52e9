/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.DmaBuffer;
import io.verbs4j.DmaHandle;
import io.verbs4j.DmahInitAttr;
import io.verbs4j.DmahInitAttrMask;
import io.verbs4j.ExportedFd;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.call.Libibverbs;
import io.verbs4j.rdmacore.layout.DmahInitAttrLayout;
import io.verbs4j.rdmacore.layout.ExtendedContextLayout;
import io.verbs4j.rdmacore.object.IbvObject;
import io.verbs4j.rdmacore.object.NativeDmaBuffer;
import io.verbs4j.rdmacore.object.NativeDmaHandle;
import io.verbs4j.slot.AllocBuf;
import io.verbs4j.slot.AllocDmah;
import io.verbs4j.slot.DeallocDmah;
import io.verbs4j.slot.ExportBufDmabufFd;
import io.verbs4j.slot.FreeBuf;

/** Implements DMA handles, which carry hints for memory access, and buffers that the device allocates. */
final class DmaVerbs {
    private static final long HINTS = DmahInitAttrMask.CPU_ID | DmahInitAttrMask.PH | DmahInitAttrMask.TPH_MEM_TYPE;

    private final NativeContext base;
    private final NativeFunction allocDmah;
    private final NativeFunction deallocDmah;
    private final NativeFunction allocBuf;
    private final NativeFunction freeBuf;
    private final NativeFunction export;
    private final boolean registers;

    DmaVerbs(NativeContext base) {
        this.base = base;
        allocDmah = base.functions().extended(ExtendedContextLayout.ALLOC_DMAH);
        deallocDmah = base.functions().extended(ExtendedContextLayout.DEALLOC_DMAH);
        allocBuf = Libibverbs.find("ibv_alloc_buf");
        freeBuf = Libibverbs.find("ibv_free_buf");
        export = Libibverbs.find("ibv_export_buf_dmabuf_fd");
        registers = Libibverbs.find("ibv_reg_mr_ex") != null;
    }

    /**
     * Fills the slots even for drivers without hints: libibverbs fills each of its own, and no capability reports them.
     */
    void fill(ContextTable table) {
        if (registers && allocDmah != null && deallocDmah != null) {
            table.fillProvider(ContextSlot.ALLOC_DMAH, (AllocDmah) this::allocDmah);
            table.fillProvider(ContextSlot.DEALLOC_DMAH, (DeallocDmah) this::deallocDmah);
        }
        if (registers && allocBuf != null && freeBuf != null) {
            table.fillProvider(ContextSlot.ALLOC_BUF, (AllocBuf) this::allocBuf);
            table.fillProvider(ContextSlot.FREE_BUF, (FreeBuf) this::freeBuf);
            if (export != null) {
                table.fillProvider(ContextSlot.EXPORT_BUF_DMABUF_FD, (ExportBufDmabufFd) this::export);
            }
        }
    }

    private DmaHandle allocDmah(DmahInitAttr attr) {
        String verb = "alloc_dmah";
        Answers.refuseUnknown(verb, attr, HINTS);
        try (Scratch c = new Scratch(DmahInitAttrLayout.SIZEOF)) {
            long at = c.address();
            NativeMemory.putInt(at + DmahInitAttrLayout.COMP_MASK, (int) attr.compMask());
            NativeMemory.putInt(at + DmahInitAttrLayout.CPU_ID, attr.cpuId());
            NativeMemory.putByte(at + DmahInitAttrLayout.PH, attr.ph());
            NativeMemory.putByte(at + DmahInitAttrLayout.TPH_MEM_TYPE, attr.tphMemType());
            return new NativeDmaHandle(base.context(), Answers.checkPointer(verb, allocDmah.call(base.address(), at)));
        }
    }

    private void deallocDmah(DmaHandle dmah) {
        IbvObject ibv = ((NativeDmaHandle) dmah).ibv;
        ibv.pin().closeFor(() -> Answers.check("dealloc_dmah", deallocDmah.call(ibv.address())));
    }

    private DmaBuffer allocBuf(ProtectionDomain pd, long length) {
        try (Scratch c = new Scratch(Long.BYTES)) {
            long addr = Answers.checkPointer("alloc_buf", allocBuf.call(IbvObject.addressOf(pd), length, c.address()));
            return new NativeDmaBuffer(pd, addr, length, NativeMemory.getLong(c.address()));
        }
    }

    private void freeBuf(DmaBuffer buf) {
        IbvObject ibv = ((NativeDmaBuffer) buf).ibv;
        ibv.pin().closeFor(() -> freeBuf.call(ibv.address()));
    }

    private ExportedFd export(DmaBuffer buf) {
        return OwnedFd.checked("export_buf_dmabuf_fd", export.call(((NativeDmaBuffer) buf).ibv.address()));
    }
}
