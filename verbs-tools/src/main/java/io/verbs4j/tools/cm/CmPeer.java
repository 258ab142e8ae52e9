/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.cm;

import io.verbs4j.tools.traffic.Endpoint;
import java.net.Socket;

/** The program at the other end, found by RDMA-CM: a stream to talk over, and queue pairs that are connected to its. */
public interface CmPeer extends AutoCloseable {
    /** {@return the stream; whoever closes it ends it for both} */
    Socket socket();

    /**
     * Connects all queue pairs of an endpoint with those of the peer's, who does the same at the same time. Connections of an endpoint before end.
     *
     * @param endpoint the endpoint; its queue pairs are in INIT
     */
    void join(Endpoint endpoint);

    /** Ends the connections; the endpoints stay the caller's. */
    @Override
    void close();
}
