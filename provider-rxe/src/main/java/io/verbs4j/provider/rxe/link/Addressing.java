/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import io.verbs4j.Gid;
import java.io.IOException;
import java.net.InetSocketAddress;

/** Which sockets GIDs are at. */
interface Addressing extends AutoCloseable {
    /** Where this link's own socket is to be bound; port 0 for any. */
    InetSocketAddress own();

    /**
     * The socket is bound.
     *
     * @throws IOException where others can't be told of it
     */
    void bound(InetSocketAddress at) throws IOException;

    /** The socket of a GID; null where there is none. */
    InetSocketAddress of(Gid gid);

    /** The GID of a socket; null where it is nobody's. */
    Gid of(InetSocketAddress socket);

    /** The UDP port that the sender of a packet has computed the ICRC with. */
    int port(InetSocketAddress sender);

    /** Whether the answer for a destination holds for good. */
    boolean isFixed();

    /** Nobody finds this link any more. */
    @Override
    default void close() {}
}
