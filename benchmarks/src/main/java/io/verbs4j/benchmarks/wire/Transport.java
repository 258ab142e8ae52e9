/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.wire;

import java.io.IOException;
import org.HdrHistogram.Histogram;

/** A way to move messages between two processes; each has one end. All messages have one size. */
public interface Transport extends AutoCloseable {
    /**
     * Sets the contents of the messages that will be sent, and clears where messages go.
     *
     * @param seed the contents
     */
    void prepare(long seed);

    /**
     * Sends messages, as fast as goes. Where the other end need not take part ({@link #isOneSided}) all have arrived when
     * this returns.
     */
    default void send(long messages) throws IOException {
        throw new UnsupportedOperationException();
    }

    /** Takes messages in, until so many have come. Not called for {@link #isOneSided one-sided} transports. */
    default void receive(long messages) throws IOException {
        throw new UnsupportedOperationException();
    }

    /** Whether the other end's program has nothing to do for messages to arrive. */
    default boolean isOneSided() {
        return false;
    }

    /** Whether the messages come from the other end, whose program has nothing to do for that. */
    default boolean isRead() {
        return false;
    }

    /** Sends a message and waits for the answer, many times. */
    default void ping(long messages, Histogram roundTrips) throws IOException {
        throw new UnsupportedOperationException();
    }

    /** Answers messages. */
    default void pong(long messages) throws IOException {
        throw new UnsupportedOperationException();
    }

    /**
     * Does something of its own, in which the other end takes part by {@link #pong}.
     *
     * @param operations how often
     * @return the values that were measured
     */
    default double[] perform(long operations) throws IOException {
        throw new UnsupportedOperationException();
    }

    @Override
    void close() throws IOException;

    /**
     * Throws where what has arrived is wrong; for the end where messages go.
     *
     * @param messages how many came since {@link #prepare}
     */
    void check(long messages);
}
