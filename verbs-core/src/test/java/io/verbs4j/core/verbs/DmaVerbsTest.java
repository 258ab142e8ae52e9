/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import static io.verbs4j.core.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.verbs4j.AccessFlags;
import io.verbs4j.Context;
import io.verbs4j.ContextOps;
import io.verbs4j.ContextSlot;
import io.verbs4j.DmaBuffer;
import io.verbs4j.DmaHandle;
import io.verbs4j.DmahInitAttr;
import io.verbs4j.Errno;
import io.verbs4j.ExportedFd;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.RegMrAttrEx;
import io.verbs4j.TphMemType;
import io.verbs4j.VerbsLevel;
import io.verbs4j.core.Fakes;
import io.verbs4j.core.discovery.Library;
import io.verbs4j.core.discovery.TimeLimit;
import io.verbs4j.slot.AllocBuf;
import io.verbs4j.slot.AllocDmah;
import io.verbs4j.slot.DeallocDmah;
import io.verbs4j.slot.ExportBufDmabufFd;
import io.verbs4j.slot.FreeBuf;
import io.verbs4j.slot.RegMrEx;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The library's part of the verbs about how the device gets at memory. */
class DmaVerbsTest {
    private static final long ADDR = 0x7000_1000L;
    private static final long LENGTH = 1L << 33;
    private static final int WRITE = AccessFlags.LOCAL_WRITE;

    private final ContextOps ops = mock(ContextOps.class);
    private final RegMrEx regMrEx = mock(RegMrEx.class);
    private final AllocDmah allocDmah = mock(AllocDmah.class);
    private final DeallocDmah deallocDmah = mock(DeallocDmah.class);
    private final AllocBuf allocBuf = mock(AllocBuf.class);
    private final FreeBuf freeBuf = mock(FreeBuf.class);
    private final ExportBufDmabufFd export = mock(ExportBufDmabufFd.class);
    private Context context;
    private ProtectionDomain pd;

    private static final class FakeBuf extends DmaBuffer {
        FakeBuf(ProtectionDomain pd, long length) {
            super(pd, ADDR, length);
        }

        @Override
        protected ByteBuffer memory(long offset, int size) {
            return ByteBuffer.allocate(size).putLong(0, offset);
        }
    }

    @BeforeEach
    void open() {
        Fakes.FakeDevice device = new Fakes.FakeDevice("dma0");
        ExtendedRig.Provider provider = new ExtendedRig.Provider(device, ops, VerbsLevel.SHARING, (opened, table) -> {
            table.fillProvider(ContextSlot.REG_MR_EX, regMrEx);
            table.fillProvider(ContextSlot.ALLOC_DMAH, allocDmah);
            table.fillProvider(ContextSlot.DEALLOC_DMAH, deallocDmah);
            table.fillProvider(ContextSlot.ALLOC_BUF, allocBuf);
            table.fillProvider(ContextSlot.FREE_BUF, freeBuf);
            table.fillProvider(ContextSlot.EXPORT_BUF_DMABUF_FD, export);
        });
        Library library = new Library(() -> List.of(provider.found()), TimeLimit::ofProperty);
        context = library.open(device, VerbsLevel.CURRENT);
        when(ops.allocPd()).thenAnswer(i -> new Fakes.FakePd(context));
        when(allocDmah.allocDmah(any())).thenAnswer(i -> new DmaHandle(context) {});
        when(allocBuf.allocBuf(any(), anyLong())).thenAnswer(i -> new FakeBuf(i.getArgument(0), i.getArgument(1)));
        when(regMrEx.regMrEx(any(), any())).thenAnswer(i -> {
            RegMrAttrEx attr = i.getArgument(1);
            return new Fakes.FakeMr(i.getArgument(0), attr.addr(), attr.length(), attr.access());
        });
        pd = context.allocPd();
    }

    private static RegMrAttrEx memory(long addr, long length) {
        return new RegMrAttrEx().addr(addr).length(length).access(WRITE);
    }

    @Test
    void regionsKeepTheirHints() {
        DmahInitAttr attr = new DmahInitAttr().cpuId(3).ph(2).tphMemType(TphMemType.PM);
        DmaHandle dmah = context.allocDmah(attr);
        RegMrAttrEx hinted = memory(0x1000, 8).dmah(dmah);
        MemoryRegion mr = pd.regMrEx(hinted);

        verify(allocDmah).allocDmah(attr);
        verify(regMrEx).regMrEx(pd, hinted);
        assertFails(Errno.EBUSY, dmah::close, "dealloc_dmah", "1 memory region");
        assertFails(Errno.EBUSY, context::close, "1 DMA handle");
        mr.close();
        dmah.close();
        dmah.close();
        verify(deallocDmah, times(1)).deallocDmah(dmah);
        assertFails(Errno.EINVAL, () -> pd.regMrEx(memory(0x1000, 8).dmah(dmah)), "reg_mr_ex", "DMA handle", "closed");
        assertThat(attr.toString()).isEqualTo("cpuId 3, ph 2, tphMemType PM");
    }

    @Test
    void hintsAreChecked() {
        DmahInitAttr later = new DmahInitAttr();
        later.masks(1L << 40, 0);

        assertFails(Errno.EINVAL, () -> context.allocDmah(null), "alloc_dmah", "attr is null");
        assertFails(Errno.EINVAL, () -> context.allocDmah(new DmahInitAttr().cpuId(-1)), "cpuId is -1");
        assertFails(Errno.EINVAL, () -> context.allocDmah(new DmahInitAttr().ph(4)), "ph is 4");
        assertFails(Errno.EINVAL, () -> context.allocDmah(new DmahInitAttr().ph(-1)), "ph is -1");
        assertFails(Errno.EOPNOTSUPP, () -> context.allocDmah(later), "0x10000000000");
        verify(allocDmah, never()).allocDmah(any());
        context.allocDmah(new DmahInitAttr().ph(3).cpuId(0)).close();
    }

    @Test
    void regionsKeepTheirBuffer() {
        DmaBuffer buf = pd.allocBuf(LENGTH);
        MemoryRegion all = buf.regMr(WRITE);
        MemoryRegion end = pd.regMrEx(memory(ADDR + LENGTH - 8, 8).buf(buf));

        verify(allocBuf).allocBuf(pd, LENGTH);
        assertThat(all.addr()).isEqualTo(ADDR);
        assertThat(all.length()).isEqualTo(LENGTH);
        assertFails(Errno.EBUSY, buf::close, "free_buf", "2 memory regions");
        assertFails(Errno.EBUSY, pd::close, "dealloc_pd", "1 DMA buffer");
        all.close();
        end.close();
        buf.close();
        buf.close();
        verify(freeBuf, times(1)).freeBuf(buf);
        assertFails(Errno.EINVAL, () -> buf.regMr(WRITE), "reg_mr_ex", "DMA buffer", "closed");
    }

    @Test
    void onlyBytesOfTheBufferAreRegistered() {
        DmaBuffer buf = pd.allocBuf(4096);
        ProtectionDomain other = context.allocPd();

        for (RegMrAttrEx outside : List.of(memory(ADDR - 1, 8), memory(ADDR + 4089, 8), memory(ADDR + 4097, 1))) {
            assertFails(Errno.EINVAL, () -> pd.regMrEx(outside.buf(buf)), "of buf, which has 4096");
        }
        assertFails(Errno.EINVAL, () -> other.regMrEx(memory(ADDR, 8).buf(buf)), "another protection domain");
        assertFails(
                Errno.EINVAL,
                () -> pd.regMrEx(
                        new RegMrAttrEx().fd(3).fdOffset(0).iova(0).length(8).buf(buf)),
                "buf is set, but addr is not");
        assertFails(
                Errno.EINVAL,
                () -> pd.regMrEx(
                        new RegMrAttrEx().buffer(ByteBuffer.allocateDirect(8)).buf(buf)),
                "buf is set, but addr is not");
        verify(regMrEx, never()).regMrEx(any(), any());
        assertThat(memory(1, 1).buf(buf).buf(null).compMask())
                .isEqualTo(memory(1, 1).compMask());
    }

    @Test
    void buffersAreSeenInPieces() {
        DmaBuffer buf = pd.allocBuf(LENGTH);

        assertThat(buf.buffer(LENGTH - 8, 8).getLong(0)).isEqualTo(LENGTH - 8);
        assertThrows(IndexOutOfBoundsException.class, () -> buf.buffer(LENGTH - 7, 8));
        assertThrows(IndexOutOfBoundsException.class, () -> buf.buffer(-1, 8));
        assertFails(Errno.EINVAL, () -> pd.allocBuf(0), "alloc_buf", "length is 0");
    }

    @Test
    void buffersAreExported() {
        DmaBuffer buf = pd.allocBuf(4096);
        ExportedFd fd = mock(ExportedFd.class);
        when(export.exportBufDmabufFd(buf)).thenReturn(fd, (ExportedFd) null);

        assertThat(buf.exportDmabufFd()).isSameAs(fd);
        assertFails(Errno.EIO, buf::exportDmabufFd, "export_buf_dmabuf_fd", "null");
        buf.close();
        assertFails(Errno.EINVAL, buf::exportDmabufFd, "export_buf_dmabuf_fd", "closed");
    }
}
