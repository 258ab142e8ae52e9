/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.base;

/** What the process answers to the shell. */
public final class ExitCode {
    /** Everything was as asked for. */
    public static final int OK = 0;

    /** It was tried and failed: data differ, the peer is gone, a verb answered with an error, the result could not be written. */
    public static final int FAILED = 1;

    /** The command line is not understood. */
    public static final int USAGE = 2;

    /** There is no device, or it does not have what was asked for. */
    public static final int NOT_AVAILABLE = 3;

    private ExitCode() {}
}
