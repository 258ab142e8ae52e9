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

    /** The sender of a message wants it back: id is the transfer. FIN answers. */
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

    private ControlKind() {}
}
