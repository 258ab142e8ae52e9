/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import io.verbs4j.Gid;
import io.verbs4j.VerbsException;
import io.verbs4j.provider.rxe.share.Channel;

/** One local address that sends and receives RoCEv2 packets. */
public interface Link extends AutoCloseable {
    /** UDP port of RoCEv2, at both ends. */
    int PORT = 4791;

    /**
     * Bytes to leave free besides the payload, for UDP, BTH, extended headers and ICRC. The same value as Linux's rxe.
     */
    int HEADROOM = 80;

    /**
     * Returns the local address.
     *
     * @return the source GID of this link's packets
     */
    Gid localGid();

    /**
     * Returns the largest payload of a packet that the network interface carries.
     *
     * @return 256, 512, 1024, 2048 or 4096
     */
    default int pathMtu() {
        return 4096;
    }

    /**
     * Creates a batch for sending. A batch belongs to one thread at a time.
     *
     * @return a new batch
     */
    TxBatch newBatch();

    /**
     * Returns the pool from which to borrow batches while there are packets to send.
     *
     * @return the pool, always the same one
     */
    BatchPool batches();

    /**
     * Prepares for sending to an address. If it belongs to a process of this machine whose memory may be read, packets
     * can bypass the network from now on or some time later.
     *
     * @param to the address
     * @return the channel to the address, or null if packets must use the network
     */
    default Channel reach(Gid to) {
        return null;
    }

    /** Does periodic maintenance. One thread at a time may call it. */
    default void maintain() {}

    /**
     * As {@link #reach}, but leaves the work to a later call of {@link #maintain}, for callers that cannot wait.
     *
     * @param to the address
     */
    default void wish(Gid to) {}

    /**
     * Receives what has arrived, without waiting. One thread at a time may call it, while another may be in {@link
     * #await}.
     *
     * @param handler receives each valid packet
     * @param maxPackets maximum number of packets to examine, valid or not
     * @return the number of packets passed to the handler
     */
    int poll(PacketHandler handler, int maxPackets);

    /**
     * Returns whether the last {@link #poll} processed everything that had arrived when it began. For the polling
     * thread.
     *
     * @return false if it reached its maximum number of packets
     */
    boolean isDrained();

    /**
     * Waits until {@link #poll} has something to do. One thread at a time may call it. May return early without a
     * reason.
     *
     * @param timeoutNanos maximum time to wait; {@link Long#MAX_VALUE} for no limit; 0 or less only checks
     * @return true if there is something to receive; false after the timeout, a {@link #wakeup} or {@link #close}
     */
    boolean await(long timeoutNanos);

    /**
     * Returns whether threads of the program may call {@link #await}, not only the device's own. Such threads rely on
     * their timeout.
     */
    default boolean isForAnyThread() {
        return false;
    }

    /** Ends the {@link #await} of another thread, or the next one if no thread is waiting. */
    void wakeup();

    /**
     * Receives what is sent to a group from now on. Joins are counted: each needs its own leave.
     *
     * @param group multicast GID of the link's address family
     * @throws VerbsException if the system refuses
     */
    void joinMulticast(Gid group);

    /**
     * Undoes one {@link #joinMulticast}. Ignores unknown groups.
     *
     * @param group multicast GID
     */
    void leaveMulticast(Gid group);

    /**
     * Returns the link's counters.
     *
     * @return the counters, live
     */
    LinkCounters counters();

    /** Closes the link, even while a thread is in {@link #await}. Batches then drop their packets. */
    @Override
    void close();
}
