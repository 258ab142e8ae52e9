/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.base;

/** A command can't go on. The message is for people: what was wrong and what to do. */
public final class ToolException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** An {@link ExitCode} value. */
    private final int exitCode;

    private ToolException(int exitCode, String message, Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    /** It was tried and failed. */
    public static ToolException failed(String message) {
        return new ToolException(ExitCode.FAILED, message, null);
    }

    /** It was tried and failed because of {@code cause}. */
    public static ToolException failed(String message, Throwable cause) {
        return new ToolException(ExitCode.FAILED, message, cause);
    }

    /** The options don't fit together, or don't fit the device. */
    public static ToolException usage(String message) {
        return new ToolException(ExitCode.USAGE, message, null);
    }

    /** There is no device, or it does not have what was asked for. */
    public static ToolException notAvailable(String message) {
        return new ToolException(ExitCode.NOT_AVAILABLE, message, null);
    }

    /** The same with more words at its end. */
    public ToolException with(String more) {
        return new ToolException(exitCode, getMessage() + more, this);
    }

    /** An {@link ExitCode} value. */
    public int exitCode() {
        return exitCode;
    }
}
