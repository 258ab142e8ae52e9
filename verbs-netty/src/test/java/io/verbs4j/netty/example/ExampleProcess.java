/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty.example;

import io.verbs4j.testsupport.Patience;
import io.verbs4j.testsupport.program.Jdk;
import io.verbs4j.testsupport.program.ProgramOfSources;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A program of an example, compiled from its sources and running. */
final class ExampleProcess implements AutoCloseable {
    private static final long SECONDS = Patience.SECONDS;

    private final Process process;
    private final BufferedReader output;

    private ExampleProcess(Process process) {
        this.process = process;
        this.output = process.inputReader();
    }

    /**
     * Starts a program.
     *
     * @param sources folder of its sources
     * @param classes an empty folder
     */
    static ExampleProcess start(List<String> options, Path sources, Path classes, String main, String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>(Jdk.own().command(options, ProgramOfSources.class));
        command.addAll(
                List.of(sources.toString(), Files.createDirectories(classes).toString(), main));
        command.addAll(List.of(arguments));
        return new ExampleProcess(
                new ProcessBuilder(command).redirectErrorStream(true).start());
    }

    /** Returns the next line that it prints. */
    String line() throws IOException {
        String line = output.readLine();
        if (line == null) {
            throw new AssertionError("the program ended");
        }
        return line;
    }

    /** Returns the port in the first line that a server prints. */
    String port() throws IOException {
        String line = line();
        String before = "listening on port ";
        if (!line.startsWith(before)) {
            throw new AssertionError(
                    line + "\n" + String.join("\n", output.lines().toList()));
        }
        return line.substring(before.length());
    }

    /** Closes its input and returns everything that it prints from now on. */
    List<String> rest() throws IOException {
        process.getOutputStream().close();
        return output.lines().toList();
    }

    int status() throws InterruptedException {
        if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("the program did not end");
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
