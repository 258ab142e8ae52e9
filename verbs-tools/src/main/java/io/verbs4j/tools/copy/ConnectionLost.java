/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.copy;

/** The connection was lost, or the peer can't serve now but may later. */
final class ConnectionLost extends Exception {
    private static final long serialVersionUID = 1L;

    ConnectionLost(String message) {
        super(message);
    }

    ConnectionLost(String message, Throwable cause) {
        super(message, cause);
    }
}
