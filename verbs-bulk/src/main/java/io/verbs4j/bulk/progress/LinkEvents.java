/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.progress;

import io.verbs4j.Context;
import io.verbs4j.bulk.transfer.Link;
import java.net.InetSocketAddress;

/** Receives the events of connections. The calls come from several threads, and must be quick. */
public interface LinkEvents {
    /** A connection is being made, and may be used soon. */
    void made(Link link, InetSocketAddress address);

    /** A connection is there, to the endpoint of that identifier. */
    void up(Link link, long endpoint, boolean accepted);

    /** A connection is lost, and may be made again. */
    void recovering(Link link);

    /** It is made again. */
    void recovered(Link link);

    /** A connection has ended, or was never there. */
    void down(Link link);

    /** A device is lost. */
    void deviceLost(Context context);
}
