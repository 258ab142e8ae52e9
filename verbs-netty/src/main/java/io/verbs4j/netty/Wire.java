/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import java.net.ProtocolException;
import java.nio.ByteBuffer;

/**
 * What two ends of a connection say to each other: the private data of connecting and accepting, and the immediate data
 * of each message.
 */
final class Wire {
    /** Bit of the immediate data: nothing follows, the sender has shut its output down. */
    static final int END = 1 << 30;

    /** Bit of the immediate data: the sender has used its last credit, so more credits would help it. */
    static final int WANTING = 1 << 29;

    /** Most credits that one message returns. */
    static final int MAX_CREDITS = 0xffff;

    static final int MIN_BUFFER = 4096;
    static final int MAX_BUFFER = 1 << 20;

    private static final short MAGIC = 0x4e56;
    private static final byte VERSION = 1;
    private static final int LENGTH = 10;

    private Wire() {}

    /**
     * What one end says when the connection is made.
     *
     * @param credits how many messages the other end may send at first
     * @param bufferSize most bytes of a message that this end receives
     */
    record Greeting(int credits, int bufferSize) {}

    static byte[] encode(Greeting greeting) {
        return ByteBuffer.allocate(LENGTH)
                .putShort(MAGIC)
                .put(VERSION)
                .put((byte) 0) // flags, none yet
                .putShort((short) greeting.credits())
                .putInt(greeting.bufferSize())
                .array();
    }

    /** Throws where the other end is another program, or of another version. */
    static Greeting decode(byte[] privateData) throws ProtocolException {
        if (privateData.length < LENGTH) {
            throw new ProtocolException("the peer is no channel of verbs-netty: it sent no private data");
        }
        ByteBuffer data = ByteBuffer.wrap(privateData);
        if (data.getShort() != MAGIC) {
            throw new ProtocolException("the peer is no channel of verbs-netty");
        }
        byte version = data.get();
        if (version != VERSION) {
            throw new ProtocolException("the peer speaks version " + version + ", this side version " + VERSION);
        }
        data.get();
        int credits = Short.toUnsignedInt(data.getShort());
        int bufferSize = data.getInt();
        if (credits == 0 || bufferSize < MIN_BUFFER || bufferSize > MAX_BUFFER) {
            throw new ProtocolException("the peer offers " + credits + " receives of " + bufferSize + " bytes");
        }
        return new Greeting(credits, bufferSize);
    }
}
