/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The section of the report on other schemes. Failures of those schemes do not affect the verdict.
 *
 * @param results the results: for each scheme the rows in order, with the old and then the new provider
 * @param reason why nothing was run; empty if something was
 */
record SchemeSection(List<SchemeResult> results, String reason) {
    static final String TITLE = "What other ways to extend an API lose";

    static SchemeSection of(List<SchemeResult> results) {
        return new SchemeSection(List.copyOf(results), "");
    }

    static SchemeSection notRun(String reason) {
        return new SchemeSection(List.of(), reason);
    }

    /** {@return the results of a row, by scheme and provider} */
    List<SchemeResult> row(int row) {
        return results.stream().filter(result -> result.row() == row).toList();
    }

    /** {@return what a scheme loses, in words} */
    String verdict(Scheme scheme) {
        String lost = results.stream()
                .filter(result -> result.scheme() == scheme && !result.held())
                .map(result -> result.row()
                        + (bothLost(result) ? "" : result.provider() == 1 ? " (old provider)" : " (new provider)"))
                .distinct()
                .collect(Collectors.joining(", "));
        return scheme.title() + " (" + scheme.how() + "): "
                + (lost.isEmpty() ? "every row holds" : "loses rows " + lost);
    }

    /** {@return the verdicts, one for each scheme} */
    List<String> verdicts() {
        return reason.isEmpty()
                ? Arrays.stream(Scheme.values()).map(this::verdict).toList()
                : List.of("not run: " + reason);
    }

    private boolean bothLost(SchemeResult result) {
        return row(result.row()).stream()
                .filter(other -> other.scheme() == result.scheme())
                .noneMatch(SchemeResult::held);
    }
}
