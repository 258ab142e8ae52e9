/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.connect;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A TCP connection that carries a fixed number of messages each way and then stays open, so that its end shows that the
 * peer is gone. Bytes beyond those messages end it.
 */
final class TcpChannel implements TcpWatch.Watched {
    private static final System.Logger LOG = System.getLogger("io.verbs4j.bulk");
    private static final String VERB = "bulk_connect";

    /**
     * Probes the peer's machine five times after 30 seconds of silence, so that a dead one is noticed within a minute.
     */
    private static final Map<String, Integer> KEEP_ALIVE =
            Map.of("TCP_KEEPIDLE", 30, "TCP_KEEPINTERVAL", 6, "TCP_KEEPCOUNT", 5);

    private final TcpWatch watch;
    private final SocketChannel socket;
    private final InetSocketAddress peer;

    /** Runs after each received message, and at the end of the connection. */
    private final Runnable onFirst;

    private final ByteBuffer bytes = ByteBuffer.allocate(TcpMessage.MAX).order(ByteOrder.LITTLE_ENDIAN);
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition news = lock.newCondition();
    private final Queue<TcpMessage> messages = new ArrayDeque<>();
    private int expected;
    private boolean connected;
    private VerbsException end;
    private Runnable onEnd;

    private TcpChannel(TcpWatch watch, SocketChannel socket, InetSocketAddress peer, int expected, Runnable onFirst) {
        this.watch = watch;
        this.socket = socket;
        this.peer = peer;
        this.expected = expected;
        this.onFirst = onFirst;
    }

    /** Connects to a peer that will send one message. */
    static TcpChannel connect(TcpWatch watch, InetSocketAddress address, long nanos) {
        if (address.isUnresolved()) {
            throw new VerbsException(Errno.EADDRNOTAVAIL, VERB, address + " is unresolved: unknown host");
        }
        InetSocketAddress peer = address.getAddress().isAnyLocalAddress()
                ? new InetSocketAddress(InetAddress.getLoopbackAddress(), address.getPort())
                : address;
        TcpChannel channel = null;
        boolean done = false;
        try {
            channel = new TcpChannel(watch, SocketChannel.open(), peer, 1, () -> {});
            channel.prepare();
            boolean connected = channel.socket.connect(peer);
            channel.connected = connected;
            watch.add(channel.socket, connected ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT, channel);
            channel.awaitConnected(nanos);
            done = true;
            return channel;
        } catch (IOException e) {
            throw TcpWatch.failure("" + peer, e);
        } finally {
            if (!done && channel != null) {
                channel.close();
            }
        }
    }

    /**
     * Creates the channel of an accepted peer, which will send a request and a confirmation.
     *
     * @param onFirst runs after each received message, and at the end of the connection
     */
    static TcpChannel accepted(TcpWatch watch, SocketChannel socket, Runnable onFirst) throws IOException {
        InetSocketAddress peer = (InetSocketAddress) socket.getRemoteAddress();
        TcpChannel channel = new TcpChannel(watch, socket, peer, 2, onFirst);
        channel.connected = true;
        channel.prepare();
        return channel;
    }

    /** Starts to read what an accepted peer sends. */
    void read() throws IOException {
        watch.add(socket, SelectionKey.OP_READ, this);
    }

    private void prepare() throws IOException {
        socket.configureBlocking(false);
        socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
        socket.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        for (SocketOption<?> option : socket.supportedOptions()) {
            Integer value = KEEP_ALIVE.get(option.name());
            if (value != null && option.type() == Integer.class) {
                @SuppressWarnings("unchecked") // the type was checked
                SocketOption<Integer> number = (SocketOption<Integer>) option;
                socket.setOption(number, value);
            }
        }
    }

    InetSocketAddress peer() {
        return peer;
    }

    /** The local address of the connection. */
    InetAddress local() {
        try {
            return ((InetSocketAddress) socket.getLocalAddress()).getAddress();
        } catch (IOException e) {
            throw TcpWatch.failure("" + peer, e);
        }
    }

    private void awaitConnected(long nanos) {
        await(nanos, () -> connected, "no answer from " + peer + " in time");
    }

    /** Returns the next message. */
    TcpMessage receive(long nanos) {
        if (!await(nanos, () -> !messages.isEmpty(), null)) {
            throw new VerbsException(Errno.ETIMEDOUT, VERB, peer + " sent no message in time");
        }
        lock.lock();
        try {
            return messages.remove();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for a message; returns whether one has arrived. */
    boolean awaitMessage(long nanos) {
        return await(nanos, () -> !messages.isEmpty(), null);
    }

    private interface Wanted {
        boolean isThere();
    }

    private boolean await(long nanos, Wanted wanted, String late) {
        long left = nanos;
        lock.lock();
        try {
            while (!wanted.isThere()) {
                if (end != null) {
                    throw new VerbsException(end.errno(), VERB, peer + ": " + end.getMessage(), end);
                }
                if (left <= 0) {
                    if (late == null) {
                        return false;
                    }
                    throw new VerbsException(Errno.ETIMEDOUT, VERB, late);
                }
                left = news.awaitNanos(left);
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new VerbsException(Errno.EINTR, VERB, "interrupted while connecting to " + peer, e);
        } finally {
            lock.unlock();
        }
    }

    /** Sends a message, which is short enough to always fit into the socket buffer. */
    void send(TcpMessage message) {
        ByteBuffer all = message.encode();
        try {
            socket.write(all);
        } catch (IOException e) {
            throw TcpWatch.failure("" + peer, e);
        }
        if (all.hasRemaining()) {
            throw new VerbsException(Errno.EPROTO, VERB, peer + " did not accept a complete message");
        }
    }

    /** Sends the peer the reason for its rejection and ends the connection. */
    void refuse(String reason) {
        LOG.log(System.Logger.Level.DEBUG, "refused {0}: {1}", peer, reason);
        try {
            send(TcpMessage.reject(reason));
        } catch (VerbsException e) {
            LOG.log(System.Logger.Level.DEBUG, "the peer could not be notified", e);
        }
        end(new VerbsException(Errno.EPROTO, VERB, reason));
    }

    @Override
    public void ready(SelectionKey key) {
        try {
            if (!key.isValid()) {
                return;
            }
            if (key.isConnectable()) {
                socket.finishConnect();
                key.interestOps(SelectionKey.OP_READ);
                tell(() -> connected = true);
            } else if (key.isReadable()) {
                takeBytes();
            }
        } catch (IOException e) {
            end(TcpWatch.failure("the connection failed", e));
        } catch (java.nio.channels.CancelledKeyException e) {
            end(new VerbsException(Errno.ECONNABORTED, VERB, "the connection was closed"));
        }
    }

    private void takeBytes() throws IOException {
        while (true) {
            if (expected == 0) {
                bytes.clear().limit(1);
            } else {
                bytes.limit(bytes.position() + TcpMessage.missing(bytes));
            }
            int count = socket.read(bytes);
            if (count < 0) {
                end(new VerbsException(Errno.ECONNRESET, VERB, "the peer closed the connection"));
                return;
            }
            if (count == 0) {
                return;
            }
            if (expected == 0) {
                end(new VerbsException(Errno.EPROTO, VERB, "the peer sent more than the protocol allows"));
                return;
            }
            String refusal = TcpMessage.refusal(bytes);
            if (refusal != null) {
                refuse(refusal);
                return;
            }
            if (TcpMessage.missing(bytes) == 0) {
                TcpMessage message = TcpMessage.decode(bytes);
                bytes.clear();
                expected--;
                tell(() -> messages.add(message));
                onFirst.run();
            }
        }
    }

    private void tell(Runnable change) {
        lock.lock();
        try {
            change.run();
            news.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Runs an action once when the peer is gone. */
    void onEnd(Runnable action) {
        boolean ended;
        lock.lock();
        try {
            ended = end != null;
            onEnd = ended ? null : action;
        } finally {
            lock.unlock();
        }
        if (ended) {
            action.run();
        }
    }

    /** Whether it has ended. */
    boolean isEnded() {
        lock.lock();
        try {
            return end != null;
        } finally {
            lock.unlock();
        }
    }

    private void end(VerbsException why) {
        Runnable action;
        lock.lock();
        try {
            if (end != null) {
                return;
            }
            end = why;
            action = onEnd;
            onEnd = null;
            news.signalAll();
        } finally {
            lock.unlock();
        }
        watch.close(socket);
        onFirst.run();
        if (action != null) {
            action.run();
        }
    }

    /** Ends the connection from this side. */
    void close() {
        tell(() -> onEnd = null);
        end(new VerbsException(Errno.ECONNABORTED, VERB, "the connection was closed"));
    }
}
