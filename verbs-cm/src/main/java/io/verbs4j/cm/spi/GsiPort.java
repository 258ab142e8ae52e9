/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.spi;

import io.verbs4j.Context;
import io.verbs4j.Gid;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The general service interface of a software device's port: transfers management packets of queue pair 1.
 *
 * <p>A provider whose device has one returns it from {@link io.verbs4j.Context#vendor}, the same object for all
 * contexts of the device.
 */
public interface GsiPort {
    /** Length of a management packet, in bytes. */
    int MAD_LENGTH = 256;

    /** {@return a name for threads and messages} */
    String name();

    /** {@return the GUID of the node, EUI-64 in host order, which no other process has} */
    long guid();

    /** {@return the GID table; RoCE v2} */
    List<Gid> gids();

    /**
     * Returns the largest payload of a packet.
     *
     * @param gidIndex index of the local GID
     * @return number of bytes
     */
    int pathMtu(int gidIndex);

    /**
     * Returns the local GID that the system would send from.
     *
     * @param destination GID of the peer
     * @return one of {@link #gids()}; null if none leads there
     */
    Gid sourceFor(Gid destination);

    /**
     * Starts receiving. There is one receiver at a time.
     *
     * @param receiver receives each packet
     * @throws io.verbs4j.VerbsException if the network cannot be used
     */
    void open(GsiReceiver receiver);

    /** Stops receiving. */
    void close();

    /**
     * Registers an open end of the connection manager on a context of this port. Until the end is closed, closing the
     * context fails with {@link io.verbs4j.Errno#EBUSY} and a message that names the end by its {@code toString()}.
     * Called with locks held, so it must not call other parties. By default the context does not learn of its ends and
     * can be closed.
     *
     * @param context the open device
     * @param end the end
     * @throws io.verbs4j.VerbsException {@link io.verbs4j.Errno#EINVAL} if the context is closed
     */
    default void endOpened(Context context, CmEndpoint end) {
        // the context does not track its ends
    }

    /**
     * Unregisters an end that is closed. Called with locks held, so it must not call other parties.
     *
     * @param context context that was passed to {@link #endOpened}
     * @param end the end
     */
    default void endClosed(Context context, CmEndpoint end) {
        // the context does not track its ends
    }

    /**
     * Sends a packet. If that fails the packet is lost, like one lost in the network. May be called from any thread,
     * also from within {@link GsiReceiver}.
     *
     * @param source local GID
     * @param destination GID of the receiver
     * @param trafficClass traffic class, 8 bits
     * @param mad {@link #MAD_LENGTH} bytes from index 0; position and limit are ignored
     */
    void send(Gid source, Gid destination, int trafficClass, ByteBuffer mad);

    /**
     * Makes a signal for event loops outside Java. The signal outlives the port; the caller must close it.
     *
     * @return a new signal, not raised; null if the port has none or the process cannot open more files
     */
    default CmSignal newSignal() {
        return null;
    }

    /** Result of {@link #presence}: unknown. */
    int PRESENCE_UNKNOWN = 0;

    /** Result of {@link #presence}: a process on this machine has the address. */
    int PRESENCE_THERE = 1;

    /** Result of {@link #presence}: no process on this machine has the address any more. */
    int PRESENCE_GONE = 2;

    /**
     * Checks whether a process on this machine still has an address; a stopped process has it. Called with locks held,
     * so it must not wait.
     *
     * @param peer GID of the peer
     * @return a {@code PRESENCE} constant; {@link #PRESENCE_UNKNOWN} for addresses of other machines
     */
    default int presence(Gid peer) {
        return PRESENCE_UNKNOWN;
    }

    /**
     * Counts the send requests of a queue pair that were accepted and have not ended: the peer has not acknowledged
     * them.
     *
     * @param qpNum number of the queue pair
     * @return the number, 0 also if there is no such queue pair; -1 if the port cannot tell
     */
    default int unfinishedSends(int qpNum) {
        return -1;
    }

    /**
     * Counts the accepted send requests of a queue pair that have failed or were flushed since it was made.
     *
     * @param qpNum number of the queue pair
     * @return the number; 0 if the port cannot tell
     */
    default long failedSends(int qpNum) {
        return 0;
    }

    /**
     * Publishes a listener to other processes on this machine, under the name {@code localhost}. Does nothing if that
     * is impossible or another process has that port.
     *
     * @param portSpace a {@link io.verbs4j.cm.PortSpace}
     * @param port port of the listener
     * @param address GID that reaches it
     */
    void publish(int portSpace, int port, Gid address);

    /**
     * Publishes a listener to other processes on this machine. If that is impossible, a warning is logged and only the
     * address reaches the listener.
     *
     * @param portSpace a {@link io.verbs4j.cm.PortSpace}
     * @param port port of the listener
     * @param address GID that reaches it
     * @param byName whether it listens at {@code localhost} or the wildcard, and so claims the name
     * @throws io.verbs4j.VerbsException {@link io.verbs4j.Errno#EADDRINUSE} if a living process has the name already
     */
    default void publish(int portSpace, int port, Gid address, boolean byName) {
        publish(portSpace, port, address);
    }

    /**
     * Reverts {@link #publish(int, int, Gid, boolean)}.
     *
     * @param portSpace a {@link io.verbs4j.cm.PortSpace}
     * @param port port of the listener
     * @param address GID that it was published with
     */
    default void withdraw(int portSpace, int port, Gid address) {
        withdraw(portSpace, port);
    }

    /** {@return the folder that {@link #lookUp} searches, for messages; null if there is no such folder} */
    default String nameFolder() {
        return null;
    }

    /**
     * Reverts {@link #publish(int, int, Gid)}.
     *
     * @param portSpace a {@link io.verbs4j.cm.PortSpace}
     * @param port port of the listener
     */
    void withdraw(int portSpace, int port);

    /**
     * Finds a listener that a process on this machine has published.
     *
     * @param portSpace a {@link io.verbs4j.cm.PortSpace}
     * @param port port of the listener
     * @return the GID, or null
     */
    Gid lookUp(int portSpace, int port);
}
