/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import java.util.List;

/**
 * What came of a combination.
 *
 * @param cell the combination
 * @param expected what the rules say
 * @param outcome what happened
 * @param problems where it is not as expected; empty where it is green
 * @param skipped what a provider of someone else's can't do
 * @param summary what happened, in one line
 * @param command how to do it again
 * @param output what compiler or program wrote
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

    /** Whether all is as expected. */
    public boolean green() {
        return problems.isEmpty();
    }

    /** What the program told, step by step; empty where none ran. */
    List<ProgramRun.Line> steps() {
        return ProgramRun.lines(output);
    }

    /** What was written, for people: of hundreds of symbols that are missing, the first ones. */
    String excerpt() {
        List<String> lines = output.lines().toList();
        if (outcome != Outcome.N || lines.size() <= MOST_LINES) {
            return output;
        }
        return String.join("\n", lines.subList(0, MOST_LINES)) + "\n... and " + (lines.size() - MOST_LINES)
                + " lines more like these\n";
    }

    /** What happened, on what, and what is wrong with it. */
    public String detail() {
        return (green() ? "" : "NOT AS EXPECTED: " + String.join("; ", problems) + ". ")
                + summary
                + (skipped.isEmpty() ? "" : "; skipped: " + String.join("; ", skipped))
                + " ("
                + (expected.outcome() == Outcome.N ? "javac" : cell.headerWords() + ", " + cell.platform())
                + ")";
    }
}
