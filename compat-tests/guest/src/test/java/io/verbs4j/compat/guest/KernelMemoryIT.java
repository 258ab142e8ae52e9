/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.guest;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.DeviceCap;
import io.verbs4j.compat.guest.programs.KernelMemoryProgram;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.program.RdmaCore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Regions and memory verbs of level 3 on a kernel's device: what it supports, and the errno of each refusal. */
@Full
class KernelMemoryIT {
    private static final String[] LACKING = {
        "otherPlaceInPage EINVAL",
        "unknownRight EOPNOTSUPP",
        "dmabuf EOPNOTSUPP",
        "null EOPNOTSUPP",
        "td EOPNOTSUPP",
        "parent EOPNOTSUPP",
        "dm EOPNOTSUPP",
        "implicit EOPNOTSUPP",
        "blockLoopback EOPNOTSUPP",
    };

    private record Answers(KernelOffers kernel, List<String> lines) {}

    private static Answers answers(Guest guest, List<Path> layers) {
        String java = String.join(" ", Guest.java(KernelMemoryProgram.class.getName()));
        Guest.Result result = guest.run("pair", 180, layers, List.of("bash", "-c", KernelOffers.COMMAND + "; " + java));
        assertThat(result.status()).as("%s", result.lines()).isZero();
        List<String> answers = result.lines().stream()
                .filter(line -> line.startsWith("answer "))
                .map(line -> line.substring("answer ".length()).replaceFirst(" (\\(.*|\\|.*)", ""))
                .toList();
        assertThat(answers)
                .as("%s", result.lines())
                .contains(LACKING)
                .contains(
                        "zeroBased yes",
                        "iova yes",
                        "lowLatency yes",
                        "flags true 0",
                        "ud SEND|SEND_WITH_IMM",
                        "xrc 0");
        return new Answers(KernelOffers.of(result.lines()), answers);
    }

    @Test
    void installedLibraryRefusesOnDemandRegions() {
        Answers answers = answers(Guest.quickest(), List.of());
        KernelOffers kernel = answers.kernel();
        assertThat(answers.lines())
                .contains("onDemand EOPNOTSUPP", "implicit EOPNOTSUPP", "advise notOnDemand EOPNOTSUPP");
        String access = "access LOCAL_WRITE|REMOTE_WRITE|REMOTE_READ|REMOTE_ATOMIC|MW_BIND|ZERO_BASED|";
        assertThat(answers.lines())
                .contains(access
                        + (kernel.has(DeviceCap.FLUSH_GLOBAL) ? "FLUSH_GLOBAL|" : "")
                        + (kernel.has(DeviceCap.FLUSH_PERSISTENT) ? "FLUSH_PERSISTENT|" : "")
                        + "RELAXED_ORDERING");
    }

    /** librxe has offered advice since release 59. The binding does not, because advice is about on-demand regions. */
    @Test
    void newestLibraryRefusesOnDemandRegions() throws IOException, InterruptedException {
        Answers answers = answers(Guest.quickest(), List.of(RdmaCore.release(65).resolve("root")));
        assertThat(answers.lines()).contains("onDemand EOPNOTSUPP", "advise notOnDemand EOPNOTSUPP");
    }
}
