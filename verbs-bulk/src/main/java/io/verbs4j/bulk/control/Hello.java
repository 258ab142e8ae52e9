/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.control;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The message that both sides exchange in the private data when they connect. It carries its own length, because the
 * receiver gets as many bytes as the private data can hold. Later versions may be longer; bytes that this version does
 * not know are ignored.
 *
 * @param version the newest version that the side supports
 * @param slots receives that are posted before the connection is established
 * @param epoch number of the connection between these endpoints, from 1
 * @param endpoint identifier of the endpoint
 * @param ring address of memory that the peer may write messages to instead of sending them; 0 for none
 * @param ringKey its remote key
 * @param slotBytes size of a slot
 * @param capabilities capability bits of the side's device; version 1 sends 0, which means all. With {@link #MOVES},
 *     the upper 16 bits are {@link #device()}
 * @param flags {@link #RECOVERS}, {@link #RAILS} and {@link #MOVES} bits, or 0
 * @param connection the connecting side's number for the connection, so that it can be recovered; the other side sends
 *     0
 * @param delivered messages and immediate values received in total, from epoch 2 on; wraps
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
    /** Flag: the side recovers a lost connection if the other side does. Older releases send no flags. */
    public static final int RECOVERS = 1;

    /** Flag: the side supports rails, that is, additional queue pairs of a connection. */
    public static final int RAILS = 2;

    /** Flag: a lost connection of the side may move to another device. Only valid with {@link #RECOVERS}. */
    public static final int MOVES = 1 << 4;

    /** Position of {@link #device()} in {@link #capabilities}. */
    private static final int DEVICE = 48;

    /** The version of this code. */
    public static final int VERSION = 2;

    private static final int OLDEST = 1;

    /** Size of a hello in bytes: all that fits into an RDMA-CM request. */
    public static final int SIZE = 56;

    /** Minimum number of slots: half of them for EAGER messages, two reserved, and one more. */
    public static final int MIN_SLOTS = 8;

    private static final int MAX_SLOTS = 0xffff;
    private static final int MAGIC = 0x4b4c_4256; // "VBLK" in memory byte order
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

    /** Creates the hello of a side that does not recover. */
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

    /** {@return a copy for a side that recovers} */
    public Hello recovering(int number, int total) {
        return with(RECOVERS, capabilities, number, total);
    }

    /** {@return a copy for a side that supports rails} */
    public Hello withRails() {
        return with(RAILS, capabilities, connection, delivered);
    }

    private Hello with(int flag, long bits, int number, int total) {
        return new Hello(version, slots, epoch, endpoint, ring, ringKey, slotBytes, bits, flags | flag, number, total);
    }

    /** {@return whether the side supports rails} */
    public boolean knowsRails() {
        return (flags & RAILS) != 0;
    }

    /**
     * {@return a copy for a side that may move to another device}
     *
     * @param number the endpoint's number for its current device; only the low 16 bits are used
     */
    public Hello moving(int number) {
        long bits = capabilities & ~(-1L << DEVICE) | (long) number << DEVICE;
        return with(MOVES, bits, connection, delivered);
    }

    /** {@return whether the side may move to another device} */
    public boolean moves() {
        return recovers() && (flags & MOVES) != 0;
    }

    /**
     * {@return the number of the current device of a side that {@link #moves}} The side's other devices have other
     * numbers.
     */
    public int device() {
        return (int) (capabilities >>> DEVICE);
    }

    /** {@return whether the side recovers} */
    public boolean recovers() {
        return (flags & RECOVERS) != 0;
    }

    /**
     * {@return the bytes} In version 1, the ring's address and key are 0, and so are the flags and the fields that need
     * them.
     */
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

    /** {@return why the bytes are not a hello that this code can answer, or null} */
    public static String refusal(byte[] data) {
        if (data.length < SIZE) {
            return "its private data has " + data.length + " bytes, not " + SIZE;
        }
        ByteBuffer bytes = ByteBuffer.wrap(data).order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.getInt(0) != MAGIC) {
            return "it is not an endpoint of the bulk transport";
        }
        int length = bytes.getShort(AT_LENGTH) & 0xffff;
        Hello hello = read(bytes);
        if (length < SIZE || hello.version < OLDEST) {
            return "its hello has version " + hello.version + " and " + length + " bytes";
        }
        if (hello.slots < MIN_SLOTS || hello.slotBytes < ControlLayout.SIZE) {
            return "it has " + hello.slots + " slots of " + hello.slotBytes + " bytes";
        }
        return null;
    }

    /** {@return the decoded bytes} Only valid if there is no {@link #refusal}. */
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
