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
            "Compiles programs of an old and a new release against either header, runs each with either library and"
                    + " provider, and reports which combinations behave as required.",
            "Old is the first frozen level, then each level in between; new is the current build."
        },
        descriptionHeading = "%n",
        optionListHeading = "%nOptions:%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:every combination behaves as expected",
            "1:at least one does not",
            "2:the command line is invalid, something is missing, or the results could not be written",
            "3:as 0, but some combinations moved no data that could be compared, so they are not shown to work"
        })
public final class Main implements Callable<Integer> {
    private static final int MISUSED = 2;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "show this help")
    boolean help;

    @Option(
            names = "--full",
            description = "also combine every frozen level with every other and the build, each header at run time,"
                    + " class path and module path, JDK 17 and 25")
    boolean full;

    @Option(
            names = "--frozen-only",
            description = "use the highest frozen level as new, without the build; requires two frozen levels")
    boolean frozenOnly;

    @Option(
            names = "--native",
            description = "also run on releases of rdma-core, with the build's provider and the kernel's Soft-RoCE in a"
                    + " virtual machine; --full includes this if releases (compat-tests/rdma-core/fetch) and"
                    + " a machine (compat-tests/guest) are available")
    boolean withNative;

    @Option(
            names = "--schemes",
            description = "also run the eight rows in miniature under the schemes that the talk rejects, to see which"
                    + " rows they lose; --full includes this")
    boolean withSchemes;

    @Option(
            names = "--guest",
            paramLabel = "KERNEL",
            description = "the virtual machine's kernel: uml (user-mode Linux, the file that VERBS4J_UML names) or qemu"
                    + " (the distribution's kernel, emulated); default: uml if available")
    String guest;

    @Option(
            names = "--provider",
            paramLabel = "JAR",
            description = "use the device of this provider instead of Soft-RoCE")
    Path provider;

    @Option(
            names = "--jdk",
            paramLabel = "HOME",
            description = "run the programs on the JDK in this folder; may be repeated; default: the current one")
    List<Path> jdks = new ArrayList<>();

    @Option(
            names = "--jobs",
            paramLabel = "N",
            defaultValue = "2",
            description = "number of JVMs that run at a time; default: ${DEFAULT-VALUE}")
    int jobs;

    @Option(names = "--keep", description = "keep the compiled files, so that the commands in the reports can be run")
    boolean keep;

    @Option(
            names = "--only",
            paramLabel = "TEXT",
            description =
                    "run only combinations whose name, as in the reports, contains this text. Skips what --native and"
                            + " --schemes run unless these are given")
    String only;

    @Option(names = "--json", paramLabel = "FILE", description = "write the results as JSON")
    Path json;

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = "write an HTML page: the grid, each cell with its output")
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
            throw new MatrixException("--guest is " + guest + "; use uml or qemu");
        }
        if (jobs < 1) {
            throw new MatrixException("--jobs is " + jobs + "; it must be at least 1");
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
                err.println("verbs matrix: the compiled files are in " + scratch);
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
            throw new MatrixException("--frozen-only requires two frozen levels, but there is only one");
        }
        return releases;
    }

    private List<CellResult> run(Matrix matrix) throws InterruptedException {
        List<Cell> cells = new Combinations(matrix, releases(), provider, chosen())
                .cells(full).stream()
                        .filter(cell -> only == null || cell.toString().contains(only))
                        .toList();
        if (cells.isEmpty()) {
            throw new MatrixException("no combination's name contains the text of --only: " + only);
        }
        AtomicInteger done = new AtomicInteger();
        return matrix.run(
                cells,
                result -> err.println("[" + done.incrementAndGet() + "/" + cells.size() + "] " + result.cell() + ": "
                        + result.outcome() + (result.green() ? "" : "  NOT AS EXPECTED")));
    }

    private NativeSection runNative(Matrix matrix) throws InterruptedException {
        if (!withNative && only != null) {
            return NativeSection.notRun("--only skips it; add --native");
        }
        if (!withNative && !full) {
            return NativeSection.notRun("requires --native or --full");
        }
        if (frozenOnly) {
            return NativeSection.notRun("requires the build's verbs-rdma-core, which --frozen-only excludes");
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
            return SchemeSection.notRun("--only skips it; add --schemes");
        }
        if (!withSchemes && !full) {
            return SchemeSection.notRun("requires --schemes or --full");
        }
        err.println("the eight rows under " + Scheme.values().length + " schemes");
        return SchemeSection.of(new Schemes(scratch, chosen().get(0)).run());
    }

    private List<Jdk> chosen() {
        if (jdks.isEmpty()) {
            List<Jdk> all = Jdk.all();
            if (full && all.stream().noneMatch(jdk -> jdk.isFeature("25"))) {
                err.println("verbs matrix: skipping JDK 25: there is none in JAVA25_HOME or /usr/lib/jvm");
            }
            return full ? all : all.subList(0, 1);
        }
        List<Jdk> chosen = new ArrayList<>();
        for (Path home : jdks) {
            Jdk jdk = Jdk.at(home);
            if (jdk == null) {
                throw new MatrixException("--jdk " + home + " is not a JDK: bin/java or the file release is missing");
            }
            chosen.add(jdk);
        }
        return chosen;
    }

    private static Path folder(String property) {
        String value = System.getProperty(property);
        if (value == null) {
            throw new MatrixException("the system property " + property + " is not set: run ./verbs matrix");
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
