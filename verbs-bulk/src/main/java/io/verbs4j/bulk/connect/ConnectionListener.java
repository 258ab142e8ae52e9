/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.connect;

import java.net.InetSocketAddress;

/** Listens for peers. */
public interface ConnectionListener extends AutoCloseable {
    /** Where it listens, with its port. */
    InetSocketAddress address();

    /** Ends listening. Connections stay. */
    @Override
    void close();
}
