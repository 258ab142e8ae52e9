/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.loader;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.testsupport.program.Jdk;
import io.verbs4j.testsupport.program.Program;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Class loaders that each have verbs4j: their devices work side by side, and the loaders can be unloaded. */
class ClassLoadersIT {
    private static final int TIMEOUT = 300;

    static List<Jdk> jdks() throws IOException {
        return Jdk.all();
    }

    /** It takes 30 s: so long does JNA's own thread wait for work before it ends. */
    @ParameterizedTest
    @MethodSource("jdks")
    void withSystemCalls(Jdk jdk) throws Exception {
        loadersTalkToEachOtherAndGo(jdk, "udp");
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void withTheChannelsOfTheJdk(Jdk jdk) throws Exception {
        loadersTalkToEachOtherAndGo(jdk, "nio");
    }

    private static void loadersTalkToEachOtherAndGo(Jdk jdk, String link) throws Exception {
        List<String> options = List.of("-Dio.verbs4j.rxe.link=" + link, "-XX:+UseSerialGC");

        assertThat(Program.run(jdk.command(options, LoadersProgram.class), TIMEOUT)
                        .text()
                        .lines())
                .contains("and back|from one to the other", "unloaded: true");
    }
}
