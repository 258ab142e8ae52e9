/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.connect;

import io.verbs4j.AhAttr;
import io.verbs4j.Mtu;
import io.verbs4j.bulk.datagram.DatagramQueuePair;

/** A datagram queue pair that exchanges packets with one peer. */
final class DatagramEnd implements LocalQueuePair {
    private final LocalPort port;
    private final DatagramQueuePair qp;
    private final QueuePairAddress own;

    /** Creates the queue pair, which can receive at once. */
    DatagramEnd(ConnectionSide side, LocalPort port) {
        this.port = port;
        qp = side.datagrams().make(port.number());
        own = QueuePairAddress.datagrams(port, qp.number(), qp.qkey(), qp.token());
    }

    @Override
    public QueuePairAddress address() {
        return own;
    }

    @Override
    public void receive(QueuePairAddress peer, int key) {
        if (!peer.isDatagrams()) {
            throw LocalPort.refused("this side's is for datagrams, and the peer's is not");
        }
        AhAttr path = port.pathTo(peer);
        int mtu = Mtu.toBytes(Math.min(port.mtu(), peer.mtu()));
        qp.connect(path, peer.qpNum(), peer.qkey(), peer.token(), mtu);
    }

    @Override
    public void send(QueuePairAddress peer) {
        // the transport sends first
    }

    @Override
    public void close() {
        qp.close();
    }
}
