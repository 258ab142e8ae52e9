/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import static io.verbs4j.compat.kit.DmaRig.LENGTH;
import static io.verbs4j.compat.kit.DmaRig.OF_BUFFERS;
import static io.verbs4j.compat.kit.DmaRig.OF_HINTS;
import static io.verbs4j.compat.kit.DmaRig.RIGHTS;
import static io.verbs4j.compat.kit.Memory.PAGE;

import io.verbs4j.Context;
import io.verbs4j.DmaBuffer;
import io.verbs4j.DmaHandle;
import io.verbs4j.DmahInitAttr;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.RegMrAttrEx;
import io.verbs4j.WcStatus;
import java.nio.ByteBuffer;

/** R27: buffers that the device allocates, and hints for its accesses to memory. */
interface DmaRules {
    @Rule(
            id = "R27.01",
            since = 4,
            says = "a buffer begins at a page, is as long as asked for, and is the program's to read and write",
            look = {"the function in the slot ALLOC_BUF", "DmaBuffer.memory"},
            man = OF_BUFFERS,
            needs = Capability.DMA_BUFFERS)
    default void r2701Buffer(DmaRig rig) {
        ProtectionDomain pd = rig.domain(rig.open());
        DmaBuffer buf = rig.buffer(pd);
        Seen.equal("addr() modulo a page", 0L, buf.addr() % PAGE);
        Seen.equal("length()", (long) LENGTH, buf.length());
        Seen.check(buf.addr() != rig.buffer(pd).addr(), "two buffers have the same addr()");
        ByteBuffer all = buf.buffer(0, LENGTH);
        Seen.check(all.isDirect() && !all.isReadOnly(), "buffer() is not direct, or read-only");
        Seen.equal("capacity() of buffer(0, " + LENGTH + ")", LENGTH, all.capacity());
        for (int i = 0; i < LENGTH; i++) {
            all.put(i, (byte) (i * 5 + 1));
        }
        ByteBuffer piece = buf.buffer(PAGE + 1, PAGE);
        Seen.equal("capacity() of buffer(4097, 4096)", PAGE, piece.capacity());
        for (int i = 0; i < PAGE; i++) {
            Seen.equal("byte " + i + " of buffer(4097, 4096)", all.get(PAGE + 1 + i), piece.get(i));
        }
    }

    @Rule(
            id = "R27.02",
            since = 4,
            says = "a peer writes to a buffer that is registered, and the program finds it there",
            look = {"the function in the slot ALLOC_BUF", "the function in the slot REG_MR_EX"},
            man = OF_BUFFERS,
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.REG_MR_EX, Capability.DMA_BUFFERS})
    default void r2702Written(DmaRig rig) {
        rig.start();
        DmaBuffer buf = rig.buffer(rig.b.pd);
        MemoryRegion mr = rig.opened(buf.regMr(RIGHTS));
        Seen.equal("addr() of the region", buf.addr(), mr.addr());
        Seen.equal("length() of the region", (long) LENGTH, mr.length());
        ByteBuffer all = buf.buffer(0, LENGTH);
        all.put(7, (byte) 77).put(8 + 128, (byte) 78);
        rig.written(1, mr, mr.addr() + 8, 128);
        Seen.holds("the buffer", all, 8, rig.a.memory, 0, 128);
        Seen.equal("the byte before", (byte) 77, all.get(7));
        Seen.equal("the byte after", (byte) 78, all.get(8 + 128));
        rig.fails(rig.write(2, mr, mr.addr() + LENGTH - 4, 8), WcStatus.REM_ACCESS_ERR);
    }

    @Rule(
            id = "R27.03",
            since = 4,
            says = "a region of a part of a buffer is that part",
            look = "the function in the slot REG_MR_EX",
            man = "ibv_reg_mr_ex(3) (IBV_REG_MR_MASK_BUF), and the Javadoc of RegMrAttrEx.buf",
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.REG_MR_EX, Capability.DMA_BUFFERS})
    default void r2703Part(DmaRig rig) {
        rig.start();
        DmaBuffer buf = rig.buffer(rig.b.pd);
        MemoryRegion mr = rig.opened(rig.b.pd.regMrEx(
                new RegMrAttrEx().buf(buf).addr(buf.addr() + PAGE).length(PAGE).access(RIGHTS)));
        rig.written(1, mr, buf.addr() + PAGE + 16, 64);
        Seen.holds("the part", buf.buffer(PAGE, PAGE), 16, rig.a.memory, 0, 64);
        rig.fails(rig.write(2, mr, buf.addr() + 2 * PAGE - 4, 8), WcStatus.REM_ACCESS_ERR);
    }

    @Rule(
            id = "R27.04",
            since = 4,
            says = "memory with hints is memory like any other, for the peer",
            look = {"the function in the slot ALLOC_DMAH", "the function in the slot REG_MR_EX"},
            man = OF_HINTS,
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.REG_MR_EX, Capability.DMA_HINTS})
    default void r2704Hints(RegionRig rig) {
        rig.start();
        DmaHandle dmah =
                rig.opened(rig.authors().saw(DmaHandle.class, rig.b.context.allocDmah(new DmahInitAttr().ph(1))));
        ByteBuffer memory = ByteBuffer.allocateDirect(PAGE);
        MemoryRegion plain = rig.opened(rig.b.pd.regMr(memory, RIGHTS));
        MemoryRegion mr = rig.opened(rig.b.pd.regMrEx(
                new RegMrAttrEx().addr(plain.addr()).length(PAGE).access(RIGHTS).dmah(dmah)));
        rig.written(1, mr, mr.addr() + 16, 64);
        Seen.holds("the memory", memory, 16, rig.a.memory, 0, 64);
    }

    @Rule(
            id = "R27.05",
            since = 4,
            says = "hints that the provider does not know are refused",
            look = "the function in the slot ALLOC_DMAH",
            man = "the Javadoc of InputAttr",
            needs = Capability.DMA_HINTS)
    default void r2705UnknownHints(Rig rig) {
        Context context = rig.open();
        DmahInitAttr later = new DmahInitAttr().ph(1);
        later.masks(later.compMask() | 1L << 30, 0);
        Seen.refuses(
                "allocDmah with bit 30 in its mask, which no level defines,",
                () -> rig.opened(context.allocDmah(later)),
                Errno.EOPNOTSUPP);
    }
}
