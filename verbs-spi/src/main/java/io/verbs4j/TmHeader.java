/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Writes and reads the headers of messages for a shared receive queue of type {@link SrqType#TM}. A sender puts them in
 * front of its data, in an ordinary {@link WrOpcode#SEND}.
 *
 * <pre>
 *   byte    0          1 .. 3   4 ....... 7   8 ....... 15   16 ...... 23   24 ..... 27   28 ... 31
 *           operation  0        priv          tag            address        rkey          length
 *          | every message                                 | RNDV and FIN                         |
 * </pre>
 *
 * <p>The methods take an absolute position and leave the buffer's own unchanged; numbers are big-endian, whatever the
 * buffer's order. Since level 4. Source: {@code infiniband/tm_types.h}.
 */
public final class TmHeader {
    /** Size in bytes of the header of every message. Source: {@code struct ibv_tmh}. */
    public static final int LENGTH = 16;

    /**
     * Size in bytes of both headers of a rendezvous request. Source: {@code struct ibv_tmh}, {@code struct ibv_rvh}.
     */
    public static final int RNDV_LENGTH = 32;

    /**
     * Operation: a message without a tag. The whole message goes to an ordinary receive. Source:
     * {@code IBV_TMH_NO_TAG}.
     */
    public static final int NO_TAG = 0;

    /** Operation: a request to read the data from the sender's memory. Source: {@code IBV_TMH_RNDV}. */
    public static final int RNDV = 1;

    /** Operation: the data of a request has been read. Source: {@code IBV_TMH_FIN}. */
    public static final int FIN = 2;

    /** Operation: the data follows the header. Source: {@code IBV_TMH_EAGER}. */
    public static final int EAGER = 3;

    private static final int PRIV = 4;
    private static final int TAG = 8;
    private static final int ADDR = 16;
    private static final int RKEY = 24;
    private static final int SIZE = 28;

    private TmHeader() {}

    /**
     * Writes the header of a message.
     *
     * @param buffer destination
     * @param at position of the first byte
     * @param operation a constant of this class
     * @param priv private data for the receiver, which the device does not interpret
     * @param tag the tag
     */
    public static void write(ByteBuffer buffer, int at, int operation, int priv, long tag) {
        putInt(buffer, at, operation << 24);
        putInt(buffer, at + PRIV, priv);
        putLong(buffer, at + TAG, tag);
    }

    /**
     * Writes both headers of a rendezvous request.
     *
     * @param buffer destination
     * @param at position of the first byte
     * @param priv private data for the receiver, which the device does not interpret
     * @param tag the tag
     * @param addr address of the data in the sender's memory
     * @param rkey remote key with which the receiver can read it
     * @param length length of the data in bytes, unsigned
     */
    public static void writeRndv(ByteBuffer buffer, int at, int priv, long tag, long addr, int rkey, int length) {
        write(buffer, at, RNDV, priv, tag);
        putLong(buffer, at + ADDR, addr);
        putInt(buffer, at + RKEY, rkey);
        putInt(buffer, at + SIZE, length);
    }

    /**
     * Reads the operation.
     *
     * @param buffer source
     * @param at position of the first byte
     * @return a constant of this class, or another number below 256
     */
    public static int operation(ByteBuffer buffer, int at) {
        return buffer.get(at) & 0xff;
    }

    /**
     * Reads the sender's private data.
     *
     * @param buffer source
     * @param at position of the first byte
     * @return the value
     */
    public static int priv(ByteBuffer buffer, int at) {
        return getInt(buffer, at + PRIV);
    }

    /**
     * Reads the tag.
     *
     * @param buffer source
     * @param at position of the first byte
     * @return the tag
     */
    public static long tag(ByteBuffer buffer, int at) {
        return getLong(buffer, at + TAG);
    }

    /**
     * Reads the address of the data of a rendezvous request.
     *
     * @param buffer source
     * @param at position of the first byte
     * @return the address
     */
    public static long addr(ByteBuffer buffer, int at) {
        return getLong(buffer, at + ADDR);
    }

    /**
     * Reads the remote key of the data of a rendezvous request.
     *
     * @param buffer source
     * @param at position of the first byte
     * @return the key
     */
    public static int rkey(ByteBuffer buffer, int at) {
        return getInt(buffer, at + RKEY);
    }

    /**
     * Reads the length of the data of a rendezvous request.
     *
     * @param buffer source
     * @param at position of the first byte
     * @return the length in bytes, unsigned
     */
    public static int length(ByteBuffer buffer, int at) {
        return getInt(buffer, at + SIZE);
    }

    private static int getInt(ByteBuffer buffer, int at) {
        int value = buffer.getInt(at);
        return buffer.order() == ByteOrder.BIG_ENDIAN ? value : Integer.reverseBytes(value);
    }

    private static void putInt(ByteBuffer buffer, int at, int value) {
        buffer.putInt(at, buffer.order() == ByteOrder.BIG_ENDIAN ? value : Integer.reverseBytes(value));
    }

    private static long getLong(ByteBuffer buffer, int at) {
        long value = buffer.getLong(at);
        return buffer.order() == ByteOrder.BIG_ENDIAN ? value : Long.reverseBytes(value);
    }

    private static void putLong(ByteBuffer buffer, int at, long value) {
        buffer.putLong(at, buffer.order() == ByteOrder.BIG_ENDIAN ? value : Long.reverseBytes(value));
    }
}
