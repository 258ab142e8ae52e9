/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.control;

import java.nio.ByteBuffer;

/**
 * Field offsets of a control message in bytes; little-endian. Credits are totals since the connection was established,
 * not differences, so that a repeated message is harmless.
 */
public final class ControlLayout {
    /** Size of a message without bytes of the program. */
    public static final int SIZE = 64;

    public static final int KIND = 0;
    public static final int FLAGS = 1;
    public static final int STREAM = 2;
    public static final int EPOCH = 4;

    /** Number of slots that the message's sender has posted in total. */
    public static final int CREDITS = 8;

    /** Number of EAGER messages that the message's sender has taken out of their slots in total. */
    public static final int EAGER_TAKEN = 12;

    /** Number of the message, from 0. */
    public static final int SEQUENCE = 16;

    public static final int ID = 24;
    public static final int A = 32;
    public static final int B = 40;
    public static final int KEY = 48;
    public static final int RIGHTS = 52;

    /** In EAGER and RTS: the sender's number for the receiver's completion. In ASK_PUT: an address. */
    public static final int VALUE = 56;

    private ControlLayout() {}

    /** Writes the fields that depend on the kind of message. Sets stream and value to 0. */
    public static void body(ByteBuffer to, int at, int kind, long id, long a, long b, int key, int rights) {
        to.put(at + KIND, (byte) kind);
        to.put(at + FLAGS, (byte) 0);
        to.putShort(at + STREAM, (short) 0);
        to.putLong(at + ID, id);
        to.putLong(at + A, a);
        to.putLong(at + B, b);
        to.putInt(at + KEY, key);
        to.putInt(at + RIGHTS, rights);
        to.putLong(at + VALUE, 0);
    }

    /** Writes the additional fields of the program's messages. */
    public static void message(ByteBuffer to, int at, int stream, long value) {
        to.putShort(at + STREAM, (short) stream);
        to.putLong(at + VALUE, value);
    }

    /** Writes the fields that depend on the state of the connection. */
    public static void header(ByteBuffer to, int at, int epoch, int credits, int eagerTaken, long sequence) {
        to.putInt(at + EPOCH, epoch);
        to.putInt(at + CREDITS, credits);
        to.putInt(at + EAGER_TAKEN, eagerTaken);
        to.putLong(at + SEQUENCE, sequence);
    }
}
