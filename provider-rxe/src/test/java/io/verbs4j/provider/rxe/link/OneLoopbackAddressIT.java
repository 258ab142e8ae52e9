/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.provider.rxe.SuiteProgram;
import io.verbs4j.testsupport.program.Jdk;
import io.verbs4j.testsupport.program.Namespaces;
import io.verbs4j.testsupport.program.Program;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The tests of packets on a machine whose loopback is 127.0.0.1 alone, as macOS has it. */
class OneLoopbackAddressIT {
    private static final String PACKAGES = System.getProperty("x.packages", "(behaviour|gsi|packet|port|xrc)");

    @Test
    void everyTestOfPacketsPasses() throws Exception {
        List<String> command = new ArrayList<>(Namespaces.withOneLoopbackAddress());
        command.addAll(Jdk.own().command(List.of(Jdk.QUICK, "-Xmx1g"), SuiteProgram.class));
        command.add("io\\.verbs4j\\.provider\\.rxe\\." + PACKAGES + "\\..*Test");
        Program.Result result = Program.run(command, 1200);
        assertThat(result.lines()).as(result.text()).contains("failed 0");
    }
}
