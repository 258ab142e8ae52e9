/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.compat.built.TestClasses;
import io.verbs4j.compat.frozen.FrozenFolder;
import io.verbs4j.compat.frozen.FrozenLevel;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.Patience;
import io.verbs4j.testsupport.program.Jdk;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A program with a frozen release and one with this build exchange messages by RC, in both directions at once: by one
 * copy if the release has it, and otherwise by packets.
 */
@Full
@EnabledOnOs(OS.LINUX)
@Timeout(Patience.TEST_SECONDS)
class PeersIT {
    private static final int FIRST_WITH_ONE_COPY = 3;
    private static final String RECORDS = "x_onecopy_records";

    @TempDir
    Path folder;

    static Stream<FrozenLevel> levels() {
        return FrozenFolder.ofThisProject().requireLevels().stream();
    }

    /** One of the two processes. */
    private final class Side {
        final Process process;
        final Path errors;
        final BufferedReader out;
        final BufferedWriter in;

        Side(int number, List<Path> jars) throws IOException {
            errors = folder.resolve("errors" + number);
            String path = Stream.concat(Stream.of(TestClasses.location(PeerProgram.class)), jars.stream())
                    .map(Path::toString)
                    .collect(Collectors.joining(File.pathSeparator));
            List<String> options = List.of(
                    "-Xmx128m",
                    "-Dio.verbs4j.rxe.counters=-",
                    "-Djava.io.tmpdir=" + folder, // where processes find each other
                    Jdk.CLASS_PATH,
                    path);
            List<String> command = new ArrayList<>(Jdk.own().command(options, PeerProgram.class));
            command.add(Integer.toString(number));
            process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
            out = process.inputReader();
            in = process.outputWriter();
        }

        String hear(Side other) throws IOException {
            String line = out.readLine();
            if (line == null) {
                throw new AssertionError(
                        "a program ended early: " + Files.readString(errors) + Files.readString(other.errors));
            }
            return line;
        }

        void tell(String line) throws IOException {
            in.write(line);
            in.newLine();
            in.flush();
        }

        List<String> end() throws IOException, InterruptedException {
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(Files.readString(errors)).isZero();
            return Files.readAllLines(errors);
        }
    }

    private static List<Path> jars(FrozenLevel level) {
        List<Path> jars = new ArrayList<>();
        FrozenLevel.ARTIFACTS.forEach(artifact -> jars.add(level.jar(artifact)));
        if (level.binding() != null) {
            jars.add(level.binding());
        }
        jars.add(built("jna"));
        return jars;
    }

    private static Path built(String artifact) {
        Path jar = Path.of(System.getProperty("verbs4j.jars"), artifact + ".jar");
        assertThat(jar).isRegularFile();
        return jar;
    }

    private static List<Path> build() {
        return Stream.of("verbs-spi", "verbs-core", "verbs-native", "verbs-rdma-core", "provider-rxe", "jna")
                .map(PeersIT::built)
                .toList();
    }

    @ParameterizedTest
    @MethodSource("levels")
    void releaseAndBuildExchangeMessages(FrozenLevel level) throws Exception {
        Side older = new Side(0, jars(level));
        Side newer = new Side(1, build());
        try {
            for (String said = ""; !said.equals("end"); ) {
                said = older.hear(newer);
                String answer = newer.hear(older);
                newer.tell(said);
                older.tell(answer);
            }
            older.end();
            List<String> counters = newer.end();
            boolean oneCopy = level.level() >= FIRST_WITH_ONE_COPY;
            assertThat(counters.stream().anyMatch(line -> line.contains("r" + RECORDS)))
                    .as(counters.toString())
                    .isEqualTo(oneCopy);
            assertThat(counters.stream().anyMatch(line -> line.contains("t" + RECORDS)))
                    .isEqualTo(oneCopy);
        } finally {
            older.process.destroyForcibly();
            newer.process.destroyForcibly();
        }
    }
}
