/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code ./verbs matrix} command. */
@Command(
        name = "verbs matrix",
        description = {
            "Compiles programs of an old and a new release against the header of either, and runs each with the library"
                    + " and the provider of either. Tells which combinations do as they must.",
            "Old is the first frozen level, and then each between; new is the present build."
        },
        descriptionHeading = "%n",
        optionListHeading = "%nOptions:%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:every combination does as expected",
            "1:one does not",
            "2:the command line is not understood, something is missing, or the result could not be written",
            "3:as 0, but in some no data were moved and compared: that these work is not shown"
        })
public final class Main implements Callable<Integer> {
    private static final int MISUSED = 2;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "show this")
    boolean help;

    @Option(
            names = "--full",
            description = "also: every frozen level with every other and the build, each header at run time, class path"
                    + " and module path, JDK 17 and 25")
    boolean full;

    @Option(
            names = "--frozen-only",
            description = "new is the highest frozen level, and the build takes no part; needs two frozen levels")
    boolean frozenOnly;

    @Option(
            names = "--native",
            description =
                    "also: releases of rdma-core below the build's provider, with the kernel's Soft-RoCE in a virtual"
                            + " machine; --full has them where there are releases (compat-tests/rdma-core/fetch) and a machine"
                            + " (compat-tests/guest)")
    boolean withNative;

    @Option(
            names = "--schemes",
            description = "also: the eight rows in miniature under the schemes that the talk rejects, to see which they"
                    + " lose; --full has them")
    boolean withSchemes;

    @Option(
            names = "--guest",
            paramLabel = "KERNEL",
            description = "the virtual machine's kernel: uml, the user-mode Linux that VERBS4J_UML names, or qemu, the"
                    + " distribution's, emulated; by default uml where there is one")
    String guest;

    @Option(names = "--provider", paramLabel = "JAR", description = "the device of this provider instead of Soft-RoCE")
    Path provider;

    @Option(
            names = "--jdk",
            paramLabel = "HOME",
            description = "run the programs on the JDK in this folder; may be repeated; by default the present one")
    List<Path> jdks = new ArrayList<>();

    @Option(
            names = "--jobs",
            paramLabel = "N",
            defaultValue = "2",
            description = "how many JVMs at a time; ${DEFAULT-VALUE} by default")
    int jobs;

    @Option(names = "--keep", description = "keep what was compiled, so that the commands in the reports can be run")
    boolean keep;

    @Option(
            names = "--only",
            paramLabel = "TEXT",
            description =
                    "of the combinations, those whose name has this in it; the reports have their names. Leaves out"
                            + " what --native and --schemes run, unless these are given")
    String only;

    @Option(names = "--json", paramLabel = "FILE", description = "write the results as JSON")
    Path json;

    @Option(names = "--html", paramLabel = "FILE", description = "write a page: the grid, each cell with its output")
    Path html;

    @Option(names = "--markdown", paramLabel = "FILE", description = "write the tables as Markdown")
    Path markdown;

    @Option(names = "--junit", paramLabel = "FILE", description = "write the results as JUnit XML")
    Path junit;

    private final PrintStream out;
    private final PrintStream err;

    private Main(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /** Runs the program and ends the JVM. */
    public static void main(String[] args) {
        System.exit(run(System.out, System.err, args));
    }

    /**
     * Runs the program. The system properties {@code verbs4j.jars} and {@code verbs4j.frozen} name the folders of the
     * jars.
     */
    static int run(PrintStream out, PrintStream err, String... args) {
        int status = new CommandLine(new Main(out, err))
                .setOut(new PrintWriter(out, true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(err, true, StandardCharsets.UTF_8))
                .setUsageHelpWidth(110)
                .setParameterExceptionHandler((e, a) -> {
                    err.println("verbs matrix: " + e.getMessage());
                    err.println("try: verbs matrix --help");
                    return MISUSED;
                })
                .setExecutionExceptionHandler((e, command, result) -> {
                    if (!(e instanceof MatrixException)) {
                        e.printStackTrace(err);
                    }
                    err.println("verbs matrix: " + e.getMessage());
                    return MISUSED;
                })
                .execute(args);
        if (!out.checkError()) {
            return status;
        }
        err.println("verbs matrix: couldn't write to standard output");
        return status == 0 ? MISUSED : status;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (guest != null && !List.of(NativeGuest.UML, NativeGuest.QEMU).contains(guest)) {
            throw new MatrixException("--guest is " + guest + "; take uml or qemu");
        }
        if (jobs < 1) {
            throw new MatrixException("--jobs is " + jobs + "; take 1 or more");
        }
        Path scratch = Matrix.temporaryFolder();
        try {
            Matrix matrix = new Matrix(scratch, Release.jar(folder("verbs4j.jars"), "jna"), jobs);
            List<CellResult> results = run(matrix);
            NativeSection section = runNative(matrix);
            SchemeSection schemes = runSchemes(scratch);
            RunRecord run = RunRecord.of(folder("verbs4j.frozen"), releases(), provider, command(), keep, withNative);
            write(json, JsonReport.of(results, section, schemes, run));
            write(html, HtmlReport.of(results, section, schemes, run));
            write(markdown, TextReports.markdown(results, section, schemes));
            write(junit, TextReports.junit(results, section, run));
            out.print(TextReports.table(results, run));
            out.print("\n" + NativeReports.table(section));
            out.print("\n" + SchemeReports.table(schemes));
            return run.status(results, section);
        } finally {
            if (keep) {
                err.println("verbs matrix: what was compiled is in " + scratch);
            } else {
                delete(scratch);
            }
        }
    }

    /** {@return the command that runs the same combinations again} */
    private String command() {
        StringBuilder command = new StringBuilder("./verbs matrix");
        command.append(full ? " --full" : "").append(frozenOnly ? " --frozen-only" : "");
        if (provider != null) {
            command.append(" --provider ").append(provider.toAbsolutePath());
        }
        jdks.forEach(home -> command.append(" --jdk ").append(home));
        return command.toString();
    }

    private List<Release> releases() {
        List<Release> releases = new ArrayList<>(Release.frozen(folder("verbs4j.frozen")));
        if (!frozenOnly) {
            releases.add(Release.build(folder("verbs4j.jars")));
        } else if (releases.size() < 2) {
            throw new MatrixException("--frozen-only needs two frozen levels, and there is one");
        }
        return releases;
    }

    private List<CellResult> run(Matrix matrix) throws InterruptedException {
        List<Cell> cells = new Combinations(matrix, releases(), provider, chosen())
                .cells(full).stream()
                        .filter(cell -> only == null || cell.toString().contains(only))
                        .toList();
        if (cells.isEmpty()) {
            throw new MatrixException("no combination has in its name what --only tells: " + only);
        }
        AtomicInteger done = new AtomicInteger();
        return matrix.run(
                cells,
                result -> err.println("[" + done.incrementAndGet() + "/" + cells.size() + "] " + result.cell() + ": "
                        + result.outcome() + (result.green() ? "" : "  NOT AS EXPECTED")));
    }

    private NativeSection runNative(Matrix matrix) throws InterruptedException {
        if (!withNative && only != null) {
            return NativeSection.notRun("--only leaves it out; --native has it");
        }
        if (!withNative && !full) {
            return NativeSection.notRun("it was not asked for, by --native or --full");
        }
        if (frozenOnly) {
            return NativeSection.notRun("--frozen-only leaves the build out, and no frozen level has verbs-rdma-core");
        }
        Path tests = folder("verbs4j.frozen").toAbsolutePath().normalize().getParent();
        String shared = System.getenv("VERBS4J_RDMA_CORE");
        Path folder = shared != null ? Path.of(shared) : tests.resolve("target/rdma-core");
        String kernel = guest != null ? guest : NativeGuest.preferred();
        List<NativeRelease> found = NativeRelease.in(folder);
        String missing = NativeMatrix.missing(found, folder, kernel);
        if (!missing.isEmpty()) {
            return NativeSection.notRun(missing);
        }
        NativeMatrix combinations =
                new NativeMatrix(matrix, new NativeGuest(tests.resolve("guest/run"), kernel), folder("verbs4j.jars"));
        List<NativeCell> cells = combinations.cells(releases(), found, full, chosen().get(0));
        AtomicInteger done = new AtomicInteger();
        return NativeSection.of(combinations.run(
                cells, result -> err.println("[" + done.incrementAndGet() + "/" + cells.size() + "] " + result)));
    }

    private SchemeSection runSchemes(Path scratch) throws InterruptedException {
        if (!withSchemes && only != null) {
            return SchemeSection.notRun("--only leaves it out; --schemes has it");
        }
        if (!withSchemes && !full) {
            return SchemeSection.notRun("it was not asked for, by --schemes or --full");
        }
        err.println("the eight rows under " + Scheme.values().length + " schemes");
        return SchemeSection.of(new Schemes(scratch, chosen().get(0)).run());
    }

    private List<Jdk> chosen() {
        if (jdks.isEmpty()) {
            List<Jdk> all = Jdk.all();
            if (full && all.stream().noneMatch(jdk -> jdk.isFeature("25"))) {
                err.println("verbs matrix: JDK 25 is left out: there is none in JAVA25_HOME or /usr/lib/jvm");
            }
            return full ? all : all.subList(0, 1);
        }
        List<Jdk> chosen = new ArrayList<>();
        for (Path home : jdks) {
            Jdk jdk = Jdk.at(home);
            if (jdk == null) {
                throw new MatrixException("--jdk " + home + " is no JDK: there is no bin/java or no file release");
            }
            chosen.add(jdk);
        }
        return chosen;
    }

    private static Path folder(String property) {
        String value = System.getProperty(property);
        if (value == null) {
            throw new MatrixException("the system property " + property + " is not set: start this by ./verbs matrix");
        }
        return Path.of(value);
    }

    private static void write(Path file, String text) {
        if (file != null) {
            try {
                Files.writeString(file, text);
            } catch (IOException e) {
                throw new MatrixException("cannot write " + file + ": " + e);
            }
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
