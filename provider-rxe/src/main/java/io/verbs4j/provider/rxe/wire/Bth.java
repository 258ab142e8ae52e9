/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.wire;

import java.nio.ByteBuffer;

/**
 * Base transport header, the first header of every packet. The methods are stateless and work on a big-endian buffer.
 *
 * <pre>{@code
 * byte  3 3 2 2 2 2 2 2 2 2 2 2 1 1 1 1 1 1 1 1 1 1 0 0 0 0 0 0 0 0 0 0
 *       1 0 9 8 7 6 5 4 3 2 1 0 9 8 7 6 5 4 3 2 1 0 9 8 7 6 5 4 3 2 1 0
 *      +---------------+-+-+---+-------+-------------------------------+
 *    0 |     opcode    |S|M|pad|version|         partition key         |
 *      +---------------+-+-+---+-------+-------------------------------+
 *    4 |F|B|  reserved |             destination queue pair            |
 *      +-+-+-----------+-----------------------------------------------+
 *    8 |A|   reserved  |             packet sequence number            |
 *      +-+-------------+-----------------------------------------------+
 * }</pre>
 *
 * <p>S solicited event, M migration request, F and B congestion marks (forward, backward), A acknowledge request.
 * Source: InfiniBand Architecture Specification volume 1, section 9.2.
 */
public final class Bth {
    /** Length in bytes. */
    public static final int LENGTH = 12;

    /** The only version of the header. */
    public static final int VERSION = 0;

    /** The default partition, full member. */
    public static final int DEFAULT_PKEY = 0xffff;

    private static final int SOLICITED = 1 << 23;
    private static final int MIG_REQ = 1 << 22;
    private static final int PAD_SHIFT = 20;
    private static final int PAD_MASK = 3;
    private static final int VERSION_SHIFT = 16;
    private static final int VERSION_MASK = 0xf;
    private static final int FECN = 1 << 31;
    private static final int BECN = 1 << 30;
    private static final int ACK_REQ = 1 << 31;
    private static final int MASK_24 = 0xff_ffff;
    private static final int QPN_WORD = 4;
    private static final int PSN_WORD = 8;

    private Bth() {}

    /**
     * Writes the whole header.
     *
     * @param b big-endian buffer
     * @param offset index of the header in the buffer
     * @param opcode an {@link Opcode} constant
     * @param solicited whether the receiver is to raise an event
     * @param migReq state of path migration: true if migrated
     * @param padCount bytes of padding after the payload, 0 to 3
     * @param pkey partition key
     * @param destQpn queue pair number of the receiver
     * @param ackReq whether an acknowledgement is requested
     * @param psn packet sequence number
     */
    public static void write(
            ByteBuffer b,
            int offset,
            int opcode,
            boolean solicited,
            boolean migReq,
            int padCount,
            int pkey,
            int destQpn,
            boolean ackReq,
            int psn) {
        b.putInt(
                offset,
                (opcode << 24)
                        | (solicited ? SOLICITED : 0)
                        | (migReq ? MIG_REQ : 0)
                        | ((padCount & PAD_MASK) << PAD_SHIFT)
                        | (pkey & 0xffff));
        b.putInt(offset + QPN_WORD, destQpn & MASK_24);
        b.putInt(offset + PSN_WORD, (ackReq ? ACK_REQ : 0) | (psn & MASK_24));
    }

    /**
     * {@return the opcode: an {@link Opcode} constant or an unknown number}
     *
     * @param b big-endian buffer
     * @param offset index of the header in the buffer
     */
    public static int opcode(ByteBuffer b, int offset) {
        return b.get(offset) & 0xff;
    }

    /**
     * {@return whether the receiver is to raise an event}
     *
     * @param b big-endian buffer
     * @param offset index of the header in the buffer
     */
    public static boolean solicited(ByteBuffer b, int offset) {
        return (b.getInt(offset) & SOLICITED) != 0;
    }

    /**
     * {@return the state of path migration: true if migrated}
     *
     * @param b big-endian buffer
     * @param offset index of the header in the buffer
     */
    public static boolean migReq(ByteBuffer b, int offset) {
        return (b.getInt(offset) & MIG_REQ) != 0;
    }

    /**
     * {@return the bytes of padding after the payload, 0 to 3}
     *
     * @param b big-endian buffer
     * @param offset index of the header in the buffer
     */
    public static int padCount(ByteBuffer b, int offset) {
        return b.getInt(offset) >>> PAD_SHIFT & PAD_MASK;
    }

    /**
     * {@return the version of the header; only 0 is defined}
     *
     * @param b big-endian buffer
     * @param offset index of the header in the buffer
     */
    public static int version(ByteBuffer b, int offset) {
        return b.getInt(offset) >>> VERSION_SHIFT & VERSION_MASK;
    }

    /**
     * {@return the partition key}
     *
     * @param b big-endian buffer
     * @param offset index of the header in the buffer
     */
    public static int pkey(ByteBuffer b, int offset) {
        return b.getInt(offset) & 0xffff;
    }

    /**
     * {@return whether the packet met congestion (RoCE v2 uses the IP header for this instead)}
     *
     * @param b big-endian buffer
     * @param offset index of the header in the buffer
     */
    public static boolean fecn(ByteBuffer b, int offset) {
        return (b.getInt(offset + QPN_WORD) & FECN) != 0;
    }

    /**
     * {@return whether congestion is reported back}
     *
     * @param b big-endian buffer
     * @param offset index of the header in the buffer
     */
    public static boolean becn(ByteBuffer b, int offset) {
        return (b.getInt(offset + QPN_WORD) & BECN) != 0;
    }

    /**
     * {@return the queue pair number of the receiver}
     *
     * @param b big-endian buffer
     * @param offset index of the header in the buffer
     */
    public static int destQpn(ByteBuffer b, int offset) {
        return b.getInt(offset + QPN_WORD) & MASK_24;
    }

    /**
     * {@return whether an acknowledgement is requested}
     *
     * @param b big-endian buffer
     * @param offset index of the header in the buffer
     */
    public static boolean ackReq(ByteBuffer b, int offset) {
        return (b.getInt(offset + PSN_WORD) & ACK_REQ) != 0;
    }

    /**
     * {@return the packet sequence number}
     *
     * @param b big-endian buffer
     * @param offset index of the header in the buffer
     */
    public static int psn(ByteBuffer b, int offset) {
        return b.getInt(offset + PSN_WORD) & MASK_24;
    }
}
