/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.datagram;

import io.verbs4j.AhAttr;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Errno;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.VerbsException;
import io.verbs4j.bulk.strategy.Abilities;
import java.security.SecureRandom;

/** A reliable connection by datagrams, and the queue pair that it goes by. */
public final class DatagramQueuePair implements AutoCloseable {
    /** Packets under way at a time. */
    static final int WINDOW = 64;

    /** Receives: for a window, and for packets without a number. */
    private static final int RECEIVES = WINDOW + WINDOW / 4;

    /** Datagrams in the send queue at a time: a window, and packets without a number or once more. */
    private static final int SENDS = WINDOW + WINDOW / 4;

    /** Completions that one may have in its queue at a time. */
    public static final int COMPLETIONS = RECEIVES + SENDS;

    /** A request of the transport's may be a write, and a datagram behind it. */
    private static final int REQUESTS = 2;

    private static final SecureRandom RANDOM = new SecureRandom();

    private final QueuePairWire wire;
    private final int qkey = RANDOM.nextInt() & Integer.MAX_VALUE; // with the highest bit it would be privileged
    private final long token = randomToken();
    private final DatagramPosts posts;

    /**
     * A queue pair that may receive.
     *
     * @param pd where it and its memory belong
     * @param abilities what the device can do
     * @param cq where its completions come; it has room for {@link #COMPLETIONS}
     * @param port number of the port that it goes by
     * @param depth requests under way at a time, a power of two
     * @param slots memory of messages
     * @param user told of what happens
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
            throw new VerbsException(errno, "bulk_connect", "the device takes no receives: " + Errno.toString(errno));
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

    /** What datagrams to it need. */
    public int qkey() {
        return qkey;
    }

    /** What packets to this side carry. Never 0. */
    public long token() {
        return token;
    }

    /** Bytes of a datagram, of those that a receive has. */
    public int length(int received) {
        return wire.length(received);
    }

    /** Posts to it. */
    public DatagramPosts posts() {
        return posts;
    }

    /**
     * Says who the peer is.
     *
     * @param path how it is reached
     * @param peerNumber number of its queue pair
     * @param peerKey its Q_Key
     * @param peerToken what packets to it carry
     * @param mtu most bytes of a datagram that it takes
     */
    public void connect(AhAttr path, int peerNumber, int peerKey, long peerToken, int mtu) {
        wire.connect(path, peerNumber, peerKey);
        posts.peer(peerToken, mtu);
    }

    /** Closes it: nothing comes by it any more. */
    @Override
    public void close() {
        wire.close();
    }
}
