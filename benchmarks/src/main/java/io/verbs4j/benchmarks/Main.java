/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks;

import io.verbs4j.benchmarks.harness.Figure;
import io.verbs4j.benchmarks.harness.JsonReport;
import io.verbs4j.benchmarks.harness.Machine;
import io.verbs4j.benchmarks.harness.MarkdownTable;
import io.verbs4j.benchmarks.harness.MissingException;
import io.verbs4j.benchmarks.harness.PeersPicture;
import io.verbs4j.benchmarks.harness.Rounds;
import io.verbs4j.benchmarks.harness.SvgPlot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The program behind {@code benchmarks/run}. */
public final class Main {
    private static final int FAILED = 1;
    private static final int USAGE = 2;

    private Main() {}

    /** Runs the comparisons that the command line names. */
    public static void main(String[] args) {
        int status = run(args);
        if (System.out.checkError()) {
            System.err.println("benchmarks/run: couldn't write to standard output");
            status = status == 0 ? FAILED : status;
        }
        System.exit(status); // a failed side may have left threads running
    }

    private static int run(String... args) {
        Options options;
        try {
            options = Options.parse(args);
        } catch (Options.UsageException e) {
            System.err.println("benchmarks/run: " + e.getMessage());
            return USAGE;
        }
        if (options.help()) {
            System.out.print(Options.USAGE);
            return 0;
        }
        if (options.list()) {
            for (Comparisons c : Comparisons.values()) {
                System.out.println(String.format(Locale.ROOT, "%-12s %s", c.label(), c.description()));
            }
            return 0;
        }
        if (options.from() != null) {
            return redraw(options) ? 0 : FAILED;
        }
        Machine.facts().forEach((what, text) -> System.err.println(what + ": " + text));
        List<Figure> figures = new ArrayList<>();
        boolean right = true;
        for (String name : options.names()) {
            right &= runOne(Comparisons.named(name).orElseThrow(), options, figures);
        }
        return write(options, new JsonReport(Machine.facts(), figures)) && right ? 0 : FAILED;
    }

    private static boolean redraw(Options options) {
        try {
            return write(options, JsonReport.read(Files.readString(options.from())));
        } catch (IOException | IllegalArgumentException e) {
            System.err.println("benchmarks/run: can't read " + options.from() + ": " + e);
            return false;
        }
    }

    @SuppressWarnings("CatchingUnchecked") // whatever one comparison throws, the figures of the others are useful
    private static boolean runOne(Comparisons which, Options options, List<Figure> figures) {
        Rounds rounds = new Rounds(
                which.label(),
                options.rounds(),
                options.seconds(),
                options.pin(),
                options.only(),
                System.out,
                System.err);
        try {
            which.make().run(rounds);
            if (rounds.figures().isEmpty()) {
                System.err.println("benchmarks/run: " + which.label() + " has no case that matches --only "
                        + options.only() + "; run it without --only to see the names");
                return false;
            }
            return true;
        } catch (MissingException e) {
            System.err.println("benchmarks/run: " + which.label() + " can't run here: " + e.getMessage());
            return false;
        } catch (Exception e) {
            System.err.println("benchmarks/run: " + which.label() + " failed: " + e);
            e.printStackTrace();
            return false;
        } finally {
            figures.addAll(rounds.figures());
        }
    }

    private static boolean write(Options options, JsonReport report) {
        List<Figure> figures = report.figures();
        boolean json = write(options.json(), JsonReport.of(report.machine(), figures), Files::writeString);
        boolean plot = plot(options, figures);
        boolean table = write(options.table(), MarkdownTable.of(report.machine(), figures), MarkdownTable::write);
        return json && plot && table && peers(options.peers(), figures);
    }

    private static boolean plot(Options options, List<Figure> figures) {
        try {
            return options.plot() == null
                    || write(options.plot(), SvgPlot.of(figures, options.plotCases()), Files::writeString);
        } catch (IllegalArgumentException e) {
            System.err.println("benchmarks/run: can't draw --plot-cases: " + e.getMessage());
            return false;
        }
    }

    private static boolean peers(Path file, List<Figure> figures) {
        try {
            return file == null || write(file, PeersPicture.of(figures), Files::writeString);
        } catch (IllegalArgumentException e) {
            System.err.println("benchmarks/run: nothing to draw with --peers: " + e.getMessage());
            return false;
        }
    }

    private static boolean write(Path file, String text, Writer writer) {
        try {
            if (file != null) {
                writer.write(file, text);
            }
            return true;
        } catch (IOException e) {
            System.err.println("benchmarks/run: can't write " + file + ": " + e);
            return false;
        }
    }

    @FunctionalInterface
    private interface Writer {
        void write(Path file, String text) throws IOException;
    }
}
