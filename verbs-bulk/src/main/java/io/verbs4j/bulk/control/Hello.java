/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.control;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What both sides say when they connect, in the private data of the connection. It has a length of its own, as the
 * receiver gets all bytes that the message has room for. A later version may be longer; what is behind the length that
 * this one knows is ignored.
 *
 * @param version the newest version that the side speaks
 * @param slots receives that are posted before the connection is there
 * @param epoch number of the connection between these endpoints, from 1
 * @param endpoint identifier of the endpoint
 * @param ring address of memory that the peer may write messages to, instead of sending them; 0 for none
 * @param ringKey its remote key
 * @param slotBytes size of a slot
 * @param capabilities bits of what the side's device can do; in version 1 they are 0, and stand for all. With {@link
 *     #MOVES} the highest 16 bits are {@link #device()}
 * @param flags {@link #RECOVERS} and {@link #MOVES}, or 0
 * @param connection the number that the side which connects has for the connection, so that it can be recovered; the
 *     other side sends 0
 * @param delivered messages and immediate values that have come to the side in total, from epoch 2 on; wraps
 */
public record Hello(
        int version,
        int slots,
        int epoch,
        long endpoint,
        long ring,
        int ringKey,
        int slotBytes,
        long capabilities,
        int flags,
        int connection,
        int delivered) {
    /** Flag: the side recovers a lost connection if the other one does, too. Older releases have no flags. */
    public static final int RECOVERS = 1;

    /** Flag: the side knows messages of rails, more queue pairs of a connection. */
    public static final int RAILS = 2;

    /** Flag: a lost connection of the side may go by another device. It comes with {@link #RECOVERS} alone. */
    public static final int MOVES = 1 << 4;

    /** Bits of {@link #capabilities}, from this one on: {@link #device()}. */
    private static final int DEVICE = 48;

    /** The version of this code. */
    public static final int VERSION = 2;

    private static final int OLDEST = 1;

    /** Bytes of a hello: all that RDMA-CM has room for in a request. */
    public static final int SIZE = 56;

    /** Fewest slots that work: half of them for EAGER messages, two kept back, and one. */
    public static final int MIN_SLOTS = 8;

    private static final int MAX_SLOTS = 0xffff;
    private static final int MAGIC = 0x4b4c_4256; // "VBLK", as the bytes lie in memory
    private static final int AT_LENGTH = 4;
    private static final int AT_VERSION = 6;
    private static final int AT_FLAGS = 8;
    private static final int AT_SLOTS = 10;
    private static final int AT_EPOCH = 12;
    private static final int AT_ENDPOINT = 16;
    private static final int AT_CONNECTION = 24;
    private static final int AT_DELIVERED = 28;
    private static final int AT_RING = 32;
    private static final int AT_RING_KEY = 40;
    private static final int AT_SLOT_BYTES = 44;
    private static final int AT_CAPABILITIES = 48;

    /** Of a side that does not recover. */
    public Hello(
            int version,
            int slots,
            int epoch,
            long endpoint,
            long ring,
            int ringKey,
            int slotBytes,
            long capabilities) {
        this(version, slots, epoch, endpoint, ring, ringKey, slotBytes, capabilities, 0, 0, 0);
    }

    /** {@return the same of a side that recovers} */
    public Hello recovering(int number, int total) {
        return with(RECOVERS, capabilities, number, total);
    }

    /** {@return the same of a side that knows rails} */
    public Hello withRails() {
        return with(RAILS, capabilities, connection, delivered);
    }

    private Hello with(int flag, long bits, int number, int total) {
        return new Hello(version, slots, epoch, endpoint, ring, ringKey, slotBytes, bits, flags | flag, number, total);
    }

    /** {@return whether the side knows rails} */
    public boolean knowsRails() {
        return (flags & RAILS) != 0;
    }

    /**
     * {@return the same of a side that may go by another device}
     *
     * @param number the endpoint's for the device that it goes by now; the low 16 bits count
     */
    public Hello moving(int number) {
        long bits = capabilities & ~(-1L << DEVICE) | (long) number << DEVICE;
        return with(MOVES, bits, connection, delivered);
    }

    /** {@return whether the side may go by another device} */
    public boolean moves() {
        return recovers() && (flags & MOVES) != 0;
    }

    /** {@return the number of the device that a side goes by which {@link #moves}} Others of the side have others. */
    public int device() {
        return (int) (capabilities >>> DEVICE);
    }

    /** {@return whether the side recovers} */
    public boolean recovers() {
        return (flags & RECOVERS) != 0;
    }

    /** {@return the bytes} In version 1 the ring's address and key are 0, as are flags and what belongs to them. */
    public byte[] encode() {
        return ByteBuffer.allocate(SIZE)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(0, MAGIC)
                .putShort(AT_LENGTH, (short) SIZE)
                .putShort(AT_VERSION, (short) version)
                .putShort(AT_FLAGS, (short) flags)
                .putShort(AT_SLOTS, (short) slots)
                .putInt(AT_EPOCH, epoch)
                .putLong(AT_ENDPOINT, endpoint)
                .putInt(AT_CONNECTION, connection)
                .putInt(AT_DELIVERED, delivered)
                .putLong(AT_RING, ring)
                .putInt(AT_RING_KEY, ringKey)
                .putInt(AT_SLOT_BYTES, slotBytes)
                .putLong(AT_CAPABILITIES, capabilities)
                .array();
    }

    /** {@return why the bytes are no hello that this code can answer, or null} */
    public static String refusal(byte[] data) {
        if (data.length < SIZE) {
            return "its private data has " + data.length + " bytes, not " + SIZE;
        }
        ByteBuffer bytes = ByteBuffer.wrap(data).order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.getInt(0) != MAGIC) {
            return "it is no endpoint of the bulk transport";
        }
        int length = bytes.getShort(AT_LENGTH) & 0xffff;
        Hello hello = read(bytes);
        if (length < SIZE || hello.version < OLDEST) {
            return "it speaks version " + hello.version + " in " + length + " bytes";
        }
        if (hello.slots < MIN_SLOTS || hello.slotBytes < ControlLayout.SIZE) {
            return "it has " + hello.slots + " slots of " + hello.slotBytes + " bytes";
        }
        return null;
    }

    /** {@return what the bytes say} Only for those without a {@link #refusal}. */
    public static Hello decode(byte[] data) {
        return read(ByteBuffer.wrap(data).order(ByteOrder.LITTLE_ENDIAN));
    }

    private static Hello read(ByteBuffer bytes) {
        return new Hello(
                bytes.getShort(AT_VERSION) & 0xffff,
                bytes.getShort(AT_SLOTS) & MAX_SLOTS,
                bytes.getInt(AT_EPOCH),
                bytes.getLong(AT_ENDPOINT),
                bytes.getLong(AT_RING),
                bytes.getInt(AT_RING_KEY),
                bytes.getInt(AT_SLOT_BYTES),
                bytes.getLong(AT_CAPABILITIES),
                bytes.getShort(AT_FLAGS) & 0xffff,
                bytes.getInt(AT_CONNECTION),
                bytes.getInt(AT_DELIVERED));
    }
}
