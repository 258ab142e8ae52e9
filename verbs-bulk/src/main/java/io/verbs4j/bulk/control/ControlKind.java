/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.control;

/** Kinds of control messages. */
public final class ControlKind {
    /** A message of the program with its bytes: id is the transfer, a the length. */
    public static final int EAGER = 1;

    /**
     * Announces a message of the program for the peer to read: id is the transfer, a the length, b the address, with
     * key.
     */
    public static final int RTS = 2;

    /** Ends a message of the program: id is the sender's transfer, a the number of bytes or minus an errno. */
    public static final int FIN = 3;

    /** Reports that all bytes of a transfer have arrived: a is the value. */
    public static final int NOTIFY = 4;

    /**
     * Withdraws an announced message, or the request for bytes that the peer was asked to write: id is the withdrawing
     * side's transfer. FIN or DONE answers.
     */
    public static final int WITHDRAW = 5;

    /** Asks for a window: id. */
    public static final int LOOKUP = 6;

    /** Describes a window: id is the window, a its length or minus an errno, b its address, with key and rights. */
    public static final int WINDOW = 7;

    /** Revokes the window id, which must no longer be used. */
    public static final int REVOKE = 8;

    /** Reports that the window id is no longer in use. */
    public static final int REVOKED = 9;

    /** Carries only the totals in its header. */
    public static final int CREDIT = 10;

    /** The last message. */
    public static final int BYE = 11;

    /**
     * Asks the peer to write bytes of its window: id is the asking side's transfer, a the window, b the offset in it,
     * rights the number of bytes, value the address to write to, with its key. DONE answers.
     */
    public static final int ASK_PUT = 12;

    /**
     * Answers RTS with the memory to write the message to: id is the sender's transfer, a the receiver's, b the
     * address, with its key. DONE answers.
     */
    public static final int RTR = 13;

    /**
     * Reports that the requested bytes are written: id is the transfer, a the bytes or minus an errno, b always the
     * bytes.
     */
    public static final int DONE = 14;

    /**
     * Offers the queue pair of a rail, from the side that has connected: id identifies the rail; a, b, key and value
     * are its address, see {@link RailAddress}.
     */
    public static final int RAIL_OFFER = 15;

    /** Answers an offer with the address of the queue pair that is connected to the offered one, in the same form. */
    public static final int RAIL_ANSWER = 16;

    /** Reports that the queue pair of the rail id is connected on both sides. */
    public static final int RAIL_READY = 17;

    /** Reports that the queue pair of the rail id is closed or was not created; rights is 1 if a retry is useless. */
    public static final int RAIL_CLOSED = 18;

    /** Asks for the rails' keys of the window id. KEYS answers. */
    public static final int ASK_KEYS = 19;

    /** The rails' keys of the window id, or of the message id that RTS will announce next: see {@link RailKeys}. */
    public static final int KEYS = 20;

    /**
     * Asks for the address of a transfer's memory after the peer has moved to another device: id is the peer's
     * transfer, a the asking side's. LOCATED answers.
     */
    public static final int LOCATE = 21;

    /**
     * Answers LOCATE: id is the transfer of the side that asked, a the other one, b the address, with its key. Rights
     * is 1 if the other transfer has ended.
     */
    public static final int LOCATED = 22;

    private ControlKind() {}
}
