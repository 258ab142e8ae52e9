/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.spi;

import io.verbs4j.Context;
import io.verbs4j.QpAttr;
import io.verbs4j.QueuePair;
import io.verbs4j.cm.ConnParam;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * The implementation of a {@link io.verbs4j.cm.CmId}: one end.
 *
 * <p>It has no queue pair; its user moves one by {@link #qpAttr}. No method waits for the network. Methods may be
 * called from any thread. They throw {@link io.verbs4j.VerbsException} with {@link io.verbs4j.Errno#EINVAL} in a wrong
 * state, and with {@link io.verbs4j.Errno#EBADF} after close.
 */
public interface CmEndpoint extends AutoCloseable {
    /** {@return the open device to make queue pairs of this end on} */
    Context context();

    /** {@return the port of the device that it is bound to, from 1; 1 while it is not bound} */
    default int portNum() {
        return 1;
    }

    /**
     * Binds to an address of the device.
     *
     * @param address address to bind to; the wildcard for all addresses, port 0 for any free port
     */
    void bind(InetSocketAddress address);

    /**
     * Finds the address of the device that leads to the peer: ADDR_RESOLVED or ADDR_ERROR.
     *
     * @param source address of the device; null to let the system choose
     * @param destination address of the peer
     * @param timeoutMillis longest time that it may take
     */
    void resolveAddress(InetSocketAddress source, InetSocketAddress destination, long timeoutMillis);

    /**
     * Finds the route: ROUTE_RESOLVED or ROUTE_ERROR.
     *
     * @param timeoutMillis longest time that it may take
     */
    void resolveRoute(long timeoutMillis);

    /**
     * Listens.
     *
     * @param backlog maximum number of requests that wait to be accepted or rejected; 0 or less for the greatest
     *     possible
     */
    void listen(int backlog);

    /**
     * Connects: CONNECT_RESPONSE, REJECTED or UNREACHABLE; in a port space for datagrams, ESTABLISHED or UNREACHABLE.
     *
     * @param param parameters with the queue pair number
     */
    void connect(ConnParam param);

    /**
     * Accepts, after the queue pair has been moved: ESTABLISHED or UNREACHABLE; no event in a port space for datagrams.
     *
     * @param param parameters with the queue pair number
     */
    void accept(ConnParam param);

    /**
     * Rejects a request, or a peer that has accepted.
     *
     * @param reason a {@link io.verbs4j.cm.RejectReason}
     * @param privateData data for the program at the peer
     */
    void reject(int reason, byte[] privateData);

    /** Confirms the connection to the peer; called after CONNECT_RESPONSE, once the queue pair has been moved. */
    void establish();

    /** Reports that a packet has arrived on the connection, which counts as the peer's confirmation. */
    void communicationEstablished();

    /** Disconnects: DISCONNECTED, then TIMEWAIT_EXIT. Does nothing if either side has disconnected before. */
    void disconnect();

    /**
     * Returns attributes that move a queue pair.
     *
     * @param state state to move to: {@link io.verbs4j.QpState#INIT}, RTR or RTS
     * @return the attributes with their mask, a new object
     */
    QpAttr qpAttr(int state);

    /**
     * Sets an option.
     *
     * @param option a {@link io.verbs4j.cm.CmOption}
     * @param value value of the option
     */
    void setOption(int option, int value);

    /**
     * Joins a multicast group: MULTICAST_JOIN or MULTICAST_ERROR.
     *
     * @param group address of the group
     * @param context object to return with the event, or null
     */
    void joinMulticast(InetAddress group, Object context);

    /**
     * Leaves a multicast group; does nothing if it was not joined.
     *
     * @param group address of the group
     */
    void leaveMulticast(InetAddress group);

    /** {@return the address that it is bound to, or null} */
    InetSocketAddress localAddress();

    /** {@return the peer's address, or null if it has none} */
    InetSocketAddress peerAddress();

    /** Result that means at least one send request, with the exact number unknown. */
    int UNCOUNTED = Integer.MAX_VALUE;

    /**
     * Announces a queue pair that this end will connect. Nothing has been posted to it yet.
     *
     * @param qp the queue pair
     */
    default void willConnect(QueuePair qp) {
        // an end may watch it, to answer unfinishedSends
    }

    /**
     * Counts the send requests of a connected queue pair that were accepted and have not ended: the peer has not
     * acknowledged them. Called repeatedly before a connection is closed, by one thread, while nobody else posts. An
     * end may post a request of its own to find out.
     *
     * @param qp the queue pair
     * @return the number; {@link #UNCOUNTED}; or -1 if unknown: the connection is then closed without waiting, and the
     *     program receives EOPNOTSUPP
     */
    default int unfinishedSends(QueuePair qp) {
        return -1;
    }

    /**
     * Counts the accepted send requests of a queue pair that have failed or were flushed since it was made.
     *
     * @param qp the queue pair
     * @return the number, or {@link #UNCOUNTED}; 0 if unknown
     */
    default long failedSends(QueuePair qp) {
        return 0;
    }

    /**
     * Detects a peer that vanishes without disconnecting: DISCONNECTED with status {@code -ETIMEDOUT}. Does nothing if
     * something else does so, such as a kernel that disconnects for processes that end.
     *
     * @param nanos time after which a silent peer on another machine is given up; 0 or less disables detection
     */
    default void keepAlive(long nanos) {
        // the kernel disconnects for a process that ends
    }

    /**
     * Makes a signal for event loops outside Java, in any state. The signal outlives this end and its device; the
     * caller must close it.
     *
     * @return a new signal, not raised; null if the end has none or the process cannot open more files
     */
    default CmSignal newSignal() {
        return null;
    }

    /**
     * Closes the end; a connection is disconnected, a request rejected. Does not wait. No event is reported afterwards.
     */
    @Override
    void close();
}
