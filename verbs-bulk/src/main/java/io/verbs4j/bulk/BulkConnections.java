/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

/** How an endpoint connects with others. Both sides of a connection must use the same way. */
public enum BulkConnections {
    /**
     * By the connection manager of a device; by TCP where the device has none, such as Gaudi, and where it has
     * datagrams alone. The default.
     */
    AUTOMATIC,

    /** By the connection manager. A device without one is refused, and one with datagrams alone. */
    CM,

    /**
     * By TCP: the two sides tell each other through a TCP connection, to the address where the peer listens, what their
     * queue pairs need, and keep it open, as its end is how they notice that the other side has gone. The bytes of
     * transfers do not pass there. One address serves for all devices of the endpoint; connections are those of its
     * first device.
     */
    TCP
}
