/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.connect;

import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.bulk.control.Hello;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/** A request for a connection that arrived by TCP. */
final class TcpRequest implements ConnectionRequest {
    /** Maximum time that a peer may take to confirm. */
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(10);

    /** The same while other requests wait. */
    private static final long IMPATIENCE = TimeUnit.SECONDS.toNanos(1);

    private static final long GLANCE = TimeUnit.MILLISECONDS.toNanos(50);

    private final TcpChannel channel;
    private final TcpMessage request;
    private final BooleanSupplier othersWait;
    private final AtomicBoolean decided = new AtomicBoolean();

    TcpRequest(TcpChannel channel, TcpMessage request, BooleanSupplier othersWait) {
        this.channel = channel;
        this.request = request;
        this.othersWait = othersWait;
    }

    @Override
    public byte[] hello() {
        return request.helloBytes();
    }

    @Override
    public InetSocketAddress peerAddress() {
        return channel.peer();
    }

    @Override
    public boolean comesTo(Context context) {
        return LocalPort.hasAddress(context, channel.local());
    }

    @Override
    public void reject(String reason) {
        if (decided.compareAndSet(false, true)) {
            channel.refuse(reason);
        }
    }

    @Override
    public boolean isDatagrams() {
        return request.address().isDatagrams();
    }

    @Override
    public void wantDatagrams() {
        if (decided.compareAndSet(false, true)) {
            channel.send(TcpMessage.datagrams());
            channel.refuse("this side supports only datagrams");
        }
    }

    @Override
    public PeerConnection accept(ConnectionSide side) {
        decided.set(true);
        LocalQueuePair qp = null;
        String why = "it could not be accepted";
        boolean done = false;
        try {
            qp = LocalQueuePair.of(side, channel.local());
            qp.receive(request.address(), Hello.decode(hello()).ringKey());
            channel.send(TcpMessage.of(TcpMessage.REPLY, qp.address(), side.hello()));
            awaitConfirmation();
            qp.send(request.address());
            done = true;
            return new TcpConnection(channel, qp, hello());
        } catch (VerbsException e) {
            why = e.getMessage();
            throw e;
        } finally {
            if (!done) {
                channel.refuse(why);
                if (qp != null) {
                    qp.close();
                }
            }
        }
    }

    private void awaitConfirmation() {
        long start = System.nanoTime();
        while (!channel.awaitMessage(GLANCE)) {
            long past = System.nanoTime() - start;
            if (past > PATIENCE || past > IMPATIENCE && othersWait.getAsBoolean()) {
                throw new VerbsException(
                        Errno.ECONNABORTED, "bulk_accept", channel.peer() + " did not confirm in time");
            }
        }
        TcpMessage answer = channel.receive(0);
        if (answer.kind() != TcpMessage.READY) {
            throw new VerbsException(
                    Errno.ECONNABORTED,
                    "bulk_accept",
                    channel.peer() + " did not confirm, but sent a message of kind " + answer.kind());
        }
    }

    @Override
    public void close() {
        reject("it was not accepted");
    }
}
