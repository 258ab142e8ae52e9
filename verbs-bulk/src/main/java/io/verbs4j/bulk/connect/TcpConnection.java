/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.connect;

/** A queue pair that was connected by TCP. The TCP connection stays open and ends when the peer is gone. */
final class TcpConnection implements PeerConnection {
    private final TcpChannel channel;
    private final LocalQueuePair qp;
    private final byte[] hello;

    TcpConnection(TcpChannel channel, LocalQueuePair qp, byte[] hello) {
        this.channel = channel;
        this.qp = qp;
        this.hello = hello;
    }

    @Override
    public byte[] hello() {
        return hello.clone();
    }

    @Override
    public void onDisconnected(Runnable action) {
        channel.onEnd(action);
    }

    @Override
    public void close() {
        channel.close();
        qp.close();
    }
}
