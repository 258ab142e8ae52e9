/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.guest;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.DeviceCap;
import io.verbs4j.compat.guest.programs.KernelBuilderProgram;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.program.RdmaCore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Atomic writes and flushes on a kernel's device, as far as kernel and librxe support them. */
@Full
class KernelBuiltIT {
    /** Release 0 is the installed one, 44. */
    @ParameterizedTest
    @CsvSource({"33, 0", "0, ATOMIC_WRITE", "65, FLUSH|ATOMIC_WRITE"})
    void builderOffersOperationsOfKernelAndDriver(int release, String built) throws IOException, InterruptedException {
        Guest guest = Guest.quickest();
        List<Path> layers =
                release == 0 ? List.of() : List.of(RdmaCore.release(release).resolve("root"));
        String java = String.join(" ", Guest.java(KernelBuilderProgram.class.getName()));
        Guest.Result result = guest.run("pair", 180, layers, List.of("bash", "-c", KernelOffers.COMMAND + "; " + java));
        assertThat(result.status()).as(String.join("\n", result.lines())).isZero();
        String has = common(KernelOffers.of(result.lines()), built);
        assertThat(result.lines()).contains("built " + has, "creation done", "the end");
        if (has.contains("ATOMIC_WRITE")) {
            assertThat(result.lines())
                    .contains("in order, " + (has.contains("FLUSH") ? "with" : "without") + " flushes")
                    .contains("atomic write by wrong keys fails");
        }
        if (has.contains("FLUSH")) {
            assertThat(result.lines()).contains("flush by wrong keys fails");
        }
    }

    /** {@return the operations that both driver and kernel support; "0" if there are none} */
    private static String common(KernelOffers kernel, String built) {
        List<String> both = new ArrayList<>();
        if (built.contains("FLUSH") && kernel.has(DeviceCap.FLUSH_GLOBAL)) {
            both.add("FLUSH");
        }
        if (built.contains("ATOMIC_WRITE") && kernel.has(DeviceCap.ATOMIC_WRITE)) {
            both.add("ATOMIC_WRITE");
        }
        return both.isEmpty() ? "0" : String.join("|", both);
    }
}
