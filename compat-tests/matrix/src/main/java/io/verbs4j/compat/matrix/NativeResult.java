/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

/**
 * The result of a combination with a release of rdma-core.
 *
 * @param cell the combination
 * @param result the judgement
 */
record NativeResult(NativeCell cell, CellResult result) {
    boolean green() {
        return result.green();
    }

    @Override
    public String toString() {
        return cell + ": " + result.outcome() + (green() ? "" : "  NOT AS EXPECTED");
    }
}
