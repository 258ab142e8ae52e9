/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

import io.verbs4j.provider.rxe.memory.KeyMemory;
import java.nio.ByteOrder;

/** Offsets in a ring; see the package description. */
final class RingLayout {
    static final long MAGIC = 0x7634_6a72_696e_6732L; // "v4jring2"

    // Offsets in the first page.
    static final int NUMBER = 8;
    static final int CAPACITY = 16;
    static final int STATE = 64;
    static final int PLACE = 72;
    static final int ABILITIES = 80;
    static final int TAIL = 128;
    static final int EPOCH = 136;
    static final int SENDER = 144;
    static final int HEAD = 192;
    static final int COPYING = 200;

    /** Offset of the first receipt. */
    private static final int RECEIPTS = 256;

    /** Distance of receipts: each has a cache line of its own. */
    private static final int RECEIPT_BYTES = 64;

    /** Number of receipts. */
    static final int RECEIPT_PLACES = 60;

    /** Offset of the records. */
    static final int DATA = 4096;

    /** Size of all records; a power of two. */
    static final int BYTES = 1 << 20;

    /** Size of a ring. */
    static final int SIZE = DATA + BYTES;

    // States.
    static final long OFFERED = 0;
    static final long ACCEPTED = 1;
    static final long ENDED = 2;

    /** Bit of the abilities: spans may answer reads. Receivers of release 1.2 can't do that, and leave all bits 0. */
    static final long COPIES_ANSWERS = 1;

    /** Bit of the abilities: the receiver writes receipts. Receivers of release 1.2 don't. */
    static final long WRITES_RECEIPTS = 2;

    /**
     * Bit of the sender's word: the word behind the last record is 0, so that the receiver sees the next record by its
     * first word, and need not read the tail. Senders of release 1.2 don't do that, and leave all bits 0.
     */
    static final long SHOWS_RECORDS = 1;

    // A record.
    static final int HEADER = 8;
    static final int PACKET = 1;
    static final int SPAN = 2;
    static final int WRAP = 3;
    static final int KINDS = 0xff;
    static final int AFTER_PACKETS = 256;

    /** How far the receipt that a record asks for is shifted in its flags. */
    static final int RECEIPT_SHIFT = 9;

    private static final int PLACE_BITS = 6;
    private static final int NUMBER_MASK = 0xffff;
    private static final long RECEIPT_VALID = 1L << 24;
    private static final int PSN_MASK = 0xff_ffff;

    /** Maximum size of a packet: the largest payload, all headers, and room for the ICRC. */
    static final int MAX_PACKET = 4096 + 80;

    /** Maximum size of the headers of a span's packet, including room for the ICRC. */
    static final int MAX_SPAN_PACKET = 96;

    // What follows a span's packet.
    static final int SPAN_BYTES = 8;
    static final int SPAN_PIECES = 16;
    static final int SPAN_LIST = 24;
    static final int PIECE = KeyMemory.PIECE;

    /** Maximum number of pieces of a span. */
    static final int MAX_PIECES = 32;

    /** Maximum size of a span in the ring. */
    static final int MAX_SPAN = HEADER + MAX_SPAN_PACKET + SPAN_LIST + MAX_PIECES * PIECE;

    private static final boolean LITTLE = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    private RingLayout() {}

    /** Returns the first word of a record, as it lies in memory. */
    static long header(int length, int flags) {
        return LITTLE
                ? (long) flags << Integer.SIZE | length & 0xffff_ffffL
                : (long) length << Integer.SIZE | flags & 0xffff_ffffL;
    }

    static int length(long header) {
        return (int) (LITTLE ? header : header >> Integer.SIZE);
    }

    static int flags(long header) {
        return (int) (LITTLE ? header >> Integer.SIZE : header);
    }

    /**
     * Returns how a record names a receipt: its place and the number of its user, so that a receipt for an earlier user
     * of the place is not taken for one of the present. Never 0, which asks for none.
     */
    static int receipt(int place, int number) {
        return place + 1 | (number & NUMBER_MASK) << PLACE_BITS;
    }

    /** Returns whether a record may name a receipt so. */
    static boolean isReceipt(int receipt) {
        int place = (receipt & (1 << PLACE_BITS) - 1) - 1;
        return place >= 0 && place < RECEIPT_PLACES && receipt >>> PLACE_BITS <= NUMBER_MASK;
    }

    /** Returns the offset of a receipt in the ring. */
    static int receiptOffset(int receipt) {
        return RECEIPTS + ((receipt & (1 << PLACE_BITS) - 1) - 1) * RECEIPT_BYTES;
    }

    /** Returns the word that says that all packets up to a PSN were taken. */
    static long receiptWord(int receipt, int psn) {
        return (long) (receipt >>> PLACE_BITS) << Integer.SIZE | RECEIPT_VALID | psn & PSN_MASK;
    }

    /** Returns the PSN in a word, or -1 if the word is not for this receipt. */
    static int receiptPsn(int receipt, long word) {
        int psn = (int) word & PSN_MASK;
        return word == receiptWord(receipt, psn) ? psn : -1;
    }

    static int round(int bytes) {
        return bytes + 7 & ~7;
    }
}
