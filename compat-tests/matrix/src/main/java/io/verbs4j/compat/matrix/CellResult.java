/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import java.util.List;

/**
 * The result of a combination.
 *
 * @param cell the combination
 * @param expected the outcome that the rules require
 * @param outcome what happened
 * @param problems deviations from the expectation; empty if it is green
 * @param skipped what a foreign provider does not support
 * @param summary what happened, in one line
 * @param command how to run it again
 * @param output the output of the compiler or the program
 */
public record CellResult(
        Cell cell,
        Expectation expected,
        Outcome outcome,
        List<String> problems,
        List<String> skipped,
        String summary,
        String command,
        String output) {
    private static final int MOST_LINES = 12;

    /** {@return whether everything is as expected} */
    public boolean green() {
        return problems.isEmpty();
    }

    /** {@return what the program reported, step by step; empty if none ran} */
    List<ProgramRun.Line> steps() {
        return ProgramRun.lines(output);
    }

    /** {@return the output for people: of hundreds of missing symbols only the first} */
    String excerpt() {
        List<String> lines = output.lines().toList();
        if (outcome != Outcome.N || lines.size() <= MOST_LINES) {
            return output;
        }
        return String.join("\n", lines.subList(0, MOST_LINES)) + "\n... and " + (lines.size() - MOST_LINES)
                + " more lines like these\n";
    }

    /** {@return what happened, on which platform, and what is wrong with it} */
    public String detail() {
        return (green() ? "" : "NOT AS EXPECTED: " + String.join("; ", problems) + ". ")
                + summary
                + (skipped.isEmpty() ? "" : "; skipped: " + String.join("; ", skipped))
                + " ("
                + (expected.outcome() == Outcome.N ? "javac" : cell.headerWords() + ", " + cell.platform())
                + ")";
    }
}
