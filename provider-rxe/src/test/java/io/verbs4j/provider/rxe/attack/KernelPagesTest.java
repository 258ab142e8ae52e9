/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbs4j.AccessFlags;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpType;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import io.verbs4j.provider.rxe.TestContext;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Unreadable pages of the kernel's own mappings, registered by address: only requests that touch them fail. */
@Tag("attack")
class KernelPagesTest {
    private static final int PAGE = 4096;

    /** The pages of {@code [vvar]} and the like: some are readable, some are not. */
    private static List<Long> pages() throws IOException {
        List<Long> pages = new ArrayList<>();
        Path maps = Path.of("/proc/self/maps");
        assumeTrue(Files.isReadable(maps), "no " + maps);
        for (String line : Files.readAllLines(maps)) {
            if (line.contains("[vvar")) {
                String[] range = line.substring(0, line.indexOf(' ')).split("-", 2);
                for (long at = Long.parseLong(range[0], 16); at < Long.parseLong(range[1], 16); at += PAGE) {
                    pages.add(at);
                }
            }
        }
        assumeTrue(!pages.isEmpty(), "the kernel has no such mapping here");
        return pages;
    }

    @ParameterizedTest
    @EnumSource
    void requestsOnKernelPagesFailAlone(Way way) throws IOException {
        try (TestContext context = way.device();
                ProtectionDomain pd = context.allocPd()) {
            for (long page : pages()) {
                read(context, pd, page, true);
                read(context, pd, page, false);
            }
        }
    }

    /** Reads a page remotely, or sends it. */
    private static void read(TestContext context, ProtectionDomain pd, long page, boolean afar) {
        try (End a = new End(context, pd, QpType.RC);
                End b = new End(context, pd, QpType.RC);
                MemoryRegion kernels = pd.regMr(page, PAGE, AccessFlags.REMOTE_READ);
                MemoryRegion plain = a.register(ByteBuffer.allocateDirect(PAGE))) {
            End.connect(a, b);
            SendWorkRequest wr = afar
                    ? End.request(WrOpcode.RDMA_READ, plain, kernels, PAGE)
                    : End.request(WrOpcode.RDMA_WRITE, kernels, plain, PAGE);
            assertThat(a.qp.postSend(wr)).isZero();
            a.expect(WcStatus.SUCCESS, afar ? WcStatus.REM_OP_ERR : WcStatus.LOC_PROT_ERR);
        }
    }
}
