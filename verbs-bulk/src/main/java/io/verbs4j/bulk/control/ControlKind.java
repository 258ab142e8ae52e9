/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.control;

/** Kinds of control messages. */
public final class ControlKind {
    /** A message of the program with its bytes: id is the transfer, a the length. */
    public static final int EAGER = 1;

    /** A message of the program, to be read: id is the transfer, a the length, b the address, with its key. */
    public static final int RTS = 2;

    /** A message of the program is over: id is the transfer of its sender, a the bytes or minus an errno. */
    public static final int FIN = 3;

    /** All bytes of a transfer are there: a is the value. */
    public static final int NOTIFY = 4;

    /**
     * The sender of a message wants it back, or wants no more of what it has asked for or was to be written: id is the
     * transfer. FIN answers, or DONE.
     */
    public static final int WITHDRAW = 5;

    /** Asks for a window: id. */
    public static final int LOOKUP = 6;

    /** Answers: id is the window, a its length or minus an errno, b its address, with key and rights. */
    public static final int WINDOW = 7;

    /** The window id must not be used any more. */
    public static final int REVOKE = 8;

    /** Answers: nothing of the window id is in use. */
    public static final int REVOKED = 9;

    /** Says nothing but the totals in its header. */
    public static final int CREDIT = 10;

    /** The last message. */
    public static final int BYE = 11;

    /**
     * Asks the peer to write bytes of a window: id is the transfer of the one that asks, a the window, b the offset in
     * it, rights the number of bytes, value the address to write to, with its key. DONE answers.
     */
    public static final int ASK_PUT = 12;

    /**
     * Says where a message that RTS has told of is to be written: id is the transfer of its sender, a the one of its
     * receiver, b the address, with its key. DONE answers.
     */
    public static final int RTR = 13;

    /** What was asked for is written: id is the transfer, a the bytes or minus an errno, b the bytes in any case. */
    public static final int DONE = 14;

    /**
     * The side that has connected offers the queue pair of a rail: id says which, a, b, key and value where it is, see
     * {@link RailAddress}.
     */
    public static final int RAIL_OFFER = 15;

    /** Says where the queue pair is that is connected to the offered one, in the same form. */
    public static final int RAIL_ANSWER = 16;

    /** The queue pair of the rail id is connected on both sides. */
    public static final int RAIL_READY = 17;

    /** The queue pair of the rail id is closed, or none was made; rights is 1 where another try is of no use. */
    public static final int RAIL_CLOSED = 18;

    /** Asks for the keys of the window id by which rails reach it. KEYS answers. */
    public static final int ASK_KEYS = 19;

    /** Keys by which rails reach the window id, or the message id that RTS will tell of: see {@link RailKeys}. */
    public static final int KEYS = 20;

    /**
     * Asks where memory of a transfer is, as the peer goes by another device now: id is the transfer of the peer, a the
     * one of the side that asks. LOCATED answers.
     */
    public static final int LOCATE = 21;

    /**
     * Answers: id is the transfer of the side that has asked, a the other one, b the address, with its key; rights is 1
     * where that one has ended.
     */
    public static final int LOCATED = 22;

    private ControlKind() {}
}
