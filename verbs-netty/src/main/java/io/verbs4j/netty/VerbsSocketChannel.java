/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.AbstractChannel;
import io.netty.channel.ChannelFuture;
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
import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.cm.CmId;
import io.verbs4j.cm.CmOption;
import io.verbs4j.cm.PortSpace;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetConnectedException;
import java.util.concurrent.TimeUnit;

/**
 * A stream over RDMA, as {@code NioSocketChannel} is one over TCP; for event loops of {@link VerbsIoHandler}. Both ends
 * must be channels of this module. A channel stays on the event loop that it was registered with.
 *
 * <p>What a program sees is that of a socket channel: half-closure, back-pressure, resets. A {@linkplain
 * io.netty.channel.ChannelFuture write} succeeds when its bytes are on their way or have been taken over to be sent.
 */
public final class VerbsSocketChannel extends AbstractChannel implements SocketChannel {
    private static final ChannelMetadata METADATA = new ChannelMetadata(false, 16);
    private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final VerbsSocketChannelConfig config = new VerbsSocketChannelConfig(this);
    private final Traffic traffic = new Traffic();
    private final InboundReader reader = new InboundReader(this, traffic);
    private final OutboundWriter writer = new OutboundWriter();
    private final VerbsHandle handle = new VerbsHandle(() -> unsafe().close(voidPromise()));
    private final Wire.Greeting peer;
    private IoRegistration registration;
    private CmId id;
    private Link link;
    private boolean blocked;
    private volatile boolean open = true;
    private volatile boolean connected;
    private volatile boolean inputShutdown;
    private volatile boolean outputShutdown;

    /** A channel that is not connected; for a bootstrap. */
    public VerbsSocketChannel() {
        super(null);
        peer = null;
    }

    /** A channel for a peer that wants to connect. */
    VerbsSocketChannel(VerbsServerSocketChannel parent, CmId id, Wire.Greeting peer) {
        super(parent);
        this.id = id;
        this.peer = peer;
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

    /** {@return how many bytes were sent from where they were, without a copy; may be called by any thread} */
    public long bytesSentInPlace() {
        return traffic.sentInPlace();
    }

    /** {@return how many received bytes were copied into a buffer; may be called by any thread} */
    public long bytesReceivedByCopy() {
        return traffic.receivedByCopy();
    }

    /** {@return how many received bytes were handed out where they had arrived; may be called by any thread} */
    public long bytesReceivedInPlace() {
        return traffic.receivedInPlace();
    }

    @Override
    protected SocketAddress localAddress0() {
        return id == null ? null : id.localAddress();
    }

    @Override
    protected SocketAddress remoteAddress0() {
        return id == null || !connected && peer == null ? null : id.peerAddress();
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
                registered(made);
            } catch (IOException | RuntimeException e) {
                made.cancel();
                promise.setFailure(e instanceof VerbsException failure ? Failures.of(failure) : e);
                return;
            }
            promise.setSuccess();
        });
    }

    private void registered(IoRegistration made) throws IOException {
        VerbsIoHandler loop = made.attachment();
        if (link != null && link.loop() != loop) {
            throw new IllegalStateException("a connection can't move to another event loop");
        }
        registration = made;
        if (peer != null && link == null) {
            link = newLink(loop);
            link.accept(peer);
        }
    }

    private Link newLink(VerbsIoHandler loop) {
        LinkSettings settings =
                new LinkSettings(config.getSendBufferSize(), config.getReceiveBufferSize(), config.isKeepAlive());
        return new Link(loop, id, (StreamUnsafe) unsafe(), settings, traffic);
    }

    private VerbsIoHandler loop() {
        return registration.attachment();
    }

    @Override
    protected void doDeregister() {
        if (registration != null) {
            registration.cancel();
        }
    }

    @Override
    protected void doBind(SocketAddress local) throws IOException {
        try {
            connectionId().bind((InetSocketAddress) local);
        } catch (VerbsException e) {
            throw Failures.of(e);
        }
    }

    private CmId connectionId() {
        if (id == null) {
            id = loop().events().createId(loop().device().context(), PortSpace.TCP);
            if (config.getTrafficClass() != 0) {
                id.setOption(CmOption.TOS, config.getTrafficClass());
            }
            if (config.isReuseAddress()) {
                id.setOption(CmOption.REUSEADDR, 1);
            }
        }
        return id;
    }

    /** Begins to connect. */
    void connect(InetSocketAddress remote, InetSocketAddress local) throws IOException {
        if (link != null) {
            throw new AlreadyConnectedException();
        }
        try {
            connectionId();
            link = newLink(loop());
            link.connect(local, remote);
        } catch (VerbsException e) {
            throw Failures.of(e);
        }
    }

    @Override
    protected void doDisconnect() {
        doClose();
    }

    @Override
    protected void doClose() {
        open = false;
        inputShutdown = true;
        outputShutdown = true;
        if (link != null) {
            int linger = config.getSoLinger();
            link.close(linger < 0 ? LINGER_NANOS : TimeUnit.SECONDS.toNanos(linger));
        } else if (id != null) {
            id.close();
        }
        ((StreamUnsafe) unsafe()).connecting.abandon();
    }

    @Override
    protected void doBeginRead() {
        reader.beginRead(link);
    }

    /** Reading is not asked for any more. */
    void clearReadPending() {
        EventLoop at = registration == null ? null : eventLoop();
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
        loop().collectEvents();
        if (link.failure() != 0) {
            throw new IOException(
                    link.failure() == Errno.ETIMEDOUT ? "Connection timed out" : "Connection reset by peer");
        }
        blocked = false;
        blocked = !writer.write(out, link.queue());
        if (blocked && !link.slab().hasFree()) {
            loop().starved(link); // no completion of its own may be on the way
        }
    }

    @Override
    protected void doShutdownOutput() throws ClosedChannelException {
        requireConnected();
        outputShutdown = true;
        link.queue().end();
    }

    private void requireConnected() throws ClosedChannelException {
        if (!open) {
            throw new ClosedChannelException();
        }
        if (!connected) {
            throw new NotYetConnectedException();
        }
    }

    @Override
    public boolean isInputShutdown() {
        return inputShutdown;
    }

    @Override
    public boolean isOutputShutdown() {
        return outputShutdown;
    }

    @Override
    public boolean isShutdown() {
        return inputShutdown && outputShutdown;
    }

    /** The input has ended. */
    void inputShutdown() {
        inputShutdown = true;
    }

    @Override
    public ChannelFuture shutdownInput() {
        return shutdownInput(newPromise());
    }

    @Override
    public ChannelFuture shutdownInput(ChannelPromise promise) {
        return Shutdowns.inLoop(eventLoop(), promise, () -> {
            requireConnected();
            inputShutdown = true;
            link.shutInput();
        });
    }

    @Override
    public ChannelFuture shutdownOutput() {
        return shutdownOutput(newPromise());
    }

    @Override
    public ChannelFuture shutdownOutput(ChannelPromise promise) {
        EventLoop at = eventLoop();
        if (at.inEventLoop()) {
            ((StreamUnsafe) unsafe()).shutdownOutput(promise);
        } else {
            at.execute(() -> ((StreamUnsafe) unsafe()).shutdownOutput(promise));
        }
        return promise;
    }

    @Override
    public ChannelFuture shutdown() {
        return shutdown(newPromise());
    }

    @Override
    public ChannelFuture shutdown(ChannelPromise promise) {
        return Shutdowns.both(this, promise);
    }

    /** The channel's side towards Netty, and towards its connection. */
    private final class StreamUnsafe extends AbstractUnsafe implements LinkOwner {
        final Connecting connecting = new Connecting(VerbsSocketChannel.this);

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
            if (!wanted) {
                close(voidPromise());
            }
        }

        @Override
        public void refused(Exception cause) {
            connecting.failed(annotateConnectException(cause, connecting.remote()));
            close(voidPromise());
        }

        @Override
        public void readable() {
            reader.read(link, recvBufAllocHandle());
        }

        @Override
        public void writable() {
            if (blocked) {
                flush0();
            }
        }
    }
}
