/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.connect;

/** Creates rejections for tests of other packages. */
public final class ConnectionRejections {
    private ConnectionRejections() {}

    /** Returns a rejection by an endpoint. */
    public static ConnectionRejectedException byPeer(String reason) {
        return new ConnectionRejectedException("bulk_connect", "rejected: " + reason, reason);
    }
}
