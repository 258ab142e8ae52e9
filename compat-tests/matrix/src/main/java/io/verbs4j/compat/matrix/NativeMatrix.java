/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The combinations of Java levels with releases of rdma-core. The guest boots once for each release. */
final class NativeMatrix {
    /** The guest's Soft-RoCE device. */
    private static final String DEVICE = "rxe0";

    /**
     * An emulated provider that shares the machine may need more than the limit of half a minute; the guest has its own
     * limit.
     */
    private static final String NO_TIME_LIMIT = "-Dio.verbs4j.provider.timeout=0";

    private static final String PROBE = "probe/NativeProbe.java";

    private final Matrix matrix;
    private final NativeGuest guest;
    private final Release build;
    private final Path binding;
    private final Path natives;
    private final Path jna;
    private Path probe;

    /**
     * Prepares a run.
     *
     * @param jars folder of the build's jars
     */
    NativeMatrix(Matrix matrix, NativeGuest guest, Path jars) {
        this.matrix = matrix;
        this.guest = guest;
        this.build = Release.build(jars);
        this.binding = Release.jar(jars, "verbs-rdma-core");
        this.natives = Release.jar(jars, "verbs-native");
        this.jna = Release.jar(jars, "jna");
    }

    /**
     * {@return the Java parties of each row, with one provider} The rows are: each release by itself, the oldest
     * program with the newest library, and the newest program with the oldest library; with {@code full} every program
     * with every library. The loaded header is the newest of the parties'. The provider is always the build's, because
     * no frozen level had the binding.
     */
    static List<Cell> rows(List<Release> releases, Subject provider, boolean full, Jdk jdk) {
        Release first = releases.get(0);
        Release last = releases.get(releases.size() - 1);
        List<Cell> rows = new ArrayList<>();
        for (Release program : releases) {
            for (Release library : releases) {
                boolean ends =
                        program.equals(first) && library.equals(last) || program.equals(last) && library.equals(first);
                if (full || program.equals(library) || ends) {
                    rows.add(new Cell(
                            rows.size() + 1,
                            AppSource.ofLevel(program.level()).named(program.name()),
                            program,
                            library,
                            provider,
                            Plan.newest(releases, program, library, provider),
                            false,
                            jdk));
                }
            }
        }
        return rows;
    }

    /** {@return the rows with each release of rdma-core} */
    List<NativeCell> cells(List<Release> levels, List<NativeRelease> releases, boolean full, Jdk jdk) {
        List<NativeCell> cells = new ArrayList<>();
        for (NativeRelease release : releases) {
            rows(levels, Subject.of(build), full, jdk).forEach(row -> cells.add(new NativeCell(row, binding, release)));
        }
        return cells;
    }

    /**
     * Runs combinations.
     *
     * @return the results, grouped by release
     */
    List<NativeResult> run(List<NativeCell> cells, Consumer<NativeResult> progress) throws InterruptedException {
        List<NativeResult> results = new ArrayList<>();
        for (NativeRelease release :
                cells.stream().map(NativeCell::release).distinct().toList()) {
            List<NativeCell> ofRelease = cells.stream()
                    .filter(cell -> cell.release().equals(release))
                    .toList();
            List<List<String>> commands = ofRelease.stream().map(this::command).toList();
            List<ProgramRun> runs = guest.run(release.root(), commands, matrix.scratch());
            for (int i = 0; i < runs.size(); i++) {
                NativeResult result = NativeJudge.ran(ofRelease.get(i), runs.get(i));
                progress.accept(result);
                results.add(result);
            }
        }
        return results;
    }

    private List<String> command(NativeCell combination) {
        Cell cell = combination.cell();
        Compilation program = matrix.compile(cell.app(), cell.header());
        if (!program.succeeded()) {
            throw new MatrixException(cell.app().name() + " does not compile with "
                    + cell.header().header() + ": "
                    + program.complaints().get(0).text());
        }
        List<Path> path = List.of(
                program.classes(),
                probe(),
                cell.runtimeHeader().header(),
                cell.library().library(),
                cell.provider().jar(),
                combination.binding(),
                natives,
                jna);
        List<String> command = new ArrayList<>(ProgramRun.jvm(cell.jdk()));
        command.addAll(List.of("-Dapp.device=" + DEVICE, "-Dapp.gid=1", NO_TIME_LIMIT, "-cp", joined(path)));
        command.add("probe.NativeProbe");
        command.addAll(List.of(
                "app." + cell.app().mainClass(),
                cell.provider().jar().toString(),
                String.join(",", NativeSlots.ORDER)));
        return command;
    }

    private static String joined(List<Path> path) {
        return String.join(File.pathSeparator, path.stream().map(Path::toString).toList());
    }

    /** Compiles the probe, which belongs to the build, as the binding does. */
    private Path probe() {
        if (probe == null) {
            Path output = matrix.scratch().resolve("probe");
            String path = joined(List.of(build.header(), build.provider(), binding, natives, jna));
            List<String> options =
                    List.of("--release", "17", "-proc:none", "-nowarn", "-d", output.toString(), "-cp", path);
            Compilation compilation = Compilation.compile(Map.of(PROBE, source()), options, output);
            if (!compilation.succeeded()) {
                throw new IllegalStateException("the probe does not compile: "
                        + compilation.complaints().get(0).text());
            }
            probe = output;
        }
        return probe;
    }

    private static String source() {
        try (InputStream in = NativeMatrix.class.getResourceAsStream(PROBE)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return why the section can't be run here, or an empty string} */
    static String missing(List<NativeRelease> releases, Path folder, String kernel) {
        List<String> reasons = Stream.of(
                        releases.isEmpty()
                                ? "there is no release of rdma-core in " + folder + ": run compat-tests/rdma-core/fetch"
                                : "",
                        NativeGuest.missing(kernel))
                .filter(reason -> !reason.isEmpty())
                .toList();
        return String.join("; ", reasons);
    }
}
