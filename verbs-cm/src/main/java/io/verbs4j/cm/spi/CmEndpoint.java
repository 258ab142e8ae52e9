/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.spi;

import io.verbs4j.Context;
import io.verbs4j.QpAttr;
import io.verbs4j.QueuePair;
import io.verbs4j.cm.ConnParam;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * What is behind a {@link io.verbs4j.cm.CmId}: one end. It has no queue pair; who uses it moves that by {@link #qpAttr}. No method waits for the
 * network. Methods may be called by any thread, and throw {@link io.verbs4j.VerbsException} with {@link io.verbs4j.Errno#EINVAL} in a state that does
 * not fit, {@link io.verbs4j.Errno#EBADF} after close.
 */
public interface CmEndpoint extends AutoCloseable {
    /** {@return the open device that queue pairs of this end are to be made on} */
    Context context();

    /** {@return the device's port that it is bound to, from 1; 1 before} */
    default int portNum() {
        return 1;
    }

    /**
     * Binds to an address of the device.
     *
     * @param address the address; the wildcard for all; port 0 for one that is free
     */
    void bind(InetSocketAddress address);

    /**
     * Finds the address of the device that leads to another one: ADDR_RESOLVED or ADDR_ERROR.
     *
     * @param source the device's address; null for the one that the system would choose
     * @param destination the peer's
     * @param timeoutMillis longest time for it
     */
    void resolveAddress(InetSocketAddress source, InetSocketAddress destination, long timeoutMillis);

    /**
     * Finds the route: ROUTE_RESOLVED or ROUTE_ERROR.
     *
     * @param timeoutMillis longest time for it
     */
    void resolveRoute(long timeoutMillis);

    /**
     * Listens.
     *
     * @param backlog most requests that wait to be accepted or rejected; 0 or less for as many as there may be
     */
    void listen(int backlog);

    /**
     * Connects: CONNECT_RESPONSE, REJECTED or UNREACHABLE; in a space for datagrams ESTABLISHED or UNREACHABLE.
     *
     * @param param with the queue pair number
     */
    void connect(ConnParam param);

    /**
     * Accepts, after the queue pair has been moved: ESTABLISHED or UNREACHABLE; nothing in a space for datagrams.
     *
     * @param param with the queue pair number
     */
    void accept(ConnParam param);

    /**
     * Rejects a request, or a peer that has accepted.
     *
     * @param reason a {@link io.verbs4j.cm.RejectReason}
     * @param privateData for the program at the peer
     */
    void reject(int reason, byte[] privateData);

    /** After CONNECT_RESPONSE, when the queue pair has been moved. */
    void establish();

    /** A packet has come on the connection: as good as the message that says so. */
    void communicationEstablished();

    /** Disconnects: DISCONNECTED, then TIMEWAIT_EXIT. Does nothing where that was done before or the peer has disconnected. */
    void disconnect();

    /**
     * Attributes that move a queue pair.
     *
     * @param state the state to move to, {@link io.verbs4j.QpState#INIT}, RTR or RTS
     * @return the attributes with their mask, a new object
     */
    QpAttr qpAttr(int state);

    /**
     * Sets an option.
     *
     * @param option a {@link io.verbs4j.cm.CmOption}
     * @param value its value
     */
    void setOption(int option, int value);

    /**
     * Joins a group: MULTICAST_JOIN or MULTICAST_ERROR.
     *
     * @param group its address
     * @param context handed out with the event, or null
     */
    void joinMulticast(InetAddress group, Object context);

    /**
     * Leaves a group; does nothing where it was not joined.
     *
     * @param group its address
     */
    void leaveMulticast(InetAddress group);

    /** {@return the address that it is bound to; null before} */
    InetSocketAddress localAddress();

    /** {@return the peer's address; null where there is none} */
    InetSocketAddress peerAddress();

    /** Number of send requests where there are some, and it is not known how many. */
    int UNCOUNTED = Integer.MAX_VALUE;

    /**
     * A queue pair was made that this end is to connect, before anything is posted to it.
     *
     * @param qp the queue pair
     */
    default void willConnect(QueuePair qp) {
        // an end may want to watch it, to answer unfinishedSends
    }

    /**
     * Counts the send requests of a connected queue pair that were accepted and have not ended: the peer has not
     * acknowledged them. Asked again and again when a connection is about to be closed, by one thread, while nobody
     * else posts; an end may post a request of its own to find out.
     *
     * @param qp the queue pair
     * @return how many; {@link #UNCOUNTED}; -1 where nothing is known: the connection is closed without waiting, and
     *     the program told so by EOPNOTSUPP
     */
    default int unfinishedSends(QueuePair qp) {
        return -1;
    }

    /**
     * Counts the send requests of a queue pair that were accepted and have failed, or were flushed, since it was made.
     *
     * @param qp the queue pair
     * @return how many, or {@link #UNCOUNTED}; 0 where that is not known
     */
    default long failedSends(QueuePair qp) {
        return 0;
    }

    /**
     * Notices a peer that is gone without a word: DISCONNECTED with status {@code -ETIMEDOUT}. Does nothing where
     * another does that already, as a kernel does for processes that end.
     *
     * @param nanos time after which a peer of another machine that answers nothing is given up; 0 or less ends that
     */
    default void keepAlive(long nanos) {
        // the kernel disconnects for a process that ends
    }

    /**
     * Makes a signal for event loops outside Java, in any state. It outlives this end and its device: whoever asked for it
     * closes it.
     *
     * @return a new signal, not raised; null where there is none, or the process can open no further file
     */
    default CmSignal newSignal() {
        return null;
    }

    /** Ends it; a connection is disconnected, a request rejected. Does not wait. Nothing is told afterwards. */
    @Override
    void close();
}
