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
     * Nothing as yet.
     *
     * @param id null for a channel that is to connect; else that of a peer that wants to
     * @param peer what that peer has said
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

    /** {@return the connection; null before one was begun} */
    Link link() {
        return link;
    }

    /** The channel is a loop's. A peer that wants to connect is accepted. */
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

    /** Begins to connect. */
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

    /** Sends what there is room for. {@return whether that was all} */
    boolean write(ChannelOutboundBuffer out) throws Exception {
        loop().collectEvents();
        if (link.failure() != 0) {
            throw Failures.of(link.failure());
        }
        boolean all = writer.write(out, link.outbox());
        if (!all && !link.slab().hasFree()) {
            loop().starved(link); // no completion of its own may be on the way
        }
        return all;
    }

    /** Takes over what there is room for, where the peer has yet to confirm. */
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
