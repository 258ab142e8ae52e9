/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.loader;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.program.Jdk;
import io.verbs4j.testsupport.program.Program;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Several class loaders, each with its own verbs4j: their devices work side by side, and the loaders can be unloaded.
 * The programs run at the same time, since they mostly wait.
 */
@Full
class ClassLoadersIT {
    private static final int TIMEOUT = 300;
    private static final String SYSTEM_CALLS = "udp";
    private static final String CHANNELS = "nio";

    private static final Map<String, Future<Program.Result>> RUNS = new HashMap<>();

    private static ExecutorService starters;

    static List<Jdk> jdks() throws IOException {
        return Jdk.all();
    }

    @BeforeAll
    static void startAll() throws IOException {
        starters = Executors.newCachedThreadPool();
        for (Jdk jdk : jdks()) {
            for (String link : List.of(SYSTEM_CALLS, CHANNELS)) {
                List<String> options = List.of("-Dio.verbs4j.rxe.link=" + link, "-XX:+UseSerialGC");
                RUNS.put(
                        link + jdk,
                        starters.submit(() -> Program.run(jdk.command(options, LoadersProgram.class), TIMEOUT)));
            }
        }
    }

    @AfterAll
    static void stop() {
        starters.shutdownNow();
    }

    /** Takes 30 s, the time for which JNA's own thread waits for work before it ends. */
    @ParameterizedTest
    @MethodSource("jdks")
    void loadersUnloadWithSystemCalls(Jdk jdk) throws Exception {
        loadersTalkToEachOtherAndGo(jdk, SYSTEM_CALLS);
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void loadersUnloadWithJdkChannels(Jdk jdk) throws Exception {
        loadersTalkToEachOtherAndGo(jdk, CHANNELS);
    }

    private static void loadersTalkToEachOtherAndGo(Jdk jdk, String link) throws Exception {
        assertThat(RUNS.get(link + jdk).get().text().lines())
                .contains("and back|from one to the other", "unloaded: true");
    }
}
