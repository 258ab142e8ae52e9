/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.base;

/** Exit codes of the process. */
public final class ExitCode {
    /** Success. */
    public static final int OK = 0;

    /** Failure: data differ, the peer is gone, a verb returned an error, or the result could not be written. */
    public static final int FAILED = 1;

    /** The command line was not understood. */
    public static final int USAGE = 2;

    /** There is no device, or it lacks what was requested. */
    public static final int NOT_AVAILABLE = 3;

    private ExitCode() {}
}
