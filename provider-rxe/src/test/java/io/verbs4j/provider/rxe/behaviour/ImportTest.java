/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.verbs4j.AllocDmAttr;
import io.verbs4j.Context;
import io.verbs4j.DeviceMemory;
import io.verbs4j.Errno;
import io.verbs4j.ExportedFd;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MrKeyInitAttr;
import io.verbs4j.OpenAttr;
import io.verbs4j.ParentDomain;
import io.verbs4j.ParentDomainInitAttr;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.core.Verbs;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which contexts and objects can be imported, and which handles keep which objects open. */
class ImportTest {
    private final Context owner = Verbs.open(Verbs.devices().get(0), VerbsLevel.CURRENT);
    private final ProtectionDomain pd = owner.allocPd();

    static int errno(Runnable verb) {
        VerbsException e = catchThrowableOfType(VerbsException.class, verb::run);
        return e == null ? 0 : e.errno();
    }

    @AfterEach
    void close() {
        pd.close();
        owner.close();
    }

    private Context open(int fd) {
        return Verbs.open(owner.device(), VerbsLevel.CURRENT, new OpenAttr().importFd(fd));
    }

    private Context imported() {
        try (ExportedFd fd = owner.exportDevice()) {
            return open(fd.fd());
        }
    }

    @Test
    void descriptorIsPassedOverASocket() {
        int handle = pd.exportHandle();
        ExportedFd fd = owner.exportDevice();
        try (PassedDescriptor passed = new PassedDescriptor(fd.fd())) {
            assertThat(passed.fd).isNotEqualTo(fd.fd());
            fd.close();
            try (Context context = open(passed.fd);
                    ProtectionDomain same = context.importPd(handle)) {
                assertThat(same.exportHandle()).isEqualTo(handle);
            }
        }
    }

    @Test
    void importedContextIsExportedAsItsOrigin() {
        try (Context second = imported();
                ProtectionDomain of = second.allocPd();
                ExportedFd fd = second.exportDevice();
                Context third = open(fd.fd());
                ProtectionDomain fromFirst = third.importPd(pd.exportHandle());
                ProtectionDomain fromSecond = owner.importPd(of.exportHandle())) {
            assertThat(fromFirst.exportHandle()).isEqualTo(pd.exportHandle());
            assertThat(fromSecond.exportHandle()).isEqualTo(of.exportHandle()).isNotEqualTo(pd.exportHandle());
        }
    }

    @Test
    void unrelatedContextsShareNothing() {
        try (Context other = Verbs.open(owner.device(), VerbsLevel.CURRENT)) {
            int handle = pd.exportHandle();
            assertThat(errno(() -> other.importPd(handle))).isEqualTo(Errno.EINVAL);
        }
    }

    @Test
    void domainIsBusyWhileImported() {
        ProtectionDomain domain = owner.allocPd();
        try (Context context = imported()) {
            ProtectionDomain first = context.importPd(domain.exportHandle());
            ProtectionDomain second = context.importPd(domain.exportHandle());
            assertThat(errno(domain::close)).isEqualTo(Errno.EBUSY);
            first.close();
            first.close();
            assertThat(errno(domain::close)).as("close with one handle left").isEqualTo(Errno.EBUSY);
            int handle = domain.exportHandle();
            second.close();
            domain.close();
            assertThat(errno(() -> context.importPd(handle))).isEqualTo(Errno.EINVAL);
        }
    }

    @Test
    void handlesAreOfOneKind() {
        MemoryRegion mr = pd.regMr(ByteBuffer.allocateDirect(8), 0);
        DeviceMemory dm = owner.allocDm(new AllocDmAttr().length(64));
        ProtectionDomain otherPd = owner.allocPd();
        ParentDomain parent = owner.allocParentDomain(new ParentDomainInitAttr().pd(pd));
        try (Context context = imported();
                ProtectionDomain same = context.importPd(pd.exportHandle());
                ProtectionDomain other = context.importPd(otherPd.exportHandle())) {
            assertThat(mr.exportHandle()).isEqualTo(mr.exportHandle()).isNotEqualTo(dm.exportHandle());
            assertThat(parent.exportHandle()).isEqualTo(pd.exportHandle());
            assertThat(errno(() -> context.importPd(mr.exportHandle()))).isEqualTo(Errno.EINVAL);
            assertThat(errno(() -> context.importDm(pd.exportHandle(), 1))).isEqualTo(Errno.EINVAL);
            assertThat(errno(() -> same.importMr(dm.exportHandle()))).isEqualTo(Errno.EINVAL);
            assertThat(errno(() -> same.importMr(0))).isEqualTo(Errno.EINVAL);
            assertThat(errno(() -> other.importMr(mr.exportHandle()))).isEqualTo(Errno.EINVAL);
            assertThat(errno(() -> context.importDm(dm.exportHandle(), 65))).isEqualTo(Errno.EINVAL);
            int gone = mr.exportHandle();
            int freed = dm.exportHandle();
            mr.close();
            dm.close();
            assertThat(errno(() -> same.importMr(gone))).isEqualTo(Errno.EINVAL);
            assertThat(errno(() -> context.importDm(freed, 1))).isEqualTo(Errno.EINVAL);
        }
        parent.close();
        otherPd.close();
    }

    @Test
    void unmappedKeysCannotBeExported() {
        try (MemoryRegion key = pd.allocMrKey(new MrKeyInitAttr().maxEntries(1))) {
            assertThat(errno(key::exportHandle)).isEqualTo(Errno.EOPNOTSUPP);
        }
    }

    @Test
    void otherDescriptorsAreRefused() {
        assertThat(errno(() -> open(-1))).isEqualTo(Errno.EBADF);
        assertThat(errno(() -> open(1 << 20))).isEqualTo(Errno.EBADF);
        assertThat(errno(() -> open(owner.asyncEventDescriptor())))
                .as("an eventfd")
                .isEqualTo(Errno.EINVAL);
        assertThat(errno(() -> open(1))).as("standard output").isEqualTo(Errno.EINVAL);
        try (ExportedFd fd = owner.exportDevice()) {
            VerbsException e = catchThrowableOfType(
                    VerbsException.class,
                    () -> Verbs.open(Verbs.devices().get(1), VerbsLevel.CURRENT, new OpenAttr().importFd(fd.fd())));
            assertThat(e.errno()).isEqualTo(Errno.EOPNOTSUPP);
            assertThat(e).hasMessageContaining("of another device");
        }
    }

    /** The descriptor alone keeps nothing open. */
    @Test
    void nothingIsLeftWhenAllContextsAreClosed() {
        Context first = Verbs.open(owner.device(), VerbsLevel.CURRENT);
        try (ExportedFd fd = first.exportDevice()) {
            Context second = open(fd.fd());
            first.close();
            open(fd.fd()).close();
            second.close();
            assertThat(errno(() -> open(fd.fd()))).isEqualTo(Errno.EOPNOTSUPP);
        }
    }
}
