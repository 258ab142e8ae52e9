/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.wire;

import java.nio.ByteBuffer;

/**
 * Acknowledge extended transport header: the outcome of a request.
 *
 * <pre>{@code
 * byte  3 3 2 2 2 2 2 2 2 2 2 2 1 1 1 1 1 1 1 1 1 1 0 0 0 0 0 0 0 0 0 0
 *       1 0 9 8 7 6 5 4 3 2 1 0 9 8 7 6 5 4 3 2 1 0 9 8 7 6 5 4 3 2 1 0
 *      +-+---+---------+-----------------------------------------------+
 *    0 |0|kin|  value  |            message sequence number            |
 *      +-+---+---------+-----------------------------------------------+
 * }</pre>
 *
 * <p>The upper byte is the syndrome. Kinds: 0 ACK, the value a coded credit count; 1 RNR NAK, the value a coded timer;
 * 3 NAK, the value its reason; 2 is reserved, and so is any syndrome whose top bit is set. Source: InfiniBand
 * Architecture Specification volume 1, tables 43 to 46.
 */
public final class Aeth {
    /** Length in bytes. */
    public static final int LENGTH = 4;

    /** NAK reason: packets before this one were missing. */
    public static final int NAK_PSN_SEQUENCE_ERROR = 0;

    /** NAK reason: the request is malformed, or the responder can't serve it. */
    public static final int NAK_INVALID_REQUEST = 1;

    /** NAK reason: key, bounds or rights do not allow the access. */
    public static final int NAK_REMOTE_ACCESS_ERROR = 2;

    /** NAK reason: the responder failed by itself. */
    public static final int NAK_REMOTE_OPERATIONAL_ERROR = 3;

    /** NAK reason: invalid request of a reliable datagram. */
    public static final int NAK_INVALID_RD_REQUEST = 4;

    /** Credit code of a responder that does not count credits (a shared receive queue, Linux's rxe). */
    public static final int CREDITS_UNLIMITED = 31;

    /** The syndrome of an ACK without a credit limit. */
    public static final int ACK_UNLIMITED = CREDITS_UNLIMITED;

    private static final int KIND_SHIFT = 5;
    private static final int KIND_ACK = 0;
    private static final int KIND_RNR_NAK = 1;
    private static final int KIND_NAK = 3;
    private static final int VALUE_MASK = 0x1f;
    private static final int SYNDROME_SHIFT = 24;
    private static final int MASK_24 = 0xff_ffff;
    private static final int MAX_COUNTED_CODE = 30;
    private static final int TIMER_UNIT_NANOS = 10_000;
    private static final int LONGEST_TIMER_UNITS = 65_536;

    private Aeth() {}

    /**
     * Writes the whole header.
     *
     * @param b big-endian buffer
     * @param offset index of the header in the buffer
     * @param syndrome kind and value: see {@link #ack(int)}, {@link #rnrNak(int)}, {@link #nak(int)}
     * @param msn message sequence number: the number of messages that the responder has finished
     */
    public static void write(ByteBuffer b, int offset, int syndrome, int msn) {
        b.putInt(offset, (syndrome << SYNDROME_SHIFT) | (msn & MASK_24));
    }

    /**
     * {@return the kind and value, 0 to 255}
     *
     * @param b big-endian buffer
     * @param offset index of the header in the buffer
     */
    public static int syndrome(ByteBuffer b, int offset) {
        return b.get(offset) & 0xff;
    }

    /**
     * {@return the message sequence number}
     *
     * @param b big-endian buffer
     * @param offset index of the header in the buffer
     */
    public static int msn(ByteBuffer b, int offset) {
        return b.getInt(offset) & MASK_24;
    }

    /**
     * {@return the syndrome of an ACK}
     *
     * @param creditCode coded credits, see {@link #creditCode(int)}
     */
    public static int ack(int creditCode) {
        return (KIND_ACK << KIND_SHIFT) | (creditCode & VALUE_MASK);
    }

    /**
     * {@return the syndrome of an RNR NAK: receiver not ready}
     *
     * @param timerCode coded time to wait, 0 to 31, as in the queue pair's attribute
     */
    public static int rnrNak(int timerCode) {
        return (KIND_RNR_NAK << KIND_SHIFT) | (timerCode & VALUE_MASK);
    }

    /**
     * {@return the syndrome of a NAK}
     *
     * @param reason one of the NAK constants
     */
    public static int nak(int reason) {
        return (KIND_NAK << KIND_SHIFT) | (reason & VALUE_MASK);
    }

    /**
     * {@return whether a syndrome is an ACK}
     *
     * @param syndrome syndrome from a packet
     */
    public static boolean isAck(int syndrome) {
        return syndrome >>> KIND_SHIFT == KIND_ACK;
    }

    /**
     * {@return whether a syndrome is an RNR NAK}
     *
     * @param syndrome syndrome from a packet
     */
    public static boolean isRnrNak(int syndrome) {
        return syndrome >>> KIND_SHIFT == KIND_RNR_NAK;
    }

    /**
     * {@return whether a syndrome is a NAK, of a known reason or not}
     *
     * @param syndrome syndrome from a packet
     */
    public static boolean isNak(int syndrome) {
        return syndrome >>> KIND_SHIFT == KIND_NAK;
    }

    /**
     * {@return the lower five bits, 0 to 31: credit code, timer code or NAK reason}
     *
     * @param syndrome syndrome from a packet
     */
    public static int value(int syndrome) {
        return syndrome & VALUE_MASK;
    }

    /**
     * {@return the code of a number of credits, 0 to 30; a number between two codes is rounded down}
     *
     * @param credits number of posted receive requests; a negative number counts as zero
     */
    public static int creditCode(int credits) {
        int code = 0;
        while (code < MAX_COUNTED_CODE && credits(code + 1) <= credits) {
            code++;
        }
        return code;
    }

    /**
     * {@return the number of credits of a code: 0 1 2 3 4 6 8 12 16 24 32 ... 32768; {@link Integer#MAX_VALUE} for no
     * limit}
     *
     * @param creditCode value of an ACK
     */
    public static int credits(int creditCode) {
        int code = creditCode & VALUE_MASK;
        if (code == CREDITS_UNLIMITED) {
            return Integer.MAX_VALUE;
        }
        return logarithmic(code);
    }

    /**
     * {@return the time of an RNR timer code in nanoseconds: 0.01 ms 0.02 0.03 0.04 0.06 0.08 0.12 ... 491.52, and
     * 655.36 ms for code 0}
     *
     * @param timerCode value of an RNR NAK
     */
    public static long rnrTimerNanos(int timerCode) {
        int code = timerCode & VALUE_MASK;
        int units = code == 0 ? LONGEST_TIMER_UNITS : logarithmic(code);
        return (long) units * TIMER_UNIT_NANOS;
    }

    /** Returns the value on the scale of both codes: 0 1 2 3 4 6 8 12 16 24 ..., two steps per power of two. */
    private static int logarithmic(int code) {
        return code < 2 ? code : (2 + (code & 1)) << ((code >>> 1) - 1);
    }
}
