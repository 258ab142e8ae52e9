/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.connect;

import java.net.InetSocketAddress;

/** Listens for peers. */
public interface ConnectionListener extends AutoCloseable {
    /** The address that it listens at, with the actual port. */
    InetSocketAddress address();

    /** Stops listening. Connections stay open. */
    @Override
    void close();
}
