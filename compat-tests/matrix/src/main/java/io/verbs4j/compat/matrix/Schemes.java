/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Runs the eight rows, each with an old and a new provider, under all schemes. */
final class Schemes {
    private final Path scratch;
    private final Jdk jdk;
    private final Map<Path, Compilation> compiled = new HashMap<>();

    Schemes(Path scratch, Jdk jdk) {
        this.scratch = scratch;
        this.jdk = jdk;
    }

    /** {@return the results of all rows of all schemes} */
    List<SchemeResult> run() throws InterruptedException {
        List<SchemeResult> results = new ArrayList<>();
        for (Scheme scheme : Scheme.values()) {
            for (int row = 1; row <= 8; row++) {
                for (int provider = 1; provider <= 2; provider++) {
                    results.add(run(scheme, row, provider));
                }
            }
        }
        return results;
    }

    private SchemeResult run(Scheme scheme, int row, int provider) throws InterruptedException {
        int version = SchemeResult.program(row);
        int header = SchemeResult.header(row);
        Path program = folder(scheme, "program-" + version + "-header", header);
        // Like a developer: header and library of one release, and a provider to try the program with.
        Compilation compilation = compile(
                scheme.program(version), program, header(scheme, header), library(scheme, header), provider(scheme, 1));
        if (!compilation.succeeded()) {
            return SchemeResult.refused(scheme, row, provider, compilation);
        }
        int library = SchemeResult.library(row);
        List<Path> path = new ArrayList<>(List.of(program));
        if (scheme.headerRuns()) {
            path.add(header(scheme, Math.max(Math.max(header, library), provider)));
        }
        path.add(library(scheme, library));
        path.add(provider(scheme, provider));
        List<String> command = new ArrayList<>(ProgramRun.jvm(jdk));
        command.addAll(List.of("-cp", joined(path.stream()), "app.Program"));
        return SchemeResult.ran(scheme, row, provider, ProgramRun.of(command, scratch));
    }

    private Path header(Scheme scheme, int version) {
        return part(folder(scheme, "header", version), scheme.header(version));
    }

    private Path library(Scheme scheme, int version) {
        return part(folder(scheme, "library", version), scheme.library(version), header(scheme, version));
    }

    private Path provider(Scheme scheme, int version) {
        return part(folder(scheme, "provider", version), scheme.provider(version), header(scheme, version));
    }

    private Path part(Path output, Map<String, String> sources, Path... path) {
        Compilation compilation = compile(sources, output, path);
        if (!compilation.succeeded()) {
            throw new IllegalStateException(compilation.complaints().toString());
        }
        return output;
    }

    private Path folder(Scheme scheme, String part, int version) {
        return scratch.resolve("scheme-" + scheme.folder() + "-" + part + "-" + version);
    }

    private Compilation compile(Map<String, String> sources, Path output, Path... path) {
        return compiled.computeIfAbsent(output, key -> {
            List<String> options = List.of(
                    "--release",
                    "17",
                    "-proc:none",
                    "-implicit:none",
                    "-d",
                    output.toString(),
                    "-cp",
                    joined(Stream.of(path)));
            return Compilation.compile(sources, options, output);
        });
    }

    private static String joined(Stream<Path> path) {
        return path.map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }
}
