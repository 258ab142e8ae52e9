/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.Errno;
import io.verbs4j.natives.call.Libc;
import io.verbs4j.natives.call.NativeBinding;
import io.verbs4j.natives.memory.Scratch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The messages for drivers' errors. */
class AnswersTest {
    private static String words(String verb, int errno) {
        return Answers.failed(verb, errno).getMessage();
    }

    @ParameterizedTest
    @ValueSource(ints = {Errno.EOPNOTSUPP, Errno.EPROTONOSUPPORT, Errno.ENOSYS})
    void missingTypeIsNotReportedAsMissingVerb(int errno) {
        assertThat(words("create_qp", errno))
                .startsWith("create_qp: EOPNOTSUPP: the driver refused"
                        + (errno == Errno.EOPNOTSUPP ? "" : " (" + Errno.describe(errno) + ")")
                        + ": this device, or its driver, ")
                .contains("does not have queue pairs of this type")
                .doesNotContain("this verb", "manual");
        assertThat(words("create_srq_ex", errno)).contains("shared receive queues");
        assertThat(words("open_xrcd", errno)).contains("does not have this verb");
    }

    @ParameterizedTest
    @CsvSource({"28, no space left", "11, nothing available now", "9999, "})
    void errnoWithoutOwnMessageIsDescribed(int errno, String words) {
        assertThat(words("create_qp", errno))
                .contains(words == null ? "the driver refused" : words, "; the kernel log may have details")
                .doesNotContain("manual");
    }

    /** For an unknown request, a driver's EINVAL, or a missing errno, means that the driver does not know it either. */
    @Test
    void unknownRequestIsReportedAsUnsupported() {
        assertThat(Answers.checkPointer("create_qp", 1, false)).isOne();
        assertThatThrownBy(() -> refuse(Errno.EINVAL, false)).hasMessageStartingWith("create_qp: EOPNOTSUPP");
        assertThatThrownBy(() -> refuse(Errno.EINVAL, true)).hasMessageStartingWith("create_qp: EINVAL");
        assertThatThrownBy(() -> refuse(Errno.EPERM, false)).hasMessageStartingWith("create_qp: EPERM");
    }

    @Test
    void minusOneStandsForErrnoOfCall() {
        try (Scratch empty = new Scratch(1)) {
            assertThat(Libc.open(empty.address(), 0, 0)).isEqualTo(-1);
        }
        assertThat(Answers.errno(-1)).isEqualTo(Errno.ENOENT);
    }

    private static void refuse(int errno, boolean known) {
        NativeBinding.errno(errno);
        Answers.checkPointer("create_qp", 0, known);
    }

    @Test
    void outOfMemoryNamesExhaustedResource() {
        assertThat(words("reg_mr", Errno.ENOMEM)).contains("ulimit -l");
        assertThat(words("create_cq", Errno.ENOMEM)).contains("the device has no more of these");
    }
}
