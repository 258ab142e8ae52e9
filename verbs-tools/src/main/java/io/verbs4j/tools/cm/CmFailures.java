/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.cm;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.tools.base.ToolException;

/** Adds advice to failures to connect. */
public final class CmFailures {
    private CmFailures() {}

    /**
     * Creates an exception for a failure to connect or accept.
     *
     * @param e the cause; its message has the peer's address and the reason
     */
    public static ToolException of(VerbsException e) {
        String hint = switch (e.errno()) {
            case Errno.ECONNREFUSED -> "; is it the address and the port (-p) of a server that waits?";
            case Errno.ETIMEDOUT ->
                "; is the machine on, is a server's device at that address, and does UDP port 4791 pass?";
            case Errno.EADDRNOTAVAIL -> "; 'verbs info -v' shows the addresses of the devices, as GIDs";
            case Errno.EADDRINUSE -> "; end the program that has it, or choose another with -p";
            default -> "";
        };
        return ToolException.failed(e.getMessage() + hint, e);
    }
}
