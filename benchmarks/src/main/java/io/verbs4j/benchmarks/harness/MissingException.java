/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.harness;

/** What a comparison needs is not on this machine; the message names it and tells how to get it. */
public final class MissingException extends Exception {
    private static final long serialVersionUID = 1;

    /** Makes it. */
    public MissingException(String message) {
        super(message);
    }

    /** Makes it, with what was tried. */
    public MissingException(String message, Throwable cause) {
        super(message, cause);
    }
}
