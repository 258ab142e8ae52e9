/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.copy;

/** One file can't be copied, and trying again does not help. The message is for people. */
final class FileRefused extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean byReceiver;

    FileRefused(String message) {
        this(message, null, false);
    }

    FileRefused(String message, Throwable cause) {
        this(message, cause, false);
    }

    private FileRefused(String message, Throwable cause, boolean byReceiver) {
        super(message, cause);
        this.byReceiver = byReceiver;
    }

    /** {@return the sender's exception for a refusal by the receiver} */
    static FileRefused byReceiver(String message) {
        return new FileRefused(message, null, true);
    }

    /** {@return whether the receiver refused the file, and expects nothing more of it} */
    boolean isByReceiver() {
        return byReceiver;
    }
}
