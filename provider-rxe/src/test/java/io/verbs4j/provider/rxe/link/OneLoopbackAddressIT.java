/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.testsupport.Extent;
import io.verbs4j.testsupport.program.Jdk;
import io.verbs4j.testsupport.program.Namespaces;
import io.verbs4j.testsupport.program.Program;
import io.verbs4j.testsupport.program.Suite;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests of packets and connections on a network like that of macOS, where 127.0.0.1 is the only loopback address. */
class OneLoopbackAddressIT {
    private static final int SECONDS = 1200;

    /** All tests; in the short run only those of what programs do first. */
    static List<String> patterns() {
        List<String> all = List.of(
                "behaviour\\.(Rc|Ud)PathsTest",
                "docs\\.DocumentedProgramsTest",
                "behaviour\\.(Uc|Xrc|Memory|Windows|Builder|Completions)PathsTest",
                "gsi\\.(Connections|Localhost|ConnectionEnd|LastMessage|Request)Test",
                "xrc\\.XrcProcessesIT");
        return Extent.isFull() ? all : all.subList(0, 2);
    }

    @ParameterizedTest
    @MethodSource("patterns")
    void testsPassWithOneLoopbackAddress(String pattern) throws Exception {
        List<String> command = new ArrayList<>(Namespaces.withOneLoopbackAddress());
        command.addAll(Jdk.own()
                .command(
                        List.of(
                                Jdk.QUICK,
                                "-Xmx1g",
                                "-Dverbs4j.test.path=WIRE",
                                "-Dio.verbs4j.rxe.devices=2",
                                "-Dio.verbs4j.rxe.onecopy=false"),
                        Suite.class));
        command.addAll(List.of("io.verbs4j.provider.rxe", "io\\.verbs4j\\.provider\\.rxe\\." + pattern));
        Program.Result result = Program.run(command, SECONDS);
        assertThat(result.status()).as(result.text()).isZero();
    }
}
