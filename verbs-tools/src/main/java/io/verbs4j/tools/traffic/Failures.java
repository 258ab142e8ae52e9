/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.traffic;

import io.verbs4j.Errno;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.tools.base.ToolException;

/** Describes failures of work requests, and what they usually mean. */
public final class Failures {
    private Failures() {}

    /**
     * Creates an exception for a request that could not be posted.
     *
     * @param what what was posted
     * @param errno the error
     * @param why the reason in words, or null
     */
    public static ToolException ofPost(String what, int errno, String why) {
        return ToolException.failed(
                "couldn't post a " + what + ": " + Errno.toString(errno) + (why == null ? "" : ": " + why));
    }

    static ToolException of(WorkCompletion wc) {
        return ToolException.failed("a work request failed: " + WcStatus.toString(wc.status()) + " (" + wc.status()
                + ", vendor error 0x" + Integer.toHexString(wc.vendorErr()) + ") on queue pair 0x"
                + Integer.toHexString(wc.qpNum()) + hint(wc.status()));
    }

    private static String hint(int status) {
        return switch (status) {
            case WcStatus.RETRY_EXC_ERR ->
                ": the peer does not answer; is its program still running, and can this machine reach its GID (-g)?";
            case WcStatus.RNR_RETRY_EXC_ERR -> ": the peer posts no receives";
            case WcStatus.REM_ACCESS_ERR -> ": the peer does not allow that access to its memory";
            case WcStatus.REM_INV_REQ_ERR -> ": the peer's device refused the request";
            case WcStatus.LOC_LEN_ERR -> ": the peer's message is longer than ours; give both sides the same size";
            default -> "";
        };
    }
}
