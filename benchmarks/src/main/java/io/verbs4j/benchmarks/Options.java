/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * The command line.
 *
 * @param names comparisons to run
 * @param list whether to list the comparisons
 * @param help whether to print the usage
 * @param rounds number of rounds
 * @param seconds seconds that each side is measured in each round
 * @param pin whether to pin processes to processors
 * @param only pattern that a case's name must contain
 * @param json file for all values, or null
 * @param from file with values to report instead of measuring, or null
 * @param plot file for a picture, or null
 * @param plotCases the cases to draw, or empty for all
 * @param table file for tables, or null
 * @param peers file for a picture that compares the embedded device with its alternatives, or null
 */
record Options(
        List<String> names,
        boolean list,
        boolean help,
        int rounds,
        double seconds,
        boolean pin,
        Pattern only,
        Path json,
        Path from,
        Path plot,
        List<String> plotCases,
        Path table,
        Path peers) {
    static final String USAGE = """
            usage: benchmarks/run NAME... [--rounds N] [--seconds S] [--pin] [--only REGEX] [--json FILE]
                            [--plot FILE.svg] [--plot-cases WHAT,...] [--table FILE.md] [--peers FILE.svg]
                   benchmarks/run --from FILE.json [--plot FILE.svg] [--plot-cases WHAT,...] [--table FILE.md]
                   benchmarks/run --list

            Measures both sides of each comparison in turn and prints a line for each case to standard output:
              NAME WHAT ratio R (ours X, theirs Y, unit)
            R is the median of the rounds' ratios ours/theirs; X and Y are the rounds' medians.
            Progress goes to standard error.

              --list          list the comparisons
              --rounds N      number of rounds (7)
              --seconds S     about how long a round measures each side (0.5)
              --pin           run each of two processes on its own processor (by taskset)
              --only REGEX    run only the cases whose first WHAT matches
              --json FILE     write the values of all rounds
              --from FILE     measure nothing: take the values from a file that --json wrote
              --plot FILE     draw the ratios as SVG
              --plot-cases WHAT,...
                              draw only these cases, in this order; may be repeated
              --table FILE    write the ratios as Markdown tables; in an existing file, between the lines
                              <!-- figures --> and <!-- /figures -->

              --peers FILE    draw round trip and bandwidth of the embedded device, and of its rivals in
                              rxe-tcp, rxe-uds and rxe-jucx, as SVG

            Exit status: 0 for success; 1 if a side failed, data was wrong, or something required is missing;
            2 for an invalid command line.
            """;

    private static final int DEFAULT_ROUNDS = 7;
    private static final double DEFAULT_SECONDS = 0.5;

    /** Reports an invalid command line. */
    static final class UsageException extends Exception {
        private static final long serialVersionUID = 1;

        UsageException(String message) {
            super(message);
        }
    }

    static Options parse(String... args) throws UsageException {
        List<String> names = new ArrayList<>();
        boolean list = false;
        boolean help = false;
        int rounds = DEFAULT_ROUNDS;
        double seconds = DEFAULT_SECONDS;
        boolean pin = false;
        Pattern only = Pattern.compile("");
        Path json = null;
        Path from = null;
        Path plot = null;
        List<String> plotCases = new ArrayList<>();
        Path table = null;
        Path peers = null;
        for (int i = 0; i < args.length; i++) {
            switch (args[i]) {
                case "--list" -> list = true;
                case "--help", "-h" -> help = true;
                case "--rounds" -> rounds = (int) number(args, ++i, 1, 10_000);
                case "--seconds" -> seconds = number(args, ++i, 0.001, 3600);
                case "--pin" -> pin = true;
                case "--only" -> only = pattern(args, ++i);
                case "--json" -> json = Path.of(value(args, ++i));
                case "--from" -> from = Path.of(value(args, ++i));
                case "--plot-cases" -> plotCases.addAll(List.of(value(args, ++i).split(",")));
                case "--plot" -> plot = Path.of(value(args, ++i));
                case "--table" -> table = Path.of(value(args, ++i));
                case "--peers" -> peers = Path.of(value(args, ++i));
                default -> names.add(name(args[i]));
            }
        }
        if (from != null && !names.isEmpty()) {
            throw new UsageException("--from measures nothing: leave out " + String.join(", ", names));
        }
        if (!plotCases.isEmpty() && plot == null) {
            throw new UsageException("--plot-cases needs --plot");
        }
        if (!list && !help && from == null && names.isEmpty()) {
            throw new UsageException("no comparison given; there are: " + String.join(", ", Comparisons.labels()));
        }
        return new Options(names, list, help, rounds, seconds, pin, only, json, from, plot, plotCases, table, peers);
    }

    private static String name(String text) throws UsageException {
        if (text.startsWith("-")) {
            throw new UsageException("unknown option " + text + "; see --help");
        }
        if (Comparisons.named(text).isEmpty()) {
            throw new UsageException(
                    "unknown comparison '" + text + "'; there are: " + String.join(", ", Comparisons.labels()));
        }
        return text;
    }

    private static String value(String[] args, int i) throws UsageException {
        if (i >= args.length) {
            throw new UsageException(args[i - 1] + " needs a value");
        }
        return args[i];
    }

    private static Pattern pattern(String[] args, int i) throws UsageException {
        String text = value(args, i);
        try {
            return Pattern.compile(text);
        } catch (PatternSyntaxException e) {
            throw new UsageException(
                    args[i - 1] + " requires a regular expression, not '" + text + "': " + e.getDescription());
        }
    }

    private static double number(String[] args, int i, double least, double most) throws UsageException {
        String text = value(args, i);
        try {
            double number = Double.parseDouble(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        throw new UsageException(
                args[i - 1] + " requires a number from " + least + " to " + most + ", not '" + text + "'");
    }
}
