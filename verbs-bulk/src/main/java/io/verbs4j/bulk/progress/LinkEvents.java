/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.progress;

import io.verbs4j.Context;
import io.verbs4j.bulk.transfer.Link;
import java.net.InetSocketAddress;

/** Receives the events of connections. The calls come from several threads and must be quick. */
public interface LinkEvents {
    /** Called when a connection is being made and may be used soon. */
    void made(Link link, InetSocketAddress address);

    /** Called when a connection to the endpoint with this identifier is established. */
    void up(Link link, long endpoint, boolean accepted);

    /** Called when a connection is lost and may be restored. */
    void recovering(Link link);

    /** Called when it is restored. */
    void recovered(Link link);

    /** Called when a connection has ended or was not established. */
    void down(Link link);

    /** Called when a device is lost. */
    void deviceLost(Context context);
}
