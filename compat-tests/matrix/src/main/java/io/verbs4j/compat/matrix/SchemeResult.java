/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import io.verbs4j.compat.matrix.ProgramRun.Line;
import java.util.List;
import java.util.Optional;

/**
 * The result of one of the eight rows under a scheme.
 *
 * @param scheme the scheme
 * @param row 1 to 8
 * @param provider the version of the provider, 1 or 2
 * @param lost why the row breaks its promise; empty if it holds
 * @param happened what happened, in a few words
 * @param command how to run it again
 * @param output the output of the compiler or the program
 */
record SchemeResult(Scheme scheme, int row, int provider, String lost, String happened, String command, String output) {

    /** {@return whether a row has a new program and an old header: rows 5 and 6} */
    static boolean mustNotCompile(int row) {
        return row == 5 || row == 6;
    }

    /** {@return the version of the row's program} */
    static int program(int row) {
        return (row - 1 >> 2 & 1) + 1;
    }

    static int header(int row) {
        return (row - 1 >> 1 & 1) + 1;
    }

    static int library(int row) {
        return (row - 1 & 1) + 1;
    }

    boolean held() {
        return lost.isEmpty();
    }

    /** {@return the result of a program that does not compile} */
    static SchemeResult refused(Scheme scheme, int row, int provider, Compilation compilation) {
        List<String> others = compilation.complaints().stream()
                .map(Compilation.Complaint::code)
                .filter(code -> !code.startsWith("compiler.err.cant.resolve"))
                .toList();
        String lost = !mustNotCompile(row) || !others.isEmpty() ? "it does not compile" : "";
        String text = compilation.complaints().get(0).text();
        return new SchemeResult(
                scheme,
                row,
                provider,
                lost,
                "does not compile: " + text.lines().findFirst().orElse("").replaceFirst("^.*?: ", ""),
                compilation.command(),
                text);
    }

    /** {@return the result of a program that ran} */
    static SchemeResult ran(Scheme scheme, int row, int provider, ProgramRun run) {
        String data = status(run, "data");
        String verb = status(run, "open_xrcd");
        String error = run.remarks()
                .lines()
                .filter(line -> line.contains("Error"))
                .findFirst()
                .orElse("")
                .strip();
        String happened = error.isEmpty()
                ? "data " + data + (program(row) == 2 ? ", open_xrcd: " + verb : "")
                : error.replaceFirst("^Exception in thread \"main\" java\\.lang\\.", "");
        return new SchemeResult(
                scheme,
                row,
                provider,
                lost(row, provider, run.status(), data, verb),
                happened,
                String.join(" ", run.command()),
                run.out() + run.err());
    }

    private static String lost(int row, int provider, int status, String data, String verb) {
        if (mustNotCompile(row)) {
            return "javac does not report that the header is too old";
        }
        if (status != 0 || !data.equals("works")) {
            return "the program fails, and the old verbs with it";
        }
        if (program(row) == 1) {
            return "";
        }
        String expected = library(row) == 1 ? "ENOSYS" : provider == 1 ? "EOPNOTSUPP" : "works";
        return verb.equals(expected)
                ? ""
                : expected.equals("works")
                        ? "the new verb does not work"
                        : "nothing reports whether the " + (library(row) == 1 ? "library" : "device") + " is too old";
    }

    private static String status(ProgramRun run, String step) {
        Optional<Line> line =
                run.lines().stream().filter(each -> each.step().equals(step)).findFirst();
        return line.map(Line::status).orElse("not reached");
    }
}
