/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.engine;

import io.verbs4j.Gid;
import io.verbs4j.cm.spi.GsiPort;
import java.nio.ByteBuffer;

/**
 * A management packet of the connection management class: its header. The messages are subclasses, whose data begins at
 * {@link #DATA}.
 *
 * <pre>{@code
 * byte
 *    0  base version 1 | class 0x07 | class version 2 | method 0x03 (Send)
 *    4  status (16)                 | class specific (16)
 *    8  transaction id (64)
 *   16  attribute id (16)           | reserved
 *   20  attribute modifier (32)
 *   24  data (232 bytes)
 * }</pre>
 *
 * <p>Source: InfiniBand Architecture Specification volume 1, sections 13.4.3 and 16.7.
 */
class Mad {
    /** Offset of a message's data. */
    static final int DATA = 24;

    static final int LENGTH = GsiPort.MAD_LENGTH;

    static final int REQ = 0x10;
    static final int MRA = 0x11;
    static final int REJ = 0x12;
    static final int REP = 0x13;
    static final int RTU = 0x14;
    static final int DREQ = 0x15;
    static final int DREP = 0x16;
    static final int SIDR_REQ = 0x17;
    static final int SIDR_REP = 0x18;

    private static final int BASE_CLASS_VERSION_METHOD = 0x0107_0203;
    private static final int TID = 8;
    private static final int ATTRIBUTE = 16;
    private static final int MASK_24 = 0xff_ffff;

    final ByteBuffer b;

    /** Views a received packet, which starts at index 0 of {@code b}. */
    Mad(ByteBuffer b) {
        this.b = b;
    }

    /** Makes a packet of an attribute, with zeros after the header. */
    Mad(int attribute) {
        this(ByteBuffer.allocate(LENGTH));
        b.putInt(0, BASE_CLASS_VERSION_METHOD);
        b.putShort(ATTRIBUTE, (short) attribute);
    }

    /** Returns whether base version, class, class version and method are those of a message. */
    boolean isMessage() {
        return b.getInt(0) == BASE_CLASS_VERSION_METHOD;
    }

    final long tid() {
        return b.getLong(TID);
    }

    final void tid(long value) {
        b.putLong(TID, value);
    }

    final int attribute() {
        return b.getShort(ATTRIBUTE) & 0xffff;
    }

    /** First word of the data of all messages: the sender's communication id, or the request id in a SIDR message. */
    final int localId() {
        return b.getInt(DATA);
    }

    final void localId(int value) {
        b.putInt(DATA, value);
    }

    // ---- fields by their offset in the data

    final int u8(int at) {
        return b.get(DATA + at) & 0xff;
    }

    final int u16(int at) {
        return b.getShort(DATA + at) & 0xffff;
    }

    final int u24(int at) {
        return b.getInt(DATA + at) >>> 8;
    }

    final int u32(int at) {
        return b.getInt(DATA + at);
    }

    final long u64(int at) {
        return b.getLong(DATA + at);
    }

    /** Returns {@code width} bits of a byte, starting at bit {@code shift}. */
    final int bits(int at, int shift, int width) {
        return u8(at) >>> shift & (1 << width) - 1;
    }

    final void u8(int at, int value) {
        b.put(DATA + at, (byte) value);
    }

    final void u16(int at, int value) {
        b.putShort(DATA + at, (short) value);
    }

    /** Preserves the fourth byte. */
    final void u24(int at, int value) {
        b.putInt(DATA + at, (value & MASK_24) << 8 | u8(at + 3));
    }

    final void u32(int at, int value) {
        b.putInt(DATA + at, value);
    }

    final void u64(int at, long value) {
        b.putLong(DATA + at, value);
    }

    final void bits(int at, int shift, int width, int value) {
        int mask = (1 << width) - 1 << shift;
        u8(at, u8(at) & ~mask | value << shift & mask);
    }

    final Gid gid(int at) {
        return Gid.of(u64(at), u64(at + Long.BYTES));
    }

    final void gid(int at, Gid value) {
        u64(at, value.subnetPrefix());
        u64(at + Long.BYTES, value.interfaceId());
    }

    final byte[] bytes(int at, int length) {
        byte[] bytes = new byte[length];
        b.get(DATA + at, bytes);
        return bytes;
    }

    /** Writes bytes and pads them with zeros. */
    final void bytes(int at, int length, byte[] value) {
        if (value.length > length) {
            throw new IllegalArgumentException(value.length + " bytes do not fit into " + length);
        }
        b.put(DATA + at, value);
        for (int i = value.length; i < length; i++) {
            b.put(DATA + at + i, (byte) 0);
        }
    }
}
