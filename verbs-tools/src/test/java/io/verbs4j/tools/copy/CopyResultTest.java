/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.copy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CopyResultTest {
    @Test
    void rateCountsTransferredBytesOnly() {
        assertThat(new CopyResult("a", 3_000_000, 0, false, 0, 2, "5e").text())
                .isEqualTo("a: 3000000 bytes in 2.00 s (1.5 MB/s), sha256 5e, verified");
        assertThat(new CopyResult("a\u001b[", 3_000_000, 1_000_000, false, 1, 2, "5e").text())
                .isEqualTo("a.[: 3000000 bytes in 2.00 s (1.0 MB/s), 1000000 of them already there,"
                        + " reconnected once, sha256 5e, verified");
        assertThat(new CopyResult("a", 3, 0, false, 2, 0, "5e").text()).contains("reconnected 2 times");
    }

    @Test
    void unchangedFileIsReportedAsNotSent() {
        CopyResult result = new CopyResult("a", 3, 3, true, 0, 2, "5e");
        assertThat(result.text()).isEqualTo("a: not sent: its 3 bytes are already there, sha256 5e, verified");
        assertThat(result.json()).containsEntry("sent", false).containsEntry("bytesPerSecond", 0.0);
    }
}
