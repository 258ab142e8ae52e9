/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

/** How an endpoint connects to others. Both sides of a connection must use the same method. */
public enum BulkConnections {
    /**
     * Uses the connection manager of a device. Falls back to TCP if the device has no connection manager, such as
     * Gaudi, or supports only datagrams. The default.
     */
    AUTOMATIC,

    /** Uses the connection manager. A device that has none, or that supports only datagrams, is refused. */
    CM,

    /**
     * Uses TCP. The two sides exchange the attributes of their queue pairs over a TCP connection to the address where
     * the peer listens. They keep the TCP connection open to notice when the other side goes away. The bytes of
     * transfers do not pass through it. One address serves all devices of the endpoint; connections are made on its
     * first device.
     */
    TCP
}
