/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.harness;

/**
 * Reports that this machine lacks something that a comparison needs; the message names it and explains how to install
 * it.
 */
public final class MissingException extends Exception {
    private static final long serialVersionUID = 1;

    /** Creates the exception. */
    public MissingException(String message) {
        super(message);
    }

    /** Creates the exception with the cause of the failed attempt. */
    public MissingException(String message, Throwable cause) {
        super(message, cause);
    }
}
