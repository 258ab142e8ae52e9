/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit.model;

import io.verbs4j.Context;
import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.DmaBuffer;
import io.verbs4j.DmaHandle;
import io.verbs4j.DmahInitAttr;
import io.verbs4j.DmahInitAttrMask;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.RegMrAttrEx;
import io.verbs4j.compat.kit.Capability;
import io.verbs4j.slot.AllocBuf;
import io.verbs4j.slot.AllocDmah;
import io.verbs4j.slot.DeallocDmah;
import io.verbs4j.slot.FreeBuf;
import java.nio.ByteBuffer;

/** The model's buffers and hints. */
final class DmaOps {
    private static final long HINTS = DmahInitAttrMask.CPU_ID | DmahInitAttrMask.PH | DmahInitAttrMask.TPH_MEM_TYPE;

    private final Context context;

    DmaOps(Context context) {
        this.context = context;
    }

    private static final class Hints extends DmaHandle {
        Hints(Context context) {
            super(context);
        }
    }

    private static final class Buf extends DmaBuffer {
        private final ByteBuffer bytes;

        Buf(ProtectionDomain pd, long addr, int length) {
            super(pd, addr, length);
            bytes = ByteBuffer.allocateDirect(length);
        }

        @Override
        protected ByteBuffer memory(long offset, int size) {
            return bytes.slice(Fault.BUF_PIECES_AGAIN.on() ? 0 : (int) offset, size);
        }
    }

    boolean fill(ContextTable table) {
        boolean all = GrownOps.fill(table, Capability.DMA_BUFFERS, ContextSlot.ALLOC_BUF, (AllocBuf) DmaOps::allocBuf);
        FreeBuf free = buf -> {};
        all &= GrownOps.fill(table, Capability.DMA_BUFFERS, ContextSlot.FREE_BUF, free);
        all &= GrownOps.fill(table, Capability.DMA_HINTS, ContextSlot.ALLOC_DMAH, (AllocDmah) this::allocDmah);
        DeallocDmah dealloc = dmah -> {};
        all &= GrownOps.fill(table, Capability.DMA_HINTS, ContextSlot.DEALLOC_DMAH, dealloc);
        return all;
    }

    private static DmaBuffer allocBuf(ProtectionDomain pd, long length) {
        synchronized (Fabric.LOCK) {
            return new Buf(pd, Fabric.newAddress() + (Fault.BUF_ANYWHERE.on() ? 8 : 0), (int) length);
        }
    }

    private DmaHandle allocDmah(DmahInitAttr attr) {
        ModelOps.known("alloc_dmah", attr, Fault.ANY_HINTS.on() ? -1 : HINTS);
        return new Hints(context);
    }

    /** Registers memory of a buffer. */
    static MemoryRegion register(ProtectionDomain pd, RegMrAttrEx attr, long name) {
        Buf buf = (Buf) attr.buf();
        ByteBuffer bytes = Fault.BUF_IS_COPIED.on() ? ByteBuffer.allocate(buf.bytes.capacity()) : buf.bytes;
        long from = Fault.BUF_PART_IS_FIRST.on() ? 0 : attr.addr() - buf.addr();
        synchronized (Fabric.LOCK) {
            return LaterMemory.region(pd, bytes, name, attr.length(), attr.access(), from);
        }
    }
}
