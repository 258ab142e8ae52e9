/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

import io.verbs4j.Errno;
import io.verbs4j.bulk.progress.Engine;
import io.verbs4j.bulk.transfer.Link;
import java.net.InetSocketAddress;

/** A connection to another endpoint. All methods may be called from any thread. */
public final class BulkPeer implements AutoCloseable {
    private final Engine engine;
    private final Link link;
    private final InetSocketAddress address;
    private volatile long endpoint;
    private volatile boolean down;
    private volatile int reconnections;
    private volatile boolean recovering;

    BulkPeer(Engine engine, Link link, InetSocketAddress address) {
        this.engine = engine;
        this.link = link;
        this.address = address;
    }

    Link link() {
        return link;
    }

    void up(long value) {
        endpoint = value;
    }

    void down() {
        down = true;
        recovering = false;
    }

    void recovering() {
        recovering = true;
    }

    void recovered(int count) {
        reconnections = count;
        recovering = false;
    }

    /** {@return the number that entries and completions name the peer by; never used again in its endpoint} */
    public int id() {
        return link.id();
    }

    /** {@return the address that was connected to, or that the peer has connected from} */
    public InetSocketAddress address() {
        return address;
    }

    /** {@return the identifier of the peer's endpoint; 0 until the connection is there} */
    public long endpointId() {
        return endpoint;
    }

    /** {@return whether the connection is lost, and may be made again: {@link BulkConfig#withRecovery}} */
    public boolean isRecovering() {
        return recovering;
    }

    /** {@return how often the connection was lost and made again} */
    public int reconnections() {
        return reconnections;
    }

    /**
     * {@return how many queue pairs bytes are spread over now, from 1: {@link BulkConfig#withRails}} There are more a
     * moment after the connection was made.
     */
    public int rails() {
        return 1 + link.rails().count();
    }

    /** {@return whether the connection has not ended; true also while it {@link #isRecovering}} */
    public boolean isOpen() {
        return !down;
    }

    /**
     * Notifies the peer and ends the connection. Does not wait. Entries that are under way, and those that are
     * submitted from now on, complete with {@link Errno#ECONNABORTED}, and once the connection is gone with {@link
     * Errno#ECONNRESET}; messages that were sent and have completed reach the peer. A peer whose connection
     * is lost at that time is not notified.
     */
    @Override
    public void close() {
        engine.execute(() -> link.close(Errno.ECONNABORTED));
    }

    @Override
    public String toString() {
        return "peer " + id() + " at " + address;
    }
}
