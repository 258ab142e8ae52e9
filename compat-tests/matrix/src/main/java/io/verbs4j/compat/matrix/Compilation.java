/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * The result of compiling a program.
 *
 * @param command how to compile it again
 * @param classes folder of the classes
 * @param complaints the errors, each with its code and text; empty if there are none
 */
public record Compilation(String command, Path classes, List<Complaint> complaints) {
    /**
     * An error of javac.
     *
     * @param code javac's code of the error
     * @param text the message
     */
    public record Complaint(String code, String text) {}

    /** Compiles for Java 17, like a developer who has the header and the library of one release. */
    static Compilation of(AppSource app, Release release, Path output) {
        String path = release.header() + java.io.File.pathSeparator + release.library();
        List<String> options =
                List.of("--release", "17", "-proc:none", "-Xmaxerrs", "5000", "-d", output.toString(), "-p", path);
        return compile(app.sources(), options, output);
    }

    /** Compiles with these options. */
    public static Compilation compile(Map<String, String> sources, List<String> options, Path output) {
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        if (javac == null) {
            throw new MatrixException("this is a JRE without javac: set JAVA_HOME to a JDK");
        }
        List<Path> units = new ArrayList<>();
        Path files = output.resolveSibling(output.getFileName() + "-src");
        try {
            Files.createDirectories(output);
            for (Map.Entry<String, String> source : sources.entrySet()) {
                Path file = files.resolve(source.getKey());
                Files.createDirectories(file.getParent());
                Files.writeString(file, source.getValue());
                units.add(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write to " + output, e);
        }
        DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
        boolean done;
        try (StandardJavaFileManager manager =
                javac.getStandardFileManager(null, Locale.ROOT, StandardCharsets.UTF_8)) {
            done = javac.getTask(null, manager, diagnostics, options, null, manager.getJavaFileObjectsFromPaths(units))
                    .call();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<Complaint> complaints = diagnostics.getDiagnostics().stream()
                .filter(diagnostic -> diagnostic.getKind() == Diagnostic.Kind.ERROR)
                .map(diagnostic -> new Complaint(
                        diagnostic.getCode(),
                        (diagnostic.getSource() == null
                                        ? ""
                                        : diagnostic.getSource().getName() + ":" + diagnostic.getLineNumber() + ": ")
                                + diagnostic.getMessage(Locale.ROOT)))
                .toList();
        if (!done && complaints.isEmpty()) {
            throw new IllegalStateException("javac failed without reporting an error: " + options);
        }
        String command = Stream.concat(options.stream(), units.stream().map(Path::toString))
                .collect(Collectors.joining(" ", "javac ", ""));
        return new Compilation(command, output, complaints);
    }

    boolean succeeded() {
        return complaints.isEmpty();
    }
}
