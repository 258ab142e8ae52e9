/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import java.util.List;

/**
 * The part of the report on releases of rdma-core.
 *
 * @param results the results
 * @param reason why nothing was run; empty if something was
 */
record NativeSection(List<NativeResult> results, String reason) {
    static final String TITLE = "Releases of rdma-core, with the kernel's Soft-RoCE";

    static NativeSection of(List<NativeResult> results) {
        return new NativeSection(List.copyOf(results), "");
    }

    static NativeSection notRun(String reason) {
        return new NativeSection(List.of(), reason);
    }

    List<NativeResult> red() {
        return results.stream().filter(result -> !result.green()).toList();
    }

    String verdict() {
        if (!reason.isEmpty()) {
            return "not run: " + reason;
        }
        return results.size() + " combinations with rdma-core, "
                + (red().isEmpty() ? "all as expected" : red().size() + " not as expected");
    }

    List<NativeRelease> releases() {
        return results.stream()
                .map(result -> result.cell().release())
                .distinct()
                .toList();
    }

    /** {@return the results of each row, in the order of {@link #releases}} */
    List<List<NativeResult>> rows() {
        return results.stream()
                .map(result -> result.cell().cell())
                .distinct()
                .map(row ->
                        releases().stream().map(release -> find(row, release)).toList())
                .toList();
    }

    private NativeResult find(Cell row, NativeRelease release) {
        return results.stream()
                .filter(result -> result.cell().cell().equals(row)
                        && result.cell().release().equals(release))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("a hole in the table: " + row + ", " + release));
    }
}
