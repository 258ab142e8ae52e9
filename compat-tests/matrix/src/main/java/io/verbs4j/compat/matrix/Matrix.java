/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import io.verbs4j.compat.matrix.ProgramRun.Line;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Runs combinations: each program is compiled once for each header, and each combination has its own JVM. */
public final class Matrix {
    private static final Pattern USED = Pattern.compile("([0-9]+) ([0-9]+) \\[.*\\]");

    private final Path scratch;
    private final Path jna;
    private final int jobs;
    private final Map<List<Object>, Compilation> compilations = new HashMap<>();

    /**
     * Prepares a run.
     *
     * @param scratch folder for compiled classes and output
     * @param jna the jar of JNA, or null
     * @param jobs number of JVMs that run at the same time
     */
    public Matrix(Path scratch, Path jna, int jobs) {
        this.scratch = scratch.toAbsolutePath();
        this.jna = jna;
        this.jobs = jobs;
    }

    /** {@return the folder for compiled classes and output} */
    Path scratch() {
        return scratch;
    }

    /**
     * Runs the combinations.
     *
     * @return the results, in the order of the combinations
     */
    public List<CellResult> run(List<Cell> cells, Consumer<CellResult> progress) throws InterruptedException {
        ExecutorService executor = Executors.newFixedThreadPool(jobs);
        try {
            List<Future<CellResult>> futures = new ArrayList<>();
            for (Cell cell : cells) {
                Compilation compilation = compile(cell.app(), cell.header());
                futures.add(executor.submit(() -> {
                    CellResult result = run(cell, compilation);
                    synchronized (progress) {
                        progress.accept(result);
                    }
                    return result;
                }));
            }
            List<CellResult> results = new ArrayList<>();
            for (Future<CellResult> future : futures) {
                results.add(future.get());
            }
            return results;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } finally {
            executor.shutdownNow();
        }
    }

    private CellResult run(Cell cell, Compilation compilation) throws InterruptedException {
        if (!compilation.succeeded() || Expectation.of(cell).outcome() == Outcome.N) {
            return Judge.compiled(cell, compilation);
        }
        return Judge.ran(cell, start(cell, compilation));
    }

    private ProgramRun start(Cell cell, Compilation compilation) throws InterruptedException {
        return ProgramRun.of(ProgramRun.command(cell, compilation.classes(), jna), scratch);
    }

    /** Compiles a program. Only the planning thread calls this: javac keeps both processors busy by itself. */
    Compilation compile(AppSource app, Release header) {
        // By content, not by the name in the reports.
        return compilations.computeIfAbsent(List.of(app.sources(), header.header()), key -> {
            Path output = scratch.resolve("app-" + compilations.size());
            return Compilation.of(app, header, output);
        });
    }

    /** Queries a foreign provider for its level, with all other parties from one release. */
    public Subject ask(String name, Path jar, Release release, Jdk jdk) throws InterruptedException {
        Path provider = jar.toAbsolutePath().normalize();
        if (!Files.isRegularFile(provider)) {
            throw new MatrixException("no such file: " + jar);
        }
        Cell cell = new Cell(
                0,
                AppSource.ofLevel(1),
                release,
                release,
                new Subject(name, provider, 1, 1, true),
                release,
                false,
                jdk);
        Compilation compilation = compile(cell.app(), release);
        if (!compilation.succeeded()) {
            throw new MatrixException("the program of level 1 does not compile with " + release.header() + ": "
                    + compilation.complaints().get(0).text());
        }
        ProgramRun run = start(cell, compilation);
        for (Line line : run.lines()) {
            Matcher used = USED.matcher(line.text());
            if (line.text().endsWith(" []")) {
                throw new MatrixException("the provider in " + jar + " has no device on this machine");
            }
            if (line.group().equals("provider") && line.status().equals("used") && used.matches()) {
                int level = Integer.parseInt(used.group(1));
                return new Subject(name, provider, level, Integer.parseInt(used.group(2)), true);
            }
            if (line.group().equals("provider")) {
                throw new MatrixException("the provider in " + jar + " is set aside: " + line.text());
            }
        }
        throw new MatrixException(
                "no provider found in " + jar + ": does it contain META-INF/services/io.verbs4j.spi.VerbsProvider? "
                        + run.remarks().strip());
    }

    /** {@return a new folder for a run} */
    static Path temporaryFolder() {
        try {
            return Files.createTempDirectory("verbs-matrix");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
