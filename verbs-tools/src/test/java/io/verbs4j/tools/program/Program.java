/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.testsupport.program.Jdk;
import java.io.File;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The built program, in a separate process. */
final class Program implements AutoCloseable {
    private static final long LIMIT_SECONDS = 120;

    private final List<String> command;
    private final Process process;
    private final Text out;
    private final Text err;

    private Program(List<String> command) {
        this.command = command;
        try {
            process = new ProcessBuilder(command).start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        out = new Text(process.inputReader(StandardCharsets.UTF_8));
        err = new Text(process.errorReader(StandardCharsets.UTF_8));
    }

    /** The output of the process so far. */
    private static final class Text {
        @SuppressWarnings("JdkObsolete") // two threads use it
        private final StringBuffer text = new StringBuffer();

        private final Thread reader;

        Text(Reader in) {
            reader = new Thread(() -> {
                char[] piece = new char[4096];
                try (in) {
                    for (int n = in.read(piece); n >= 0; n = in.read(piece)) {
                        text.append(piece, 0, n);
                    }
                } catch (IOException e) {
                    // The process ended during the read.
                }
            });
            reader.setDaemon(true);
            reader.start();
        }

        /** Waits for the end of the output. */
        void await() throws InterruptedException {
            reader.join(TimeUnit.SECONDS.toMillis(LIMIT_SECONDS));
            assertThat(reader.isAlive()).isFalse();
        }

        @Override
        public String toString() {
            return text.toString();
        }
    }

    /** Starts the program with a command line separated by spaces. */
    static Program start(String line) {
        return start(List.of(), line);
    }

    /** Starts the program with additional JVM options. */
    static Program start(List<String> jvm, String line) {
        return start(jvm, List.of(line.split(" ", -1)));
    }

    private static Program start(List<String> jvm, List<String> arguments) {
        return new Program(command(jvm, arguments));
    }

    /** Starts the program through another command, which is given the program's command line. */
    static Program startWithin(List<String> other, String line) {
        List<String> command = new ArrayList<>(other);
        command.addAll(command(List.of(), List.of(line.split(" ", -1))));
        return new Program(command);
    }

    /** Runs the program to its end through another command, which is given the program's command line. */
    static Program within(List<String> other, String line) {
        return startWithin(other, line).await();
    }

    /** Runs the program in a shell, which redirects its standard output. */
    static Program redirected(String line, String to) {
        List<String> command = new ArrayList<>(List.of("bash", "-c", "set -o pipefail; \"$@\" " + to, "bash"));
        command.addAll(command(List.of(), List.of(line.split(" ", -1))));
        return new Program(command).await();
    }

    private static List<String> command(List<String> jvm, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add(Jdk.QUICK);
        command.addAll(jvm);
        command.addAll(List.of("-XX:+UseParallelGC", "-cp", classPath(), "io.verbs4j.tools.Main"));
        command.addAll(arguments);
        return command;
    }

    /** Runs the program to its end. */
    static Program run(String line) {
        return start(line).await();
    }

    /** Runs the program to its end with arguments that may contain spaces. */
    static Program run(List<String> arguments) {
        return start(List.of(), arguments).await();
    }

    /** Returns the built jar and its libraries, or the class path of the tests if there is no jar. */
    private static String classPath() {
        String jar = System.getProperty("verbs4j.tools.jar");
        return jar == null || !Files.isRegularFile(Path.of(jar))
                ? System.getProperty("java.class.path")
                : jar + File.pathSeparator + Path.of(System.getProperty("verbs4j.tools.lib"), "*");
    }

    Program await() {
        try {
            assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS))
                    .as(() -> command + " does not end\n" + err())
                    .isTrue();
            out.await();
            err.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return this;
    }

    /** Waits until the program has written a text to standard error. */
    void awaitError(String text) throws InterruptedException {
        for (int i = 0; i < 6000 && !err().contains(text); i++) {
            assertThat(process.isAlive()).as(this::toString).isTrue();
            Thread.sleep(10);
        }
        assertThat(err()).contains(text);
    }

    /** Asserts that the program ends with status 0. */
    Program succeeds() {
        assertThat(await().process.exitValue()).as(this::toString).isZero();
        return this;
    }

    /** Asserts that the program fails with an exit code and a message, and without a stack trace. */
    Program fails(int exitCode, String message) {
        assertThat(await().process.exitValue()).as(this::toString).isEqualTo(exitCode);
        assertThat(err()).contains(message).doesNotContain("\tat ");
        return this;
    }

    String out() {
        return out.toString();
    }

    String err() {
        return err.toString();
    }

    long pid() {
        return process.pid();
    }

    Process process() {
        return process;
    }

    @Override
    public String toString() {
        return String.join(" ", command) + "\nstandard output:\n" + out() + "\nstandard error:\n" + err();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
