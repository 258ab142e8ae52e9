/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.spi;

import io.verbs4j.Context;
import io.verbs4j.Gid;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The general service interface of a software device's port: moves management packets of queue pair 1. A provider whose device has one hands it out by
 * {@link io.verbs4j.Context#vendor}, the same object for all contexts of the device.
 */
public interface GsiPort {
    /** Length of a management packet, in bytes. */
    int MAD_LENGTH = 256;

    /** {@return a name for threads and messages} */
    String name();

    /** {@return the GUID of the node, EUI-64 in host order: no other process has the same} */
    long guid();

    /** {@return the GID table; RoCE v2} */
    List<Gid> gids();

    /**
     * Largest payload of a packet.
     *
     * @param gidIndex index of the local GID
     * @return number of bytes
     */
    int pathMtu(int gidIndex);

    /**
     * The local GID that the system would send from.
     *
     * @param destination the peer's GID
     * @return one of {@link #gids()}; null where none leads there
     */
    Gid sourceFor(Gid destination);

    /**
     * Begins to receive. One receiver at a time.
     *
     * @param receiver given each packet
     * @throws io.verbs4j.VerbsException where the network can't be used
     */
    void open(GsiReceiver receiver);

    /** Ends to receive. */
    void close();

    /**
     * An end of the connection manager is open on a context of this port: until it is closed, closing the context
     * answers {@link io.verbs4j.Errno#EBUSY} with the end's name, which is its {@code toString()}. Called with locks
     * held: it calls nobody. Without an implementation such a context can be closed.
     *
     * @param context the open device
     * @param end the end
     * @throws io.verbs4j.VerbsException {@link io.verbs4j.Errno#EINVAL} where the context is closed
     */
    default void endOpened(Context context, CmEndpoint end) {
        // the context does not know of its ends
    }

    /**
     * An end is closed. Called with locks held: it calls nobody.
     *
     * @param context what was given to {@link #endOpened}
     * @param end the end
     */
    default void endClosed(Context context, CmEndpoint end) {
        // the context does not know of its ends
    }

    /**
     * Sends a packet; where that can't be done it is lost, as one that the network loses. Any thread may call it, also within {@link GsiReceiver}.
     *
     * @param source local GID
     * @param destination GID of the receiver
     * @param trafficClass traffic class, 8 bits
     * @param mad {@link #MAD_LENGTH} bytes from index 0; its position and limit mean nothing
     */
    void send(Gid source, Gid destination, int trafficClass, ByteBuffer mad);

    /**
     * Makes a signal for event loops outside Java. It outlives the port: whoever asked for it closes it.
     *
     * @return a new signal, not raised; null where there is none, or the process can open no further file
     */
    default CmSignal newSignal() {
        return null;
    }

    /** What {@link #presence} answers where nothing can be said. */
    int PRESENCE_UNKNOWN = 0;

    /** What {@link #presence} answers where a process of this machine has the address. */
    int PRESENCE_THERE = 1;

    /** What {@link #presence} answers where no process of this machine has the address any more. */
    int PRESENCE_GONE = 2;

    /**
     * Looks whether a process of this machine still has an address; a process that is stopped has it. Called with locks
     * held: it waits for nobody.
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
     * @return how many; 0 also where there is no such queue pair, -1 where the port can't tell
     */
    default int unfinishedSends(int qpNum) {
        return -1;
    }

    /**
     * Counts the send requests of a queue pair that were accepted and have failed, or were flushed, since it was made.
     *
     * @param qpNum number of the queue pair
     * @return how many; 0 where the port can't tell
     */
    default long failedSends(int qpNum) {
        return 0;
    }

    /**
     * Makes a listener known to other processes of this machine, for the name {@code localhost}. Does nothing where that can't be done, or another process has
     * that port.
     *
     * @param portSpace a {@link io.verbs4j.cm.PortSpace}
     * @param port its port
     * @param address GID that it can be reached at
     */
    void publish(int portSpace, int port, Gid address);

    /**
     * Makes a listener known to other processes of this machine. Where that can't be done, it is logged as a warning,
     * and the listener is reached by its address alone.
     *
     * @param portSpace a {@link io.verbs4j.cm.PortSpace}
     * @param port its port
     * @param address GID that it can be reached at
     * @param byName whether it listens at {@code localhost} or at the wildcard, and so takes the name for itself
     * @throws io.verbs4j.VerbsException {@link io.verbs4j.Errno#EADDRINUSE} where a living process has the name already
     */
    default void publish(int portSpace, int port, Gid address, boolean byName) {
        publish(portSpace, port, address);
    }

    /**
     * Takes back {@link #publish(int, int, Gid, boolean)}.
     *
     * @param portSpace a {@link io.verbs4j.cm.PortSpace}
     * @param port its port
     * @param address GID that it was published with
     */
    default void withdraw(int portSpace, int port, Gid address) {
        withdraw(portSpace, port);
    }

    /** {@return the folder that {@link #lookUp} searches, for messages; null where there is none} */
    default String nameFolder() {
        return null;
    }

    /**
     * Takes back {@link #publish}.
     *
     * @param portSpace a {@link io.verbs4j.cm.PortSpace}
     * @param port its port
     */
    void withdraw(int portSpace, int port);

    /**
     * Finds what a process of this machine has made known.
     *
     * @param portSpace a {@link io.verbs4j.cm.PortSpace}
     * @param port the port
     * @return the GID, or null
     */
    Gid lookUp(int portSpace, int port);
}
