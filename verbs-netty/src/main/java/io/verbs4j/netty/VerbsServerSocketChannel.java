/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import io.netty.channel.AbstractServerChannel;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoRegistration;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.socket.ServerSocketChannel;
import io.verbs4j.VerbsException;
import io.verbs4j.cm.CmEvent;
import io.verbs4j.cm.CmEventType;
import io.verbs4j.cm.CmId;
import io.verbs4j.cm.CmOption;
import io.verbs4j.cm.PortSpace;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;

/**
 * Accepts {@link VerbsSocketChannel}s, as {@code NioServerSocketChannel} accepts sockets; for event loops of {@link
 * VerbsIoHandler}. Its ports are those of RDMA-CM, which are independent of TCP ports.
 */
public final class VerbsServerSocketChannel extends AbstractServerChannel implements ServerSocketChannel {
    private final VerbsServerSocketChannelConfig config = new VerbsServerSocketChannelConfig(this);
    private final VerbsHandle handle = new VerbsHandle(() -> unsafe().close(voidPromise()));

    /** Channels that the program has not read yet. */
    private final ArrayDeque<VerbsSocketChannel> waiting = new ArrayDeque<>();

    private IoRegistration registration;
    private CmId id;
    private boolean interested;
    private boolean readPending;
    private boolean reading;
    private volatile boolean open = true;
    private volatile boolean bound;

    /** Makes an unbound channel; for a bootstrap. */
    public VerbsServerSocketChannel() {
        // nothing to do before it is registered
    }

    @Override
    public VerbsServerSocketChannelConfig config() {
        return config;
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public boolean isActive() {
        return open && bound;
    }

    @Override
    public InetSocketAddress localAddress() {
        return (InetSocketAddress) super.localAddress();
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return null;
    }

    @Override
    protected SocketAddress localAddress0() {
        return bound ? id.localAddress() : null;
    }

    @Override
    protected boolean isCompatible(EventLoop loop) {
        return loop instanceof IoEventLoop other && other.isCompatible(VerbsHandle.class);
    }

    @Override
    protected void doRegister(ChannelPromise promise) {
        ((IoEventLoop) eventLoop()).register(handle).addListener(future -> {
            if (future.isSuccess()) {
                registration = (IoRegistration) future.getNow();
                promise.setSuccess();
            } else {
                promise.setFailure(future.cause());
            }
        });
    }

    @Override
    protected void doDeregister() {
        if (registration != null) {
            registration.cancel();
        }
    }

    @Override
    protected void doBind(SocketAddress local) throws IOException {
        VerbsIoHandler loop = registration.attachment();
        try {
            id = loop.events().createId(loop.device().context(), PortSpace.TCP);
            id.userContext((CmTarget) this::event);
            if (config.isReuseAddress()) {
                id.setOption(CmOption.REUSEADDR, 1);
            }
            id.bind((InetSocketAddress) local);
            id.listen(config.getBacklog());
            bound = true;
        } catch (VerbsException e) {
            throw Failures.of(e);
        }
    }

    private void event(VerbsIoHandler loop, CmEvent event) {
        if (event.type() == CmEventType.CONNECT_REQUEST) {
            try {
                Wire.Greeting peer = Wire.decode(event.conn().privateData());
                waiting.addLast(new VerbsSocketChannel(this, event.id(), peer));
                deliver();
            } catch (ProtocolException e) {
                event.id().reject(e.getMessage().getBytes(StandardCharsets.UTF_8));
                event.id().close();
            }
        } else if (event.type() == CmEventType.DEVICE_REMOVAL) {
            unsafe().close(voidPromise());
        }
    }

    @Override
    protected void doBeginRead() {
        readPending = true;
        interested = true;
        if (!reading && !waiting.isEmpty()) {
            eventLoop().execute(this::deliver);
        }
    }

    /** Cancels the request to accept. */
    void clearReadPending() {
        EventLoop at = registration == null ? null : eventLoop();
        if (at == null || at.inEventLoop()) {
            interested = false;
            readPending = false;
        } else {
            at.execute(this::clearReadPending);
        }
    }

    /** Passes channels to the pipeline, whose last handler registers them with their loops. */
    @SuppressWarnings("deprecation") // Handle: Netty's own method returns it
    private void deliver() {
        if (!interested || reading || waiting.isEmpty()) {
            return;
        }
        reading = true;
        RecvByteBufAllocator.Handle sizes = unsafe().recvBufAllocHandle();
        sizes.reset(config);
        try {
            do {
                readPending = false;
                sizes.incMessagesRead(1);
                pipeline().fireChannelRead(waiting.pollFirst());
            } while (!waiting.isEmpty() && sizes.continueReading());
            sizes.readComplete();
            pipeline().fireChannelReadComplete();
        } finally {
            reading = false;
            if (!readPending && !config.isAutoRead()) {
                interested = false;
            }
        }
        if (interested && !waiting.isEmpty()) {
            eventLoop().execute(this::deliver);
        }
    }

    @Override
    protected void doClose() {
        open = false;
        if (id != null) {
            id.close();
        }
        for (VerbsSocketChannel child; (child = waiting.pollFirst()) != null; ) {
            child.unsafe().closeForcibly(); // never registered
        }
    }
}
