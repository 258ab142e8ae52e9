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

    /** At the sender: the receiver has said so. */
    static FileRefused byReceiver(String message) {
        return new FileRefused(message, null, true);
    }

    /** {@return whether the receiver has said so, and expects nothing more of the file} */
    boolean isByReceiver() {
        return byReceiver;
    }
}
