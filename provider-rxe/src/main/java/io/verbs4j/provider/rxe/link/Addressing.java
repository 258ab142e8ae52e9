/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import io.verbs4j.Gid;
import java.io.IOException;
import java.net.InetSocketAddress;

/** Maps GIDs to socket addresses and back. */
interface Addressing extends AutoCloseable {
    /** Returns the address to bind this link's own socket to; port 0 means any. */
    InetSocketAddress own();

    /**
     * Notes the address that the socket was bound to.
     *
     * @throws IOException if the address cannot be published to others
     */
    void bound(InetSocketAddress at) throws IOException;

    /** Returns the socket address of a GID, or null if it has none. */
    InetSocketAddress of(Gid gid);

    /** Returns the GID of a socket address, or null if it belongs to no GID. */
    Gid of(InetSocketAddress socket);

    /** Returns the UDP port with which the sender of a packet has computed the ICRC. */
    int port(InetSocketAddress sender);

    /** Returns whether the socket address of a destination never changes. */
    boolean isFixed();

    /** Withdraws what was published, so that others no longer find this link. */
    @Override
    default void close() {}
}
