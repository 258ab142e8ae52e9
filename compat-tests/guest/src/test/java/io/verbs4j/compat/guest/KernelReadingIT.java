/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.guest;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.compat.guest.programs.KernelReadingProgram;
import io.verbs4j.testsupport.Full;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Extended completion queues of the kernel's device. */
@Full
class KernelReadingIT {
    @Test
    void completionsAreReadOneByOne() {
        String java = String.join(" ", Guest.java(KernelReadingProgram.class.getName()));
        Guest.Result result = Guest.quickest().run("pair", 240, List.of("bash", "-c", java));
        assertThat(result.status()).as(String.join("\n", result.lines())).isZero();
        assertThat(result.lines())
                .contains("0 success SEND", "119 success RECV 64 immediate 19")
                .contains("the kernel's completions are read one by one");
    }
}
