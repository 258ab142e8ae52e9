/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.pingpong;

import io.verbs4j.tools.base.ToolException;
import io.verbs4j.tools.traffic.Pattern;
import io.verbs4j.tools.traffic.Service;
import java.nio.ByteBuffer;
import java.util.Locale;

/**
 * The contents of the messages, and the check of those that arrive.
 *
 * <p>Between two programs of this project each message has its own {@link Pattern}. A C program has one buffer for
 * everything that it sends and receives. As a client it begins with a buffer of 0x7b (zeros with a shared receive
 * queue); as a server it returns what the client sends. The first message of the peer shows which kind it is: a C
 * server returns the client's pattern, a C client sends its own filling. From then on every byte is known. The one
 * exception is a C server with a shared receive queue: its queue pairs mix their messages in that one buffer.
 */
final class Contents {
    /** Distance of the bytes that the C programs check with -c; theirs is the page size of their machine. */
    static final int PAGE = 4096;

    private static final int CLIENT = 0;
    private static final int SERVER = 1;

    /** A shorter first message may look like that of the other kind by chance. */
    private static final int TELLING = 16;

    private static final byte[] C_FILLINGS = {0x7b, 0};

    /** The kind of program at the other end. */
    enum Peer {
        UNKNOWN,
        VERBS4J,
        C
    }

    private final Service service;
    private final boolean client;
    private final boolean check;
    private final int size;
    private final ByteBuffer buffer;
    private Peer peer;

    /** Whether the first byte of each page is 0. The client's -c decides; the server sees it in the first message. */
    private boolean zeroPages;

    /** The byte that a C client sends. */
    private byte filling;

    private long bytesVerified;
    private long messagesVerified;

    /**
     * Creates the contents.
     *
     * @param service transport service
     * @param client whether this side begins
     * @param options size and -c
     * @param peer what is known of the peer beforehand
     * @param buffer the buffer of the messages
     */
    Contents(Service service, boolean client, PingPongOptions options, Peer peer, ByteBuffer buffer) {
        this.service = service;
        this.client = client;
        this.check = options.check;
        this.size = options.size(service);
        this.peer = peer;
        this.buffer = buffer;
        this.zeroPages = client && check;
    }

    Peer peer() {
        return peer;
    }

    /** {@return whether the peer is certainly a program of this project} */
    boolean peerIsOurs() {
        return peer == Peer.VERBS4J && size >= TELLING;
    }

    long bytesVerified() {
        return bytesVerified;
    }

    long messagesVerified() {
        return messagesVerified;
    }

    /** Writes the message to be sent. */
    void write(int offset, int queuePair, long sequence) {
        if (!client && peer == Peer.C) {
            for (int i = 0; i < size; i++) {
                buffer.put(offset + i, filling);
            }
        } else {
            Pattern.fill(buffer, offset, size, Pattern.seed(client ? CLIENT : SERVER, queuePair, sequence));
        }
        for (int i = 0; zeroPages && i < size; i += PAGE) {
            buffer.put(offset + i, (byte) 0);
        }
    }

    /** Compares a message that has arrived with its expected contents. */
    void verify(int offset, int queuePair, long sequence) {
        if (messagesVerified == 0) {
            recognise(offset, queuePair, sequence);
            if (check) {
                checkPages(offset, queuePair, sequence);
            }
        }
        messagesVerified++;
        if (client && peer == Peer.C && service == Service.SRQ) {
            if (check) {
                checkPages(offset, queuePair, sequence);
                bytesVerified += (size + PAGE - 1) / PAGE;
            }
            return;
        }
        int at = difference(offset, seedOfPeer(queuePair, sequence));
        if (at >= 0) {
            throw differs(offset, at, queuePair, sequence);
        }
        bytesVerified += size;
    }

    /** Detects the kind of the peer by its first message. If neither kind fits, the message is refused later. */
    private void recognise(int offset, int queuePair, long sequence) {
        if (peer == Peer.UNKNOWN) {
            peer = Peer.VERBS4J;
            if (!fits(offset, queuePair, sequence)) {
                peer = Peer.C;
                if (!fits(offset, queuePair, sequence) && !(client && service == Service.SRQ)) {
                    peer = Peer.VERBS4J;
                }
            }
        } else {
            fits(offset, queuePair, sequence);
        }
    }

    /** Whether the message fits the presumed kind of peer; a server tries everything that clients may send. */
    private boolean fits(int offset, int queuePair, long sequence) {
        long seed = seedOfPeer(queuePair, sequence);
        if (client) {
            return difference(offset, seed) < 0;
        }
        for (byte candidate : C_FILLINGS) {
            for (boolean zero : new boolean[] {false, true}) {
                filling = candidate;
                zeroPages = zero;
                if (difference(offset, seed) < 0) {
                    return true;
                }
            }
        }
        zeroPages = false;
        return false;
    }

    /** {@return the number of the pattern that the peer sends; a C server returns the client's} */
    private long seedOfPeer(int queuePair, long sequence) {
        return Pattern.seed(client && peer != Peer.C ? SERVER : CLIENT, queuePair, sequence);
    }

    /** {@return where the message first differs from its expected contents, or -1} */
    private int difference(int offset, long seed) {
        if (!zeroPages && !constant()) {
            return Pattern.firstDifference(buffer, offset, size, seed);
        }
        for (int i = 0; i < size; i++) {
            if (buffer.get(offset + i) != expected(seed, i)) {
                return i;
            }
        }
        return -1;
    }

    /** {@return whether all messages of the peer are the same} */
    private boolean constant() {
        return !client && peer == Peer.C;
    }

    private byte expected(long seed, int i) {
        if (zeroPages && i % PAGE == 0) {
            return 0;
        }
        return constant() ? filling : Pattern.at(seed, i);
    }

    private void checkPages(int offset, int queuePair, long sequence) {
        for (int i = 0; i < size; i += PAGE) {
            if (buffer.get(offset + i) != 0) {
                throw ToolException.failed("invalid data in page " + i / PAGE + " of " + message(queuePair, sequence)
                        + ": with -c the first byte of each page must be 0; give -c to both sides");
            }
        }
    }

    private ToolException differs(int offset, int at, int queuePair, long sequence) {
        return ToolException.failed(String.format(
                Locale.ROOT,
                "data mismatch: %s has 0x%02x at offset %d, where 0x%02x was expected",
                message(queuePair, sequence),
                buffer.get(offset + at),
                at,
                expected(seedOfPeer(queuePair, sequence), at)));
    }

    private String message(int queuePair, long sequence) {
        return "message " + sequence + (service == Service.SRQ ? " on queue pair " + queuePair : "");
    }
}
