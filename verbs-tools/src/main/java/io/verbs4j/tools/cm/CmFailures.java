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
            case Errno.ECONNREFUSED -> "; check the address and the port (-p), and that the server is running";
            case Errno.ETIMEDOUT ->
                "; check that the machine is up, that its RDMA device has that address, and that UDP port 4791 is open";
            case Errno.EADDRNOTAVAIL -> "; 'verbs info -v' shows the addresses of the devices, as GIDs";
            case Errno.EADDRINUSE -> "; stop the program that uses it, or choose another with -p";
            default -> "";
        };
        return ToolException.failed(e.getMessage() + hint, e);
    }
}
