/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ChildReportTest {
    @Test
    void writtenReportReadsBackEqual() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ChildReport report = new ChildReport(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        report.port(40123);
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("messages", 1000L);
        values.put("bytes", 4096000L);
        report.result(values);
        assertThat(bytes.toString(StandardCharsets.UTF_8))
                .isEqualTo("port 40123\nresult messages=1000 bytes=4096000\n");
        assertThat(ChildReport.parse("messages=1000 bytes=4096000"))
                .isEqualTo(Map.of("messages", "1000", "bytes", "4096000"));
    }
}
