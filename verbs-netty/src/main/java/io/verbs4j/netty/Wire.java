/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import java.net.ProtocolException;
import java.nio.ByteBuffer;

/**
 * The protocol between the two ends of a connection: the private data of connecting and accepting, and the immediate
 * data of each message.
 */
final class Wire {
    /** Bit of the immediate data: nothing follows, because the sender has shut down its output. */
    static final int END = 1 << 30;

    /** Bit of the immediate data: the sender has used its last credit and could use more. */
    static final int WANTING = 1 << 29;

    /** Maximum number of credits that one message returns. */
    static final int MAX_CREDITS = 0xffff;

    static final int MIN_BUFFER = 4096;
    static final int MAX_BUFFER = 1 << 20;

    private static final short MAGIC = 0x4e56;
    private static final byte VERSION = 1;
    private static final int LENGTH = 10;

    private Wire() {}

    /**
     * What each end announces when the connection is made.
     *
     * @param credits how many messages the other end may send at first
     * @param bufferSize maximum size of a message that this end receives, in bytes
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

    /** Decodes a greeting. Throws if the other end is a different program or version. */
    static Greeting decode(byte[] privateData) throws ProtocolException {
        if (privateData.length < LENGTH) {
            throw new ProtocolException("the peer is not a channel of verbs-netty: it sent no private data");
        }
        ByteBuffer data = ByteBuffer.wrap(privateData);
        if (data.getShort() != MAGIC) {
            throw new ProtocolException("the peer is not a channel of verbs-netty");
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
