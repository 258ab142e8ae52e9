/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import io.verbs4j.Gid;
import io.verbs4j.VerbsException;
import io.verbs4j.provider.rxe.share.Channel;

/** One local address that RoCEv2 packets come from and arrive at. */
public interface Link extends AutoCloseable {
    /** UDP port of RoCEv2, at both ends. */
    int PORT = 4791;

    /** Bytes of UDP, BTH and extended headers and ICRC to leave room for beside the payload, as Linux' rxe does. */
    int HEADROOM = 80;

    /**
     * The local address.
     *
     * @return the GID that packets of this link have as source
     */
    Gid localGid();

    /**
     * Largest payload of a packet that the network interface carries.
     *
     * @return 256, 512, 1024, 2048 or 4096
     */
    default int pathMtu() {
        return 4096;
    }

    /**
     * Makes a batch to send with. A batch belongs to one thread at a time.
     *
     * @return a new batch
     */
    TxBatch newBatch();

    /**
     * Batches to borrow while there are packets to send.
     *
     * @return the pool, always the same one
     */
    BatchPool batches();

    /**
     * Begins to send to an address: where that is one of a process of this machine whose memory may be read, packets need not go through
     * the network from now on, or some time after.
     *
     * @param to the address
     * @return the way there; null where packets are all there is
     */
    default Channel reach(Gid to) {
        return null;
    }

    /** Does what is to be done every now and then. One thread at a time does so. */
    default void maintain() {}

    /**
     * As {@link #reach}, some time later: for who can't wait.
     *
     * @param to the address
     */
    default void wish(Gid to) {}

    /**
     * Receives what has arrived, without waiting. One thread at a time does so, while another may be in {@link #await}.
     *
     * @param handler given each packet that is in order
     * @param maxPackets most packets to look at, good or bad
     * @return number of packets given to the handler
     */
    int poll(PacketHandler handler, int maxPackets);

    /**
     * Whether the last {@link #poll} left nothing: all that had arrived when it began was handed out. For the thread that
     * polls.
     *
     * @return false where it found as much as it was to look at
     */
    boolean isDrained();

    /**
     * Waits until {@link #poll} has something to do. One thread at a time does so. May return early without a reason.
     *
     * @param timeoutNanos longest time to wait; {@link Long#MAX_VALUE} for no limit; 0 or less only looks
     * @return true where there is something to receive; false after the time, a {@link #wakeup} or {@link #close}
     */
    boolean await(long timeoutNanos);

    /**
     * Whether threads of the program may {@link #await} as well as the device's own: they expect the time that they
     * give to be kept to.
     */
    default boolean isForAnyThread() {
        return false;
    }

    /** Ends the {@link #await} of another thread, or the next one where none is waiting. */
    void wakeup();

    /**
     * Receives what is sent to a group from now on. Counted: as many leaves as joins are needed.
     *
     * @param group multicast GID of the address family of the link
     * @throws VerbsException where the system refuses
     */
    void joinMulticast(Gid group);

    /**
     * Takes back one {@link #joinMulticast}. Unknown groups are ignored.
     *
     * @param group multicast GID
     */
    void leaveMulticast(Gid group);

    /**
     * What the link has counted so far.
     *
     * @return the counters, live
     */
    LinkCounters counters();

    /** Closes the link, also under a thread that is in {@link #await}. Batches then drop what they are given. */
    @Override
    void close();
}
