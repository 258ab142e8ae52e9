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

/** A link and the connection that it goes by, which is there a moment later, and again after it was lost. */
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

    /** The first one, where the connection is reliable. */
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

    /** The device that it goes by, or went by last. */
    Adapter adapter() {
        return home().adapter();
    }

    /** The two sides have met, and do transfers so. */
    void met(Hello hello, Protocol agreed) {
        peer = hello;
        protocol = agreed;
    }

    /** The two sides have met again. */
    void met(Hello hello) {
        peer = hello;
    }

    /** Whether it can go by a device, as far as this side knows. */
    boolean suits(Adapter other) {
        return suits(other, peer);
    }

    /** Whether it can go by a device, with a peer that has said so. */
    boolean suits(Adapter other, Hello hello) {
        return other.connections() == adapter().connections()
                && Protocol.refusal(other.abilities(), hello, datagrams) == null
                && Protocol.of(other.abilities(), hello, datagrams).equals(protocol);
    }

    /** Whether both sides can go by another device. */
    boolean isMovable() {
        Hello hello = peer;
        return hello != null && hello.moves();
    }

    /** Its rails. */
    ConnectionRails rails() {
        return rails;
    }

    /** The queue pair that was made last for it, rails apart. */
    QueuePair queuePair() {
        return queuePair;
    }

    /** Changes {@link #queuePair()}. */
    void queuePair(QueuePair value) {
        queuePair = value;
    }

    /** Whether it goes by datagrams. */
    boolean usesDatagrams() {
        return datagrams;
    }

    /** Where this side has connected to, or the peer from. */
    InetSocketAddress address() {
        return address;
    }

    /** How it is recovered, or null. */
    Recovery recovery() {
        return recovery;
    }

    /** It is to be recovered; something is done when it has ended for good. */
    void recovery(Recovery value, Runnable atEnd) {
        recovery = value;
        whenEnded = atEnd;
    }

    /** The connection is there. Returns whether it is wanted: the link may have ended. */
    synchronized boolean attach(PeerConnection connection) {
        if (!ended) {
            connected = connection;
        }
        return !ended;
    }

    /** Closes the queue pairs, so that nothing touches memory by it any more. Another one may come. */
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

    /** The link has ended: closes the queue pair and gives back what it had. */
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
