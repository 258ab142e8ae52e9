/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.fake;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.rdmacore.call.Libibverbs;
import io.verbs4j.rdmacore.fake.programs.BeyondProgram;
import io.verbs4j.rdmacore.fake.programs.OpenProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A program on past and possible libraries: a test library creates contexts of every size. Using anything beyond the
 * size would end the process.
 */
class FakeContextTest {
    private static final List<String> SIZES =
            List.of("none", "496", "512", "536", "592", "624", "632", "648", "672", "680", "696", "648x");

    @TempDir
    Path scratch;

    private ProgramRun open(List<String> sizes) throws IOException, InterruptedException {
        Path library = FakeLibrary.make(scratch);
        return FakeLibrary.java(
                scratch,
                Map.of(
                        "FAKE_SIZES",
                        String.join(",", sizes),
                        "SYSFS_PATH",
                        FakeLibrary.sysfs(scratch, 2).toString()),
                List.of("-D" + Libibverbs.LIBRARY_PROPERTY + "=" + library),
                List.of(),
                Set.of(),
                OpenProgram.class);
    }

    @Test
    void onlySlotsWithinSizeAreCalled() throws IOException, InterruptedException {
        ProgramRun run = open(SIZES);
        List<String> expected = new ArrayList<>();
        for (String size : SIZES) {
            boolean slot = !size.equals("none") && Integer.parseInt(size.replace("x", "")) >= 648;
            // The exported function returns 111, the slot 222.
            expected.add(size + " port " + (slot ? 222 : 111));
            expected.add(size + " device " + device(size));
            expected.add(size + " slots" + slots(size));
            expected.add(size + " domain " + !(size.equals("none") || size.endsWith("x")));
        }
        assertThat(run.status()).as(run.output()).isZero();
        assertThat(run.lines()).as(run.output()).hasSameSizeAs(expected);
        for (int i = 0; i < expected.size(); i++) {
            String line = run.lines().get(i);
            if (expected.get(i).endsWith("false")) {
                assertThat(line)
                        .startsWith(expected.get(i).replace("false", "open_xrcd: EOPNOTSUPP: the device can't"))
                        .contains("provider 'rdma-core' of level 4");
            } else {
                assertThat(line).isEqualTo(expected.get(i));
            }
        }
    }

    /** Calls the slot, or {@code ibv_query_device} if the driver refuses or the slot is missing. */
    private static String device(String size) {
        return size.equals("none") || size.endsWith("x")
                ? "444 0 0x80000000 0x80000000 2"
                : "555 666 0x10080000000 0x10080000000 2";
    }

    /** The library exports no functions for GIDs and the order of data. */
    private static String slots(String size) {
        if (size.equals("none")) {
            return "";
        }
        int bytes = Integer.parseInt(size.replace("x", ""));
        return " query_values query_device_ex" + (bytes >= 512 ? " modify_cq" : "")
                + (bytes >= 592 ? " modify_qp_rate_limit" : "");
    }

    /** Tests the tests: calling anything beyond the size cannot go unnoticed. */
    @Test
    void callBeyondSizeEndsProcess() throws IOException, InterruptedException {
        assertThat(FakeLibrary.make(scratch)).exists();
        ProgramRun run = FakeLibrary.java(
                scratch,
                Map.of("FAKE_SIZES", "496"),
                List.of(
                        "-XX:-CreateCoredumpOnCrash",
                        "-XX:ErrorFile=" + scratch.resolve("crash.txt"),
                        "-D" + Libibverbs.LIBRARY_PROPERTY + "=" + scratch.resolve("libfakeverbs.so")),
                List.of(),
                Set.of(),
                BeyondProgram.class);
        assertThat(run.status()).as(run.output()).isNotZero();
        assertThat(run.output())
                .contains("the slot is there")
                .contains("SIGSEGV")
                .doesNotContain("survived");
    }
}
