/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.wire;

import java.io.IOException;
import org.HdrHistogram.Histogram;

/** One end of a way to move messages of one size between two processes. */
public interface Transport extends AutoCloseable {
    /**
     * Sets the contents of the messages to send, and clears the memory for received ones.
     *
     * @param seed determines the contents
     */
    void prepare(long seed);

    /**
     * Sends messages as fast as possible. With a transport that is {@link #isOneSided one-sided}, all of them have
     * arrived when this returns.
     */
    default void send(long messages) throws IOException {
        throw new UnsupportedOperationException();
    }

    /** Receives a number of messages. Not called for {@link #isOneSided one-sided} transports. */
    default void receive(long messages) throws IOException {
        throw new UnsupportedOperationException();
    }

    /** Returns whether messages arrive without any action of the program at the other end. */
    default boolean isOneSided() {
        return false;
    }

    /** Returns whether messages are fetched from the other end. */
    default boolean isRead() {
        return false;
    }

    /** Sends a message and waits for the answer, repeatedly. */
    default void ping(long messages, Histogram roundTrips) throws IOException {
        throw new UnsupportedOperationException();
    }

    /** Answers messages. */
    default void pong(long messages) throws IOException {
        throw new UnsupportedOperationException();
    }

    /**
     * Runs a transport's own kind of operation; the other end takes part by {@link #pong}.
     *
     * @param operations number of operations
     * @return the measured values
     */
    default double[] perform(long operations) throws IOException {
        throw new UnsupportedOperationException();
    }

    @Override
    void close() throws IOException;

    /**
     * Throws if the received data is wrong; called at the receiving end.
     *
     * @param messages number of messages since {@link #prepare}
     */
    void check(long messages);
}
