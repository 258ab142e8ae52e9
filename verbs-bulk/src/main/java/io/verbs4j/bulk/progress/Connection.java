/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.progress;

import io.verbs4j.QueuePair;
import io.verbs4j.VerbsException;
import io.verbs4j.bulk.connect.PeerConnection;
import io.verbs4j.bulk.control.Hello;
import io.verbs4j.bulk.recovery.Recovery;
import io.verbs4j.bulk.strategy.Protocol;
import io.verbs4j.bulk.transfer.Link;
import java.net.InetSocketAddress;

/** A link and its connection, which is attached shortly after, and again after a recovery. */
final class Connection {
    private static final System.Logger LOG = System.getLogger("io.verbs4j.bulk");

    private final Link link;
    private final InetSocketAddress address;
    private final boolean datagrams;
    private final ConnectionRails rails = new ConnectionRails();
    private PeerConnection connected;
    private boolean ended;

    /** The peer's last hello. */
    private volatile Hello peer;

    private volatile Protocol protocol;
    private volatile Recovery recovery;

    /** The first queue pair of a reliable connection. */
    private volatile QueuePair queuePair;

    private volatile Runnable whenEnded = () -> {};

    Connection(Link link, InetSocketAddress address, boolean datagrams) {
        this.link = link;
        this.address = address;
        this.datagrams = datagrams;
    }

    Link link() {
        return link;
    }

    AdapterHome home() {
        return (AdapterHome) link.home();
    }

    /** Its current or last device. */
    Adapter adapter() {
        return home().adapter();
    }

    /** Records the peer's hello and the agreed protocol. */
    void met(Hello hello, Protocol agreed) {
        peer = hello;
        protocol = agreed;
    }

    /** Records the peer's hello after a recovery. */
    void met(Hello hello) {
        peer = hello;
    }

    /** Whether it can use a device, as far as this side knows. */
    boolean suits(Adapter other) {
        return suits(other, peer);
    }

    /** Whether it can use a device, given the peer's hello. */
    boolean suits(Adapter other, Hello hello) {
        return other.connections() == adapter().connections()
                && Protocol.refusal(other.abilities(), hello, datagrams) == null
                && Protocol.of(other.abilities(), hello, datagrams).equals(protocol);
    }

    /** Whether both sides can move to another device. */
    boolean isMovable() {
        Hello hello = peer;
        return hello != null && hello.moves();
    }

    /** Its rails. */
    ConnectionRails rails() {
        return rails;
    }

    /** The queue pair created last for it, rails excluded. */
    QueuePair queuePair() {
        return queuePair;
    }

    /** Changes {@link #queuePair()}. */
    void queuePair(QueuePair value) {
        queuePair = value;
    }

    /** Whether it uses datagrams. */
    boolean usesDatagrams() {
        return datagrams;
    }

    /** The address that this side connected to, or that the peer connected from. */
    InetSocketAddress address() {
        return address;
    }

    /** The policy of its recovery, or null. */
    Recovery recovery() {
        return recovery;
    }

    /** Sets the policy of its recovery, and an action for when it has ended for good. */
    void recovery(Recovery value, Runnable atEnd) {
        recovery = value;
        whenEnded = atEnd;
    }

    /** Attaches the established connection. Returns false if the link has ended and does not want it. */
    synchronized boolean attach(PeerConnection connection) {
        if (!ended) {
            connected = connection;
        }
        return !ended;
    }

    /** Closes the queue pairs, which no longer access memory. A new connection may be attached. */
    synchronized void release() {
        rails.closeAll();
        PeerConnection old = connected;
        connected = null;
        if (old != null) {
            try {
                old.close();
            } catch (VerbsException e) {
                LOG.log(System.Logger.Level.DEBUG, "a connection was closed with requests under way", e);
            }
        }
    }

    /** Closes the queue pairs and releases the memory of a link that has ended. */
    synchronized void end() {
        if (ended) {
            return;
        }
        ended = true;
        rails.end();
        release();
        link.closeMemory();
        whenEnded.run();
    }
}
