/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.base;

/** Ends a command. The message is for the user: what went wrong and what to do. */
public final class ToolException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** An {@link ExitCode} value. */
    private final int exitCode;

    private ToolException(int exitCode, String message, Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    /** Creates an exception for an operation that failed. */
    public static ToolException failed(String message) {
        return new ToolException(ExitCode.FAILED, message, null);
    }

    /** Creates an exception for an operation that failed because of {@code cause}. */
    public static ToolException failed(String message, Throwable cause) {
        return new ToolException(ExitCode.FAILED, message, cause);
    }

    /** Creates an exception for options that contradict each other or do not fit the device. */
    public static ToolException usage(String message) {
        return new ToolException(ExitCode.USAGE, message, null);
    }

    /** Creates an exception for a missing device, or one that lacks what was requested. */
    public static ToolException notAvailable(String message) {
        return new ToolException(ExitCode.NOT_AVAILABLE, message, null);
    }

    /** {@return a copy of this exception with more text at the end of its message} */
    public ToolException with(String more) {
        return new ToolException(exitCode, getMessage() + more, this);
    }

    /** {@return an {@link ExitCode} value} */
    public int exitCode() {
        return exitCode;
    }
}
