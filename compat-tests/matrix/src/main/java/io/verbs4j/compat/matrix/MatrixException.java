/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

/** The matrix can't be run as requested; the message says what to do. */
public final class MatrixException extends RuntimeException {
    private static final long serialVersionUID = 1;

    MatrixException(String message) {
        super(message);
    }
}
