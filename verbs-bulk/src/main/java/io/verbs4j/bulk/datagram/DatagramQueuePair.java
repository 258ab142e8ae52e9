/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.datagram;

import io.verbs4j.AhAttr;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Errno;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.VerbsException;
import io.verbs4j.bulk.strategy.Abilities;
import java.security.SecureRandom;

/** A reliable connection by datagrams, with its queue pair. */
public final class DatagramQueuePair implements AutoCloseable {
    /** Maximum number of packets in flight. */
    static final int WINDOW = 64;

    /** Number of receives: one window, plus room for packets without a number. */
    private static final int RECEIVES = WINDOW + WINDOW / 4;

    /** Send queue size in datagrams: one window, plus room for unnumbered and repeated packets. */
    private static final int SENDS = WINDOW + WINDOW / 4;

    /** Maximum number of completions that a queue pair has in its completion queue. */
    public static final int COMPLETIONS = RECEIVES + SENDS;

    /** A request of the transport may be a write followed by a datagram. */
    private static final int REQUESTS = 2;

    private static final SecureRandom RANDOM = new SecureRandom();

    private final QueuePairWire wire;
    private final int qkey = RANDOM.nextInt() & Integer.MAX_VALUE; // the highest bit would make it privileged
    private final long token = randomToken();
    private final DatagramPosts posts;

    /**
     * Creates a queue pair that can receive.
     *
     * @param pd protection domain of the queue pair and its memory
     * @param abilities abilities of the device
     * @param cq its completion queue, with room for {@link #COMPLETIONS}
     * @param port number of its port
     * @param depth maximum number of requests in flight, a power of two
     * @param slots memory of messages
     * @param user receives its events
     * @param sendId identifier of its sends, without the low 16 bits
     * @param receiveId identifier of its receives, without the low 16 bits
     */
    public DatagramQueuePair(
            ProtectionDomain pd,
            Abilities abilities,
            CompletionQueue cq,
            int port,
            int depth,
            DatagramSlots slots,
            DatagramUser user,
            long sendId,
            long receiveId) {
        wire = new QueuePairWire(pd, abilities, cq, port, qkey, SENDS, RECEIVES, sendId, receiveId);
        posts = new DatagramPosts(
                wire, slots, user, new DatagramSettings(token, REQUESTS * depth, WINDOW), System::nanoTime);
        int errno = posts.prepare();
        if (errno != 0) {
            wire.close();
            throw new VerbsException(errno, "bulk_connect", "the device accepts no receives: " + Errno.toString(errno));
        }
    }

    private static long randomToken() {
        long token = RANDOM.nextLong();
        return token == 0 ? 1 : token;
    }

    /** Number of the queue pair. */
    public int number() {
        return wire.number();
    }

    /** Q_Key for datagrams to it. */
    public int qkey() {
        return qkey;
    }

    /** Token in packets to this side; never 0. */
    public long token() {
        return token;
    }

    /** Returns the size of a datagram, given the number of bytes in its receive. */
    public int length(int received) {
        return wire.length(received);
    }

    /** Posts requests to it. */
    public DatagramPosts posts() {
        return posts;
    }

    /**
     * Sets the peer.
     *
     * @param path path to the peer
     * @param peerNumber number of its queue pair
     * @param peerKey its Q_Key
     * @param peerToken token in packets to it
     * @param mtu maximum size of a datagram that it accepts
     */
    public void connect(AhAttr path, int peerNumber, int peerKey, long peerToken, int mtu) {
        wire.connect(path, peerNumber, peerKey);
        posts.peer(peerToken, mtu);
    }

    /** Closes the queue pair; nothing arrives afterwards. */
    @Override
    public void close() {
        wire.close();
    }
}
