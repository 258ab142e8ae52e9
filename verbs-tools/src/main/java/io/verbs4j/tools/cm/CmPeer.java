/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.cm;

import io.verbs4j.tools.traffic.Endpoint;
import java.net.Socket;

/**
 * The program at the other end, found by RDMA-CM: a stream to talk over, and queue pairs that are connected to the
 * peer's.
 */
public interface CmPeer extends AutoCloseable {
    /** {@return the stream; closing it ends it for both sides} */
    Socket socket();

    /**
     * Connects all queue pairs of an endpoint with the peer's, which does the same at the same time. Connections of the
     * previous endpoint end.
     *
     * @param endpoint the endpoint; its queue pairs are in INIT
     */
    void join(Endpoint endpoint);

    /** Ends the connections; the endpoints remain the caller's to close. */
    @Override
    void close();
}
