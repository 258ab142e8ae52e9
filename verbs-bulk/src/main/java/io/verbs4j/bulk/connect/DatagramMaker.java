/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.connect;

import io.verbs4j.bulk.datagram.DatagramQueuePair;

/** Creates the queue pair of a connection by datagrams. */
public interface DatagramMaker {
    /** Creates the queue pair at a port and posts its receives. The caller closes it. */
    DatagramQueuePair make(int port);
}
