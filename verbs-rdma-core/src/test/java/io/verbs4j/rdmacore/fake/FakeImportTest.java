/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.fake;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.rdmacore.call.Libibverbs;
import io.verbs4j.rdmacore.fake.programs.ImportProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Imports on a test library: the arguments passed to it, the handling of its results, and leaked descriptors. */
class FakeImportTest {
    @TempDir
    Path scratch;

    private ProgramRun run(Map<String, String> more, String... sources) throws IOException, InterruptedException {
        Path library = FakeLibrary.make(scratch, sources);
        Map<String, String> environment = new HashMap<>(more);
        environment.put("FAKE_SIZES", "648,648,648");
        environment.put("SYSFS_PATH", FakeLibrary.sysfs(scratch, 2).toString());
        ProgramRun run = FakeLibrary.java(
                scratch,
                environment,
                List.of("-D" + Libibverbs.LIBRARY_PROPERTY + "=" + library),
                List.of(),
                Set.of(),
                ImportProgram.class);
        assertThat(run.status()).as(run.output()).isZero();
        return run;
    }

    @Test
    void importCallsReachC() throws IOException, InterruptedException {
        List<String> lines = run(Map.of(), "fakeimports.c").lines();

        assertThat(lines)
                .startsWith(
                        "has import_pd",
                        "has unimport_pd",
                        "has import_mr",
                        "has unimport_mr",
                        "has import_dm",
                        "has unimport_dm",
                        "has export_device",
                        "has export_handle")
                .containsSubsequence(
                        "exported /dev/null",
                        "import_pd 31",
                        "import_mr 4294967294",
                        "import_dm 52",
                        "numbers 31 -2 52",
                        "region 0 4096 0 17 34",
                        "imported true true true, the owner's false",
                        "copied 0 0 77 14",
                        "closing",
                        "unimport_dm 52",
                        "unimport_mr 4294967294",
                        "unimport_pd 31",
                        "dealloc_pd 31",
                        "left open 0");
        assertThat(lines).filteredOn(line -> line.equals("left open 0, true")).hasSize(5);
        said(lines, "/proc/version", "open_device: EINVAL", "is not an RDMA device's descriptor");
        said(lines, "/dev/full", "open_device: ENODEV");
        said(lines, "/dev/urandom", "open_device: EIO");
        said(lines, "/dev/random", "open_device: EOPNOTSUPP", "can't import a context");
        said(lines, "/dev/zero", "open_device: EINVAL", "belongs to fake1; use it");
        said(lines, "no descriptor", "open_device: EBADF");
        said(lines, "a domain of nobody", "import_pd: ENOENT", "the driver refused");
        said(lines, "a driver without", "import_mr: EOPNOTSUPP", "does not have this verb");
    }

    private static void said(List<String> lines, String what, String... words) {
        assertThat(lines)
                .filteredOn(line -> line.startsWith(what + ":"))
                .singleElement(org.assertj.core.api.InstanceOfAssertFactories.STRING)
                .contains(words);
    }

    /** Like every driver except libmlx5: a program that checks first learns that it cannot import. */
    @Test
    void driverWithoutImportsOffersNone() throws IOException, InterruptedException {
        List<String> lines =
                run(Map.of("FAKE_WITHOUT_IMPORTS", "1"), "fakeimports.c").lines();

        assertThat(lines).noneMatch(line -> line.startsWith("has "));
    }

    @Test
    void olderLibraryRefusesImports() throws IOException, InterruptedException {
        List<String> lines = run(Map.of()).lines();

        assertThat(lines).noneMatch(line -> line.startsWith("has "));
        said(lines, "/dev/zero", "open_device: EOPNOTSUPP", "ibv_import_device came with rdma-core 31");
    }
}
