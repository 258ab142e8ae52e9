/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.connect;

import io.verbs4j.bulk.datagram.DatagramQueuePair;

/** Makes the queue pair of a connection by datagrams. */
public interface DatagramMaker {
    /** Makes it at a port, with its receives posted. The caller closes it. */
    DatagramQueuePair make(int port);
}
