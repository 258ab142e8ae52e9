/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import static io.verbs4j.core.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;
import static org.mockito.Mockito.when;

import io.verbs4j.AccessFlags;
import io.verbs4j.AllocDmAttr;
import io.verbs4j.Context;
import io.verbs4j.ContextSlot;
import io.verbs4j.DeviceMemory;
import io.verbs4j.Errno;
import io.verbs4j.ExportedFd;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.ReregFlags;
import io.verbs4j.VerbsException;
import io.verbs4j.core.Fakes;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The library's part of the verbs by which contexts share objects. */
class ImportVerbsTest {
    private static final int RIGHTS = AccessFlags.LOCAL_WRITE | AccessFlags.ZERO_BASED;

    private final ImportRig rig = new ImportRig();

    private static final class Fd extends ExportedFd {
        Fd(int fd) {
            super(fd);
        }

        @Override
        protected void closeFd(int number) {
            throw new AssertionError("the library must not close the program's descriptors");
        }
    }

    @Test
    void importedDomainIsClosedByUnimport() {
        ProtectionDomain pd = rig.context.importPd(17);

        verify(rig.importPd).importPd(17);
        assertThat(pd.isImported()).isTrue();
        pd.close();
        pd.close();
        verify(rig.unimportPd, times(1)).unimportPd(pd);
        verify(rig.ops, never()).deallocPd(any());
    }

    @Test
    void ownObjectsAreClosedByTheVerbsOfLevelOne() {
        ProtectionDomain pd = rig.context.allocPd();
        MemoryRegion mr = pd.regMr(0x1000, 64, 0);
        DeviceMemory dm = rig.context.allocDm(new AllocDmAttr().length(8));

        assertThat(pd.isImported()).isFalse();
        assertThat(mr.isImported()).isFalse();
        assertThat(dm.isImported()).isFalse();
        mr.close();
        pd.close();
        dm.close();
        verify(rig.ops).deregMr(mr);
        verify(rig.ops).deallocPd(pd);
        verify(rig.freeDm).freeDm(dm);
        verifyNoInteractions(rig.unimportPd, rig.unimportMr, rig.unimportDm);
    }

    @Test
    void importedRegionKeepsItsDomain() {
        ProtectionDomain pd = rig.context.importPd(1);
        MemoryRegion mr = pd.importMr(5);

        verify(rig.importMr).importMr(pd, 5);
        assertThat(mr.isImported()).isTrue();
        assertThat(mr.pd()).isSameAs(pd);
        assertFails(Errno.EBUSY, pd::close, "unimport_pd", "1 memory region");
        mr.close();
        mr.close();
        verify(rig.unimportMr, times(1)).unimportMr(mr);
        verify(rig.ops, never()).deregMr(any());
        pd.close();
        assertFails(Errno.EINVAL, () -> pd.importMr(5), "import_mr", "closed");
    }

    @Test
    void importedRegionIsNotReregistered() {
        MemoryRegion mr = rig.context.allocPd().importMr(5);

        assertFails(Errno.EINVAL, () -> mr.rereg(ReregFlags.CHANGE_ACCESS, null, 0, 0, 0), "rereg_mr", "imported");
        verify(rig.ops, never()).reregMr(any(), anyInt(), any(), anyLong(), anyLong(), anyInt());
    }

    @Test
    void importedDeviceMemoryIsUsedAsAnyOther() {
        ProtectionDomain pd = rig.context.allocPd();
        DeviceMemory dm = rig.context.importDm(3, 64);

        verify(rig.importDm).importDm(3, 64);
        assertThat(dm.isImported()).isTrue();
        assertThat(dm.length()).isEqualTo(64);
        MemoryRegion mr = pd.regDmMr(dm, 0, 64, RIGHTS);
        assertThat(mr.isImported()).isFalse();
        assertFails(Errno.EBUSY, dm::close, "unimport_dm", "1 memory region");
        assertFails(Errno.EINVAL, () -> pd.regDmMr(dm, 0, 65, RIGHTS), "reg_dm_mr", "length is 65");
        mr.close();
        dm.close();
        verify(rig.unimportDm).unimportDm(dm);
        verify(rig.freeDm, never()).freeDm(any());
        assertFails(Errno.EINVAL, () -> rig.context.importDm(3, 0), "import_dm", "length is 0");
    }

    @Test
    void contextStaysOpenWhileImportsAre() {
        ProtectionDomain pd = rig.context.importPd(1);
        DeviceMemory dm = rig.context.importDm(3, 64);

        assertFails(Errno.EBUSY, rig.context::close, "1 protection domain", "1 device memory");
        pd.close();
        dm.close();
        rig.context.close();
        assertFails(Errno.EINVAL, () -> rig.context.importPd(1), "import_pd", "closed");
        assertFails(Errno.EINVAL, rig.context::exportDevice, "export_device", "closed");
    }

    @Test
    void handleStaysOpenWhenUnimportFails() {
        ProtectionDomain pd = rig.context.importPd(1);
        doThrow(new VerbsException(Errno.EBUSY, "unimport_pd", "not yet"))
                .doNothing()
                .when(rig.unimportPd)
                .unimportPd(pd);

        assertFails(Errno.EBUSY, pd::close, "not yet");
        pd.close();
        pd.close();
        verify(rig.unimportPd, times(2)).unimportPd(pd);
    }

    @Test
    void exportsGoToTheProvider() {
        ProtectionDomain pd = rig.context.allocPd();
        MemoryRegion mr = pd.regMr(0x1000, 64, 0);
        DeviceMemory dm = rig.context.allocDm(new AllocDmAttr().length(8));
        Fd fd = new Fd(9);
        when(rig.exportDevice.exportDevice()).thenReturn(fd).thenReturn(null);
        when(rig.exportHandle.exportHandle(pd)).thenReturn(1);
        when(rig.exportHandle.exportHandle(mr)).thenReturn(2);
        when(rig.exportHandle.exportHandle(dm)).thenReturn(-3);

        assertThat(rig.context.exportDevice()).isSameAs(fd);
        assertFails(Errno.EIO, rig.context::exportDevice, "export_device", "null");
        assertThat(pd.exportHandle()).isEqualTo(1);
        assertThat(mr.exportHandle()).isEqualTo(2);
        assertThat(dm.exportHandle()).isEqualTo(-3);
        mr.close();
        assertFails(Errno.EINVAL, mr::exportHandle, "export_handle", "closed");
    }

    /** What a provider may not return. */
    @Test
    void brokenProvidersAreReported() {
        ProtectionDomain pd = rig.context.allocPd();
        ProtectionDomain other = rig.context.allocPd();
        ProtectionDomain foreign = new ImportRig().context.allocPd();
        when(rig.importPd.importPd(1)).thenReturn(null);
        when(rig.importPd.importPd(2)).thenReturn(pd);
        when(rig.importPd.importPd(3)).thenReturn(foreign);
        when(rig.importMr.importMr(pd, 4)).thenReturn(new Fakes.FakeMr(other, 0, 8, 0));
        when(rig.importDm.importDm(5, 8)).thenReturn(new MemoryRig.FakeDm(rig.context, 16));

        assertFails(Errno.EIO, () -> rig.context.importPd(1), "import_pd", "null");
        assertFails(Errno.EIO, () -> rig.context.importPd(2), "import_pd", "had returned before");
        assertFails(Errno.EIO, () -> rig.context.importPd(3), "import_pd", "another context");
        assertFails(Errno.EIO, () -> pd.importMr(4), "import_mr", "another protection domain");
        assertFails(Errno.EIO, () -> rig.context.importDm(5, 8), "import_dm", "another length");
        assertThat(pd.isImported()).as("the domain that was not imported").isFalse();
    }

    @Test
    void providerWithoutVerbsIsNamed() {
        ImportRig bare = new ImportRig(
                ContextSlot.IMPORT_PD,
                ContextSlot.UNIMPORT_PD,
                ContextSlot.IMPORT_MR,
                ContextSlot.UNIMPORT_MR,
                ContextSlot.IMPORT_DM,
                ContextSlot.UNIMPORT_DM,
                ContextSlot.EXPORT_DEVICE,
                ContextSlot.EXPORT_HANDLE);
        Context context = bare.context;
        ProtectionDomain pd = context.allocPd();
        Map<String, ThrowingCallable> verbs = Map.of(
                "import_pd", () -> context.importPd(1),
                "import_mr", () -> pd.importMr(1),
                "import_dm", () -> context.importDm(1, 1),
                "export_device", context::exportDevice,
                "export_handle", pd::exportHandle);

        verbs.forEach((verb, call) -> assertFails(
                Errno.EOPNOTSUPP,
                call,
                "the device can't: " + verb + " came with level 4, the library is level 4",
                "provider 'ext' of level 4"));
    }

    /** A provider that could not free what it imports is refused when the device is opened. */
    @ParameterizedTest
    @ValueSource(ints = {ContextSlot.UNIMPORT_PD, ContextSlot.UNIMPORT_MR, ContextSlot.UNIMPORT_DM})
    void importWithoutUnimportIsRefused(int unimport) {
        String verb = ContextSlot.verb(unimport).substring("un".length());

        assertFails(Errno.EIO, () -> new ImportRig(unimport), "has " + verb + " but not un" + verb);
    }

    @Test
    void objectsOfAnotherContextAreRefused() {
        ProtectionDomain foreign = new ImportRig().context.allocPd();

        assertFails(Errno.EINVAL, () -> importer().importMr(foreign, 1), "import_mr", "another context");
        assertFails(Errno.EINVAL, () -> exporter().exportHandle(foreign), "export_handle", "another context");
        assertFails(Errno.EINVAL, () -> exporter().exportHandle(null), "export_handle", "object is null");
    }

    private ImportVerbs importer() {
        return (ImportVerbs) ((LibraryContext) rig.context).table().library(ContextSlot.IMPORT_MR);
    }

    private ImportVerbs exporter() {
        return (ImportVerbs) ((LibraryContext) rig.context).table().library(ContextSlot.EXPORT_HANDLE);
    }
}
