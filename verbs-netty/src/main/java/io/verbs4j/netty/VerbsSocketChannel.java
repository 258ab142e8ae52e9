/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelMetadata;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.channel.FileRegion;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoRegistration;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.internal.StringUtil;
import io.verbs4j.VerbsException;
import io.verbs4j.cm.CmId;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetConnectedException;

/**
 * A stream over RDMA, the counterpart of {@code NioSocketChannel} over TCP; for event loops of {@link VerbsIoHandler}.
 * Both ends must be channels of this module. A channel stays on the event loop that it is registered with.
 *
 * <p>It behaves like a socket channel: half-closure, back-pressure, resets. A {@linkplain
 * io.netty.channel.ChannelFuture write} succeeds when its bytes are being sent or have been taken over for sending.
 */
public final class VerbsSocketChannel extends HalfClosableChannel implements SocketChannel {
    private static final ChannelMetadata METADATA = new ChannelMetadata(false, 16);

    private final VerbsSocketChannelConfig config = new VerbsSocketChannelConfig(this);
    private final Traffic traffic = new Traffic();
    private final InboundReader reader = new InboundReader(this, traffic);
    private final VerbsHandle handle = new VerbsHandle(() -> unsafe().close(voidPromise()));
    private final StreamConnection connection;
    private boolean blocked;
    private volatile boolean open = true;
    private volatile boolean connected;

    /** Makes an unconnected channel; for a bootstrap. */
    public VerbsSocketChannel() {
        super(null);
        connection = new StreamConnection(config, traffic, null, null);
    }

    /** Makes a channel for a peer that wants to connect. */
    VerbsSocketChannel(VerbsServerSocketChannel parent, CmId id, Wire.Greeting peer) {
        super(parent);
        connection = new StreamConnection(config, traffic, id, peer);
    }

    @Override
    public ServerSocketChannel parent() {
        return (ServerSocketChannel) super.parent();
    }

    @Override
    public VerbsSocketChannelConfig config() {
        return config;
    }

    @Override
    public ChannelMetadata metadata() {
        return METADATA;
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public boolean isActive() {
        return open && connected;
    }

    @Override
    public InetSocketAddress localAddress() {
        return (InetSocketAddress) super.localAddress();
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return (InetSocketAddress) super.remoteAddress();
    }

    /** {@return how many bytes were copied into registered memory to be sent; may be called by any thread} */
    public long bytesSentByCopy() {
        return traffic.sentByCopy();
    }

    /** {@return how many bytes were sent in place, without a copy; may be called by any thread} */
    public long bytesSentInPlace() {
        return traffic.sentInPlace();
    }

    /** {@return how many received bytes were copied into a buffer; may be called by any thread} */
    public long bytesReceivedByCopy() {
        return traffic.receivedByCopy();
    }

    /** {@return how many received bytes were passed on in place, without a copy; may be called by any thread} */
    public long bytesReceivedInPlace() {
        return traffic.receivedInPlace();
    }

    @Override
    protected SocketAddress localAddress0() {
        return connection.localAddress();
    }

    @Override
    protected SocketAddress remoteAddress0() {
        return connection.remoteAddress(connected);
    }

    @Override
    protected AbstractUnsafe newUnsafe() {
        return new StreamUnsafe();
    }

    @Override
    protected boolean isCompatible(EventLoop loop) {
        return loop instanceof IoEventLoop other && other.isCompatible(VerbsHandle.class);
    }

    @Override
    protected void doRegister(ChannelPromise promise) {
        ((IoEventLoop) eventLoop()).register(handle).addListener(future -> {
            if (!future.isSuccess()) {
                promise.setFailure(future.cause());
                return;
            }
            IoRegistration made = (IoRegistration) future.getNow();
            try {
                connection.register(made, (StreamUnsafe) unsafe());
            } catch (IOException | RuntimeException e) {
                made.cancel();
                promise.setFailure(e instanceof VerbsException failure ? Failures.of(failure) : e);
                return;
            }
            promise.setSuccess();
        });
    }

    @Override
    protected void doDeregister() {
        connection.deregister();
    }

    @Override
    protected void doBind(SocketAddress local) throws IOException {
        connection.bind((InetSocketAddress) local);
    }

    /** Starts connecting. */
    void connect(InetSocketAddress remote, InetSocketAddress local) throws IOException {
        connection.connect(remote, local, (StreamUnsafe) unsafe());
    }

    @Override
    protected void doDisconnect() {
        doClose();
    }

    @Override
    protected void doClose() {
        open = false;
        bothShutdown();
        connection.close();
        ((StreamUnsafe) unsafe()).connecting.abandon();
    }

    @Override
    protected void doBeginRead() {
        reader.beginRead(connection.link());
    }

    /** Cancels the request to read. */
    void clearReadPending() {
        EventLoop at = connection.isRegistered() ? eventLoop() : null;
        if (at == null || at.inEventLoop()) {
            reader.clearPending();
        } else {
            at.execute(() -> {
                if (!config.isAutoRead()) { // it may have been turned on again since
                    reader.clearPending();
                }
            });
        }
    }

    @Override
    protected Object filterOutboundMessage(Object message) {
        if (message instanceof ByteBuf || message instanceof FileRegion) {
            return message;
        }
        throw new UnsupportedOperationException("unsupported message type: " + StringUtil.simpleClassName(message)
                + " (expected: ByteBuf, FileRegion)");
    }

    @Override
    protected void doWrite(ChannelOutboundBuffer out) throws Exception {
        blocked = false;
        blocked = !connection.write(out);
    }

    @Override
    Link connectedLink() throws ClosedChannelException {
        if (!open) {
            throw new ClosedChannelException();
        }
        if (!connected) {
            throw new NotYetConnectedException();
        }
        return connection.link();
    }

    /** The channel's interface to Netty, and to its connection. */
    private final class StreamUnsafe extends AbstractUnsafe implements LinkOwner {
        final Connecting connecting = new Connecting(VerbsSocketChannel.this);
        private boolean closing;

        @Override
        public void connect(SocketAddress remote, SocketAddress local, ChannelPromise promise) {
            if (promise.isDone() || !ensureOpen(promise)) {
                return;
            }
            try {
                connecting.begin((InetSocketAddress) remote, (InetSocketAddress) local, promise);
            } catch (IOException | RuntimeException e) {
                promise.tryFailure(annotateConnectException(e, remote));
                closeIfClosed();
            }
        }

        @Override
        public void opened() {
            boolean wasActive = isActive();
            connected = true;
            boolean active = isActive(); // before a listener closes it
            boolean wanted = connecting.succeeded();
            if (!wasActive && active) {
                pipeline().fireChannelActive();
            }
            flush0(); // data that was written before
            if (!wanted) {
                close(voidPromise());
            }
        }

        @Override
        public void refused(Exception cause) {
            connecting.failed(annotateConnectException(cause, connecting.remote()));
            close(voidPromise());
        }

        /**
         * Keeps the writes of an accepted channel until the handshake ends. Writing early is allowed, as on an accepted
         * socket.
         */
        @Override
        protected void flush0() {
            if (connected || !open || parent() == null) {
                super.flush0();
            }
        }

        /** Hands kept writes to the connection before the channel is closed, as a socket would have them. */
        @Override
        public void close(ChannelPromise promise) {
            ChannelOutboundBuffer kept = outboundBuffer();
            if (!closing && open && !connected && kept != null) {
                closing = true; // a listener of a write may close the channel again
                try {
                    connection.takeEarly(kept);
                } catch (Exception e) {
                    handleWriteError(e);
                }
            }
            super.close(promise);
        }

        @Override
        public void readable() {
            reader.read(connection.link(), recvBufAllocHandle());
        }

        @Override
        public void writable() {
            if (blocked) {
                flush0();
            }
        }
    }
}
