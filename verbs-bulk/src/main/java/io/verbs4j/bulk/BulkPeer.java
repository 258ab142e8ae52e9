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

    /** {@return the number that identifies the peer in entries and completions; the endpoint never reuses it} */
    public int id() {
        return link.id();
    }

    /** {@return the address that this side connected to, or that the peer connected from} */
    public InetSocketAddress address() {
        return address;
    }

    /** {@return the identifier of the peer's endpoint; 0 until the connection is established} */
    public long endpointId() {
        return endpoint;
    }

    /** {@return whether the connection is lost and may be restored, see {@link BulkConfig#withRecovery}} */
    public boolean isRecovering() {
        return recovering;
    }

    /** {@return how often the connection was lost and restored} */
    public int reconnections() {
        return reconnections;
    }

    /**
     * {@return the number of queue pairs that bytes are spread over now, at least 1; see {@link BulkConfig#withRails}}
     * It grows shortly after the connection is established.
     */
    public int rails() {
        return 1 + link.rails().count();
    }

    /** {@return whether the connection has not ended; also true while {@link #isRecovering}} */
    public boolean isOpen() {
        return !down;
    }

    /**
     * Notifies the peer and ends the connection, without waiting. Entries in flight, and entries submitted from now on,
     * complete with {@link Errno#ECONNABORTED}, or with {@link Errno#ECONNRESET} once the connection is gone. Messages
     * that were sent and have completed still reach the peer. The peer is not notified if the connection is lost at
     * that time.
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
