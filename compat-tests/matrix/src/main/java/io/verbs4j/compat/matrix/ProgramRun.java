/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The result of a program that ran in its own JVM.
 *
 * @param command how it was started
 * @param status its exit status, or -1 if it had to be killed
 * @param out its standard output
 * @param err its standard error
 */
public record ProgramRun(List<String> command, int status, String out, String err) {
    private static final long PATIENCE_SECONDS = 60;

    /** {@return the command of a combination whose program is compiled} */
    static List<String> command(Cell cell, Path classes, Path jna) {
        List<String> path = new ArrayList<>();
        path.add(classes.toString());
        path.add(cell.runtimeHeader().header().toString());
        path.add(cell.library().library().toString());
        cell.provider().path().forEach(jar -> path.add(jar.toString()));
        if (jna != null) {
            path.add(jna.toString());
        }
        String joined = String.join(File.pathSeparator, path);
        List<String> command = new ArrayList<>(jvm(cell.jdk()));
        String main = "app." + cell.app().mainClass();
        if (cell.modular()) {
            command.addAll(List.of("-p", joined));
            if (jna != null) {
                // The provider works without JNA, so it does not add JNA to the modules.
                command.addAll(List.of("--add-modules", "com.sun.jna"));
            }
            command.addAll(List.of("-m", "app/" + main));
        } else {
            command.addAll(List.of("-cp", joined, main));
        }
        command.add(cell.provider().jar().toString());
        return command;
    }

    /** {@return the command of a JVM that starts quickly and needs little memory} */
    static List<String> jvm(Jdk jdk) {
        return List.of(
                jdk.java().toString(), "-Xmx256m", "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-XX:+UseSerialGC");
    }

    /** Runs a command to its end. */
    static ProgramRun of(List<String> command, Path scratch) throws InterruptedException {
        try {
            // Files, not pipes: nobody has to read while the program runs.
            Path out = Files.createTempFile(scratch, "out", ".txt");
            Path err = Files.createTempFile(scratch, "err", ".txt");
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
            // Options from outside would make the JVM write to its standard error, and affect what is tested.
            List.of("CLASSPATH", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS").forEach(builder.environment()::remove);
            Process process = builder.start();
            int status = -1;
            String late = "";
            try {
                if (process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                    status = process.exitValue();
                } else {
                    late = "(killed after " + PATIENCE_SECONDS + " s)\n";
                }
            } finally {
                process.destroyForcibly();
            }
            return new ProgramRun(command, status, read(out), late + read(err));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run " + command, e);
        }
    }

    private static String read(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    }

    /** {@return the lines with results} */
    List<Line> lines() {
        return lines(out);
    }

    /** {@return the lines with results in a text} */
    static List<Line> lines(String text) {
        List<Line> lines = new ArrayList<>();
        text.lines().filter(line -> line.startsWith("result\t")).forEach(line -> {
            String[] fields = line.split("\t", 5);
            if (fields.length == 5) {
                lines.add(new Line(fields[1], fields[2], fields[3], fields[4]));
            }
        });
        return lines;
    }

    /** {@return the other output, of either stream: a JVM that does not start reports that on its standard output} */
    String remarks() {
        return Stream.concat(err.lines(), out.lines().filter(line -> !line.startsWith("result\t")))
                .collect(Collectors.joining("\n"));
    }

    /**
     * A result.
     *
     * @param group the group of the step
     * @param step the step
     * @param status how it ended
     * @param text more about it
     */
    record Line(String group, String step, String status, String text) {}
}
