/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.Context;
import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.DeviceCap;
import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.XrcDomain;
import io.verbs4j.XrcdInitAttr;
import io.verbs4j.XrcdOpenFlags;
import io.verbs4j.core.Verbs;
import io.verbs4j.slot.OpenXrcd;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How XRC domains are opened. */
class XrcDomainTest {
    @TempDir
    Path folder;

    private static XrcDomain open(Context context, Path file, int oflags) {
        return context.openXrcd(new XrcdInitAttr().file(file).oflags(oflags));
    }

    private static void assertErrno(int errno, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(errno));
    }

    @Test
    void flagsBehaveLikeThoseOfOpen() throws IOException {
        Path file = folder.resolve("domain");
        try (Context one = Verbs.open(Verbs.devices().get(0), VerbsLevel.CURRENT);
                Context two = Verbs.open(Verbs.devices().get(0), VerbsLevel.CURRENT)) {
            assertErrno(Errno.ENOENT, () -> open(one, file, 0));
            assertErrno(Errno.ENOENT, () -> open(one, folder.resolve("no/such"), XrcdOpenFlags.CREAT));
            Files.createFile(file);
            assertErrno(Errno.ENOENT, () -> open(one, file, 0)); // a file, but not a domain
            try (XrcDomain first = open(one, file, XrcdOpenFlags.CREAT | XrcdOpenFlags.EXCL)) {
                assertErrno(Errno.EEXIST, () -> open(two, file, XrcdOpenFlags.CREAT | XrcdOpenFlags.EXCL));
                Path link = Files.createLink(folder.resolve("link"), file);
                XrcDomain second = open(two, link, 0);
                assertThat(second).isNotSameAs(first);
                second.close();
                open(two, file, XrcdOpenFlags.CREAT).close();
            }
            assertErrno(Errno.ENOENT, () -> open(two, file, 0)); // gone with its last handle
        }
    }

    @Test
    void deviceReportsXrc() {
        try (Context context = Verbs.open(Verbs.devices().get(0), VerbsLevel.CURRENT)) {
            assertThat(context.queryDevice().deviceCapFlags() & DeviceCap.XRC).isNotZero();
        }
    }

    @Test
    void providerRefusesUnknownBits() {
        TestContext context = TestContext.open((String) null);
        ContextTable table = new ContextTable(ContextSlot.COUNT);
        ((RxeContext) context.libraryOps()).fill(table);
        OpenXrcd open = (OpenXrcd) table.provider(ContextSlot.OPEN_XRCD);
        XrcdInitAttr attr = new XrcdInitAttr().file(null).oflags(XrcdOpenFlags.CREAT);
        open.openXrcd(attr);
        attr.masks(attr.compMask() | 1 << 20, 0);
        assertErrno(Errno.EOPNOTSUPP, () -> open.openXrcd(attr));
        attr.masks(3, 1);
        assertErrno(Errno.EOPNOTSUPP, () -> open.openXrcd(attr));
        context.libraryOps().close();
    }
}
