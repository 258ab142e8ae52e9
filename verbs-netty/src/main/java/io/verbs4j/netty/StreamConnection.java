/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.IoRegistration;
import io.verbs4j.VerbsException;
import io.verbs4j.cm.CmId;
import io.verbs4j.cm.CmOption;
import io.verbs4j.cm.PortSpace;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.AlreadyConnectedException;
import java.util.concurrent.TimeUnit;

/** A stream channel's resources on its event loop: the registration, the id, and the connection. */
final class StreamConnection {
    private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final OutboundWriter writer = new OutboundWriter();
    private final VerbsSocketChannelConfig config;
    private final Traffic traffic;
    private final Wire.Greeting peer;
    private IoRegistration registration;
    private CmId id;
    private Link link;

    /**
     * Starts without a connection.
     *
     * @param id null for a channel that will connect; otherwise the id of the peer's request
     * @param peer the greeting of that peer, or null
     */
    StreamConnection(VerbsSocketChannelConfig config, Traffic traffic, CmId id, Wire.Greeting peer) {
        this.config = config;
        this.traffic = traffic;
        this.id = id;
        this.peer = peer;
    }

    SocketAddress localAddress() {
        return id == null ? null : id.localAddress();
    }

    SocketAddress remoteAddress(boolean connected) {
        return id == null || !connected && peer == null ? null : id.peerAddress();
    }

    boolean isRegistered() {
        return registration != null;
    }

    /** {@return the connection; null before it was started} */
    Link link() {
        return link;
    }

    /** Called when the channel is registered with a loop. Accepts the peer's request, if there is one. */
    void register(IoRegistration made, LinkOwner owner) throws IOException {
        VerbsIoHandler loop = made.attachment();
        if (link != null && link.loop() != loop) {
            throw new IllegalStateException("a connection can't move to another event loop");
        }
        registration = made;
        if (peer != null && link == null) {
            link = newLink(loop, owner);
            link.accept(peer);
        }
    }

    void deregister() {
        if (registration != null) {
            registration.cancel();
        }
    }

    private Link newLink(VerbsIoHandler loop, LinkOwner owner) {
        LinkSettings settings =
                new LinkSettings(config.getSendBufferSize(), config.getReceiveBufferSize(), config.isKeepAlive());
        return new Link(loop, id, owner, settings, traffic);
    }

    private VerbsIoHandler loop() {
        return registration.attachment();
    }

    void bind(InetSocketAddress local) throws IOException {
        try {
            makeId();
            id.bind(local);
        } catch (VerbsException e) {
            throw Failures.of(e);
        }
    }

    private void makeId() {
        if (id == null) {
            id = loop().events().createId(loop().device().context(), PortSpace.TCP);
            if (config.getTrafficClass() != 0) {
                id.setOption(CmOption.TOS, config.getTrafficClass());
            }
            if (config.isReuseAddress()) {
                id.setOption(CmOption.REUSEADDR, 1);
            }
        }
    }

    /** Starts connecting. */
    void connect(InetSocketAddress remote, InetSocketAddress local, LinkOwner owner) throws IOException {
        if (link != null) {
            throw new AlreadyConnectedException();
        }
        try {
            makeId();
            link = newLink(loop(), owner);
            link.connect(local, remote);
        } catch (VerbsException e) {
            throw Failures.of(e);
        }
    }

    /** Sends as much as there is room for. {@return whether that was everything} */
    boolean write(ChannelOutboundBuffer out) throws Exception {
        loop().collectEvents();
        if (link.failure() != 0) {
            throw Failures.of(link.failure());
        }
        boolean all = writer.write(out, link.outbox());
        if (!all && !link.slab().hasFree()) {
            loop().starved(link); // no completion of its own may be pending to wake it
        }
        return all;
    }

    /** Takes as many written bytes as there is room for, if the peer has not confirmed yet. */
    void takeEarly(ChannelOutboundBuffer out) throws Exception {
        if (link != null && link.isAccepted()) {
            boolean unused = writer.write(out, link.outbox());
        }
    }

    void close() {
        if (link != null) {
            int linger = config.getSoLinger();
            link.close(linger < 0 ? LINGER_NANOS : TimeUnit.SECONDS.toNanos(linger));
        } else if (id != null) {
            id.close();
        }
    }
}
