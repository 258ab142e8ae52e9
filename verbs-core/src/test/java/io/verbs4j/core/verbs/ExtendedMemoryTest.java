/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import static io.verbs4j.core.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;
import static org.mockito.Mockito.when;

import io.verbs4j.AccessFlags;
import io.verbs4j.AdviseMrAdvice;
import io.verbs4j.AdviseMrFlags;
import io.verbs4j.AllocDmAttr;
import io.verbs4j.ContextSlot;
import io.verbs4j.DeviceAttr;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.DeviceMemory;
import io.verbs4j.Errno;
import io.verbs4j.ExportedFd;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MrKeyInitAttr;
import io.verbs4j.OdpGeneralCaps;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.RegMrAttrEx;
import io.verbs4j.RegMrMask;
import io.verbs4j.ReregFlags;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.core.Fakes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;

/** The library's part of what level 3 adds about memory. */
class ExtendedMemoryTest {
    private static final int RIGHTS = AccessFlags.LOCAL_WRITE | AccessFlags.ZERO_BASED;

    private final MemoryRig rig = new MemoryRig();
    private final ProtectionDomain pd = rig.context.allocPd();

    private static RegMrAttrEx memory() {
        return new RegMrAttrEx().addr(0x7000).length(100).access(AccessFlags.LOCAL_WRITE);
    }

    private static RegMrAttrEx dmabuf() {
        return new RegMrAttrEx().fd(7).fdOffset(4096).iova(0).length(100);
    }

    // ---- reg_mr_ex

    @Test
    void regionIsKeptAndKeepsItsDomain() {
        for (RegMrAttrEx attr : List.of(memory().iova(0x1000), dmabuf(), memory().keepAlive(this))) {
            MemoryRegion mr = pd.regMrEx(attr);
            verify(rig.regMrEx).regMrEx(pd, attr);
            assertThat(mr.addr()).isEqualTo(attr.iova());
            assertFails(Errno.EBUSY, pd::close, "dealloc_pd", "1 memory region");
            mr.close();
            verify(rig.ops).deregMr(mr);
        }
        pd.close();
    }

    @Test
    void exactlyOneOfMemoryAndDmaBufIsRequired() {
        RegMrAttrEx neither = new RegMrAttrEx().length(1);
        RegMrAttrEx both = dmabuf().addr(1);
        RegMrAttrEx offsetAndMemory = memory().fdOffset(0);
        assertFails(Errno.EINVAL, () -> pd.regMrEx(neither), "reg_mr_ex", "neither addr nor fd is set");
        assertFails(Errno.EINVAL, () -> pd.regMrEx(both), "reg_mr_ex", "addr and fd are both set");
        assertFails(Errno.EINVAL, () -> pd.regMrEx(offsetAndMemory), "reg_mr_ex", "addr and fd are both set");
        verifyNoInteractions(rig.regMrEx);
    }

    @Test
    void faultyMemoryIsRefusedWithReason() {
        wrong(null, "attr is null");
        wrong(memory().length(0), "length is 0");
        wrong(memory().length(-1), "an implicit region");
        wrong(memory().length(-1).access(AccessFlags.ON_DEMAND), "needs addr 0");
        wrong(memory().addr(0).length(-1), "with ON_DEMAND");
        wrong(memory().addr(0).length(-1).access(AccessFlags.ON_DEMAND | AccessFlags.ZERO_BASED), "without ZERO_BASED");
        wrong(memory().length(-2), "length is -2; it must be at least 1");
        wrong(memory().addr(-1).length(2), "beyond the end of the address space");
        wrong(memory().iova(-1).length(2), "beyond the end of the address space");
        wrong(memory().access(AccessFlags.REMOTE_WRITE), "LOCAL_WRITE");
        wrong(new RegMrAttrEx().fd(1).length(1), "the mask lacks IOVA|FD_OFFSET");
        wrong(new RegMrAttrEx().fdOffset(0).iova(0).length(1), "the mask lacks FD");
        wrong(dmabuf().fd(-1), "fd is -1");
        wrong(dmabuf().fdOffset(-4096), "fdOffset is -4096");
        wrong(dmabuf().length(0), "length is 0");
        verifyNoInteractions(rig.regMrEx);
    }

    /** A provider that knows of no implicit regions never hears of one. */
    @Test
    void implicitRegionRequiresDeviceSupport() {
        RegMrAttrEx all = new RegMrAttrEx().addr(0).length(-1).access(AccessFlags.ON_DEMAND);
        MemoryRig silent = new MemoryRig(ContextSlot.QUERY_DEVICE_EX);
        for (MemoryRig one : List.of(rig, silent)) {
            ProtectionDomain domain = one.context.allocPd();
            String text = "SUPPORT_IMPLICIT";
            assertFails(Errno.EOPNOTSUPP, () -> domain.regMr(0, -1, AccessFlags.ON_DEMAND), "reg_mr", text);
            assertFails(Errno.EOPNOTSUPP, () -> domain.regMrEx(all), "reg_mr", text);
            verify(one.ops, never()).regMr(any(), anyLong(), anyLong(), anyInt());
            verifyNoInteractions(one.regMrEx);
        }
        doAnswer(i -> {
                    i.<DeviceAttrEx>getArgument(1).offer(DeviceAttrEx.ORIG_ATTR, new DeviceAttr());
                    i.<DeviceAttrEx>getArgument(1)
                            .offer(DeviceAttrEx.ODP_GENERAL_CAPS, OdpGeneralCaps.SUPPORT_IMPLICIT);
                    return null;
                })
                .when(rig.queryDeviceEx)
                .queryDeviceEx(any(), any());
        try (MemoryRegion mr = pd.regMr(0, -1, AccessFlags.ON_DEMAND)) {
            assertThat(mr.length()).isEqualTo(-1);
            verify(rig.ops).regMr(pd, 0, -1, AccessFlags.ON_DEMAND);
            assertFails(
                    Errno.EINVAL,
                    () -> mr.rereg(ReregFlags.CHANGE_TRANSLATION, null, 0, -1, 0),
                    "length is -1; it must");
        }
        pd.regMrEx(all).close();
        verify(rig.regMrEx).regMrEx(pd, all);
        wrong(memory().addr(0).iova(4096).length(-1).access(AccessFlags.ON_DEMAND), "addr is 0x1000");
    }

    private void wrong(RegMrAttrEx attr, String text) {
        assertFails(Errno.EINVAL, () -> pd.regMrEx(attr), "reg_mr_ex", text);
    }

    @Test
    void unknownBitsAreRefusedByTheirOwner() {
        for (long handle : new long[] {1L << 33, 1L << 40}) {
            RegMrAttrEx attr = memory();
            attr.masks(attr.compMask() | handle, 0);
            assertFails(Errno.EOPNOTSUPP, () -> pd.regMrEx(attr), "reg_mr_ex", Long.toHexString(handle), "level 4");
        }
        verifyNoInteractions(rig.regMrEx);
        RegMrAttrEx provider = memory();
        provider.masks(provider.compMask() | 1L << 20, 0);
        pd.regMrEx(provider);
        verify(rig.regMrEx).regMrEx(pd, provider);
    }

    @Test
    void oldVerbRegistersMemoryAtItsAddress() {
        MemoryRig old = new MemoryRig(ContextSlot.REG_MR_EX);
        ProtectionDomain domain = old.context.allocPd();

        domain.regMrEx(memory());
        domain.regMrEx(memory().iova(0x7000).length(50));

        verify(old.ops).regMr(domain, 0x7000, 100, AccessFlags.LOCAL_WRITE);
        verify(old.ops).regMr(domain, 0x7000, 50, AccessFlags.LOCAL_WRITE);
        for (RegMrAttrEx more : List.of(memory().iova(0), dmabuf(), new RegMrAttrEx().length(1))) {
            assertFails(Errno.EOPNOTSUPP, () -> domain.regMrEx(more), "the device can't: reg_mr_ex came with level 3");
        }
        assertFails(Errno.EOPNOTSUPP, () -> domain.regMrEx(null), "reg_mr_ex");
    }

    // ---- reg_mr_ex of a buffer

    private static final long AT = 0x7f00_0000_1000L;

    /** The provider tells addresses: its regions of buffers have them. */
    private static void addressesAreTold(MemoryRig rig) {
        when(rig.ops.regMrBuffer(any(), any(), anyInt())).thenAnswer(i -> {
            ByteBuffer buffer = i.getArgument(1);
            return new Fakes.FakeMr(i.getArgument(0), AT + buffer.position(), buffer.remaining(), i.getArgument(2));
        });
    }

    @Test
    void bufferCanHaveIova() {
        addressesAreTold(rig);
        ByteBuffer buffer = ByteBuffer.allocateDirect(200).position(40).limit(140);
        RegMrAttrEx attr =
                new RegMrAttrEx().buffer(buffer).iova(0x1000).length(7).access(AccessFlags.LOCAL_WRITE);
        attr.masks(attr.compMask() | 1L << 20, 0);

        MemoryRegion mr = pd.regMrEx(attr.keepAlive(this));

        ArgumentCaptor<RegMrAttrEx> seen = ArgumentCaptor.forClass(RegMrAttrEx.class);
        ArgumentCaptor<ByteBuffer> first = ArgumentCaptor.forClass(ByteBuffer.class);
        ArgumentCaptor<MemoryRegion> forAMoment = ArgumentCaptor.forClass(MemoryRegion.class);
        verify(rig.regMrEx).regMrEx(eq(pd), seen.capture());
        verify(rig.ops).regMrBuffer(eq(pd), first.capture(), eq(AccessFlags.LOCAL_WRITE));
        verify(rig.ops).deregMr(forAMoment.capture());
        assertThat(forAMoment.getValue().length()).isEqualTo(1);
        assertThat(first.getValue().capacity()).isEqualTo(1);
        assertThat(seen.getValue().compMask()).isEqualTo(RegMrMask.ADDR | RegMrMask.IOVA | 1L << 20);
        assertThat(seen.getValue().addr()).isEqualTo(AT);
        assertThat(seen.getValue().length()).isEqualTo(100);
        assertThat(seen.getValue().iova()).isEqualTo(0x1000);
        assertThat(seen.getValue().access()).isEqualTo(AccessFlags.LOCAL_WRITE);
        assertThat(seen.getValue().keepAlive()).isSameAs(this);
        assertThat(attr.buffer()).as("the program's buffer is kept").isSameAs(buffer);
        assertThat(buffer.position()).isEqualTo(40);
        assertFails(Errno.EBUSY, pd::close, "dealloc_pd", "1 memory region");
        mr.close();
        verify(rig.ops).deregMr(mr);
    }

    /** Such a region can be persistent, where its memory is a mapped file: the buffer alone tells a provider that. */
    @Test
    void oldVerbRegistersBufferWithoutIova() {
        MemoryRig old = new MemoryRig(ContextSlot.REG_MR_EX);
        for (MemoryRig one : List.of(rig, old)) {
            addressesAreTold(one);
            ByteBuffer buffer = ByteBuffer.allocateDirect(8);
            ProtectionDomain domain = one.context.allocPd();
            domain.regMrEx(new RegMrAttrEx().buffer(buffer).access(AccessFlags.REMOTE_READ))
                    .close();
            verify(one.ops).regMrBuffer(domain, buffer, AccessFlags.REMOTE_READ);
            verifyNoInteractions(one.regMrEx);
        }
        RegMrAttrEx named =
                new RegMrAttrEx().buffer(ByteBuffer.allocateDirect(8)).iova(0);
        assertFails(Errno.EOPNOTSUPP, () -> old.context.allocPd().regMrEx(named), "the device can't: reg_mr_ex");
    }

    @Test
    void bufferOfRegionIsGuarded() {
        addressesAreTold(rig);
        ByteBuffer readOnly = ByteBuffer.allocateDirect(8).asReadOnlyBuffer();
        MemoryRegion mr = pd.regMrEx(new RegMrAttrEx().buffer(readOnly).iova(0));
        assertFails(
                Errno.EINVAL,
                () -> mr.rereg(ReregFlags.CHANGE_ACCESS, null, 0, 0, AccessFlags.LOCAL_WRITE),
                "buffer is read-only");
        wrong(new RegMrAttrEx().buffer(readOnly).access(AccessFlags.LOCAL_WRITE), "buffer is read-only");
        wrong(new RegMrAttrEx().buffer(ByteBuffer.allocate(8)), "buffer is not direct");
        wrong(new RegMrAttrEx().buffer(ByteBuffer.allocateDirect(8).position(8)), "between its position and its limit");
        wrong(memory().buffer(readOnly), "buffer is set, and so is addr");
        wrong(dmabuf().buffer(readOnly), "buffer is set, and so is fd");
        wrong(new RegMrAttrEx().buffer(readOnly).iova(-1), "beyond the end of the address space");
        wrong(new RegMrAttrEx().buffer(readOnly).buffer(null), "neither addr nor fd is set");
        RegMrAttrEx none = new RegMrAttrEx();
        none.masks(RegMrMask.BUFFER, 0);
        wrong(none, "buffer is null");
    }

    // ---- advise_mr, alloc_null_mr, alloc_mr_key

    @Test
    void adviceReachesProvider() {
        ScatterGatherElement[] list = {new ScatterGatherElement(), new ScatterGatherElement()};
        pd.adviseMr(AdviseMrAdvice.PREFETCH_WRITE, AdviseMrFlags.FLUSH, list);
        verify(rig.adviseMr).adviseMr(pd, AdviseMrAdvice.PREFETCH_WRITE, AdviseMrFlags.FLUSH, list, 2);
        pd.adviseMr(99, 1 << 20, list[0]);
        verify(rig.adviseMr).adviseMr(pd, 99, 1 << 20, new ScatterGatherElement[] {list[0]}, 1);
    }

    @Test
    void adviceNeedsMemory() {
        ScatterGatherElement[] none = null;
        assertFails(Errno.EINVAL, () -> pd.adviseMr(0, 0), "advise_mr", "numSge is 0");
        assertFails(Errno.EINVAL, () -> pd.adviseMr(0, 0, none), "advise_mr", "sgList is null");
        assertFails(
                Errno.EINVAL,
                () -> pd.adviseMr(0, 0, new ScatterGatherElement(), null),
                "advise_mr",
                "sgList[1] is null");
        verifyNoInteractions(rig.adviseMr);
        pd.close();
        assertFails(Errno.EINVAL, () -> pd.adviseMr(0, 0, new ScatterGatherElement()), "advise_mr", "closed");
    }

    @Test
    void regionsWithoutMemoryAreCounted() {
        MemoryRegion none = pd.allocNullMr();
        MrKeyInitAttr attr = new MrKeyInitAttr().maxEntries(3);
        MemoryRegion key = pd.allocMrKey(attr);

        verify(rig.allocMrKey).allocMrKey(pd, attr);
        assertThat(none.length()).isEqualTo(-1);
        assertFails(Errno.EBUSY, pd::close, "dealloc_pd", "2 memory regions");
        none.close();
        key.close();
        verify(rig.ops).deregMr(none);
        verify(rig.ops).deregMr(key);
        pd.close();
    }

    @Test
    void keyNeedsEntries() {
        assertFails(Errno.EINVAL, () -> pd.allocMrKey(null), "alloc_mr_key", "attr is null");
        assertFails(Errno.EINVAL, () -> pd.allocMrKey(new MrKeyInitAttr()), "alloc_mr_key", "maxEntries is 0");
        MrKeyInitAttr later = new MrKeyInitAttr().maxEntries(1);
        later.masks(1L << 33, 0);
        assertFails(Errno.EOPNOTSUPP, () -> pd.allocMrKey(later), "alloc_mr_key", "0x200000000");
        verifyNoInteractions(rig.allocMrKey);
    }

    // ---- device memory

    @Test
    void regionsKeepTheirDeviceMemory() {
        AllocDmAttr attr = new AllocDmAttr().length(64).logAlignReq(6);
        DeviceMemory dm = rig.context.allocDm(attr);
        MemoryRegion mr = pd.regDmMr(dm, 16, 48, RIGHTS);

        verify(rig.allocDm).allocDm(attr);
        verify(rig.regDmMr).regDmMr(pd, dm, 16, 48, RIGHTS);
        assertFails(Errno.EBUSY, dm::close, "free_dm", "device memory", "1 memory region");
        assertFails(Errno.EBUSY, rig.context::close, "close_device", "1 device memory");
        mr.close();
        dm.close();
        dm.close();
        verify(rig.freeDm).freeDm(dm);
        assertFails(Errno.EINVAL, () -> pd.regDmMr(dm, 0, 1, RIGHTS), "reg_dm_mr", "closed");
    }

    @Test
    void rangeOutsideDeviceMemoryIsRefused() {
        DeviceMemory dm = rig.context.allocDm(new AllocDmAttr().length(64));
        assertFails(Errno.EINVAL, () -> pd.regDmMr(dm, -1, 1, RIGHTS), "reg_dm_mr", "dmOffset is -1");
        assertFails(Errno.EINVAL, () -> pd.regDmMr(dm, 64, 1, RIGHTS), "reg_dm_mr", "dmOffset is 64", "0 to 63");
        assertFails(Errno.EINVAL, () -> pd.regDmMr(dm, 60, 5, RIGHTS), "reg_dm_mr", "length is 5", "1 to 4");
        assertFails(Errno.EINVAL, () -> pd.regDmMr(dm, 0, 0, RIGHTS), "reg_dm_mr", "length is 0");
        assertFails(Errno.EINVAL, () -> pd.regDmMr(dm, 1, Long.MAX_VALUE, RIGHTS), "reg_dm_mr", "length");
        assertFails(Errno.EINVAL, () -> pd.regDmMr(dm, 0, 1, AccessFlags.LOCAL_WRITE), "reg_dm_mr", "ZERO_BASED");
        assertFails(Errno.EINVAL, () -> pd.regDmMr(null, 0, 1, RIGHTS), "reg_dm_mr", "dm is null");
        verifyNoInteractions(rig.regDmMr);
        assertFails(Errno.EINVAL, () -> rig.context.allocDm(null), "alloc_dm", "attr is null");
        assertFails(Errno.EINVAL, () -> rig.context.allocDm(new AllocDmAttr()), "alloc_dm", "length is 0");
        assertFails(
                Errno.EINVAL,
                () -> rig.context.allocDm(new AllocDmAttr().length(1).logAlignReq(63)),
                "alloc_dm",
                "logAlignReq is 63");
    }

    @Test
    void lessMemoryThanRequestedIsBroken() {
        doAnswer(i -> new MemoryRig.FakeDm(rig.context, 63)).when(rig.allocDm).allocDm(any());
        assertFails(Errno.EIO, () -> rig.context.allocDm(new AllocDmAttr().length(64)), "alloc_dm", "length");
    }

    private static ExportedFd fd(int number, List<Integer> closed) {
        return new ExportedFd(number) {
            @Override
            protected void closeFd(int fd) {
                closed.add(fd);
            }
        };
    }

    @Test
    void deviceMemoryIsExportedAsDescriptor() {
        DeviceMemory dm = rig.context.allocDm(new AllocDmAttr().length(64));
        List<Integer> closed = new ArrayList<>();
        when(rig.dmExportDmabufFd.dmExportDmabufFd(dm))
                .thenAnswer(i -> fd(9, closed))
                .thenAnswer(i -> null)
                .thenAnswer(i -> fd(-1, closed));
        ExportedFd exported = dm.exportDmabufFd();
        assertThat(exported.fd()).isEqualTo(9);
        assertThat(exported).hasToString("file descriptor 9");
        assertThat(closed).isEmpty();
        exported.close();
        exported.close();
        assertThat(closed).as("closed once").containsExactly(9);
        assertFails(Errno.EBADF, exported::fd, "closed");
        assertThat(exported).hasToString("closed file descriptor");
        assertFails(Errno.EIO, dm::exportDmabufFd, "dm_export_dmabuf_fd", "null");
        assertFails(Errno.EIO, dm::exportDmabufFd, "dm_export_dmabuf_fd", "-1 is not a file descriptor");
        dm.close();
        assertFails(Errno.EINVAL, dm::exportDmabufFd, "dm_export_dmabuf_fd", "closed");
    }

    @Test
    void nothingStandsInForTheOthers() {
        MemoryRig bare = new MemoryRig(
                ContextSlot.ADVISE_MR,
                ContextSlot.ALLOC_NULL_MR,
                ContextSlot.ALLOC_MR_KEY,
                ContextSlot.ALLOC_DM,
                ContextSlot.REG_DM_MR);
        ProtectionDomain domain = bare.context.allocPd();
        String can = "the device can't: ";
        assertFails(Errno.EOPNOTSUPP, () -> domain.adviseMr(0, 0, new ScatterGatherElement()), can + "advise_mr came");
        assertFails(Errno.EOPNOTSUPP, domain::allocNullMr, can + "alloc_null_mr came");
        assertFails(Errno.EOPNOTSUPP, () -> domain.allocMrKey(new MrKeyInitAttr()), can + "alloc_mr_key came");
        assertFails(Errno.EOPNOTSUPP, () -> domain.regDmMr(null, 0, 1, 0), can + "reg_dm_mr came");
        assertFails(Errno.EOPNOTSUPP, () -> bare.context.allocDm(new AllocDmAttr()), can + "alloc_dm came");
    }
}
