/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.control;

import java.nio.ByteBuffer;

/** The remote keys of some memory by rail, as a message of kind {@link ControlKind#KEYS} has them. For one thread. */
public final class RailKeys {
    /** Most rails beside the first queue pair of a connection. */
    public static final int MOST = 7;

    private static final int EPOCH = 32; // shift, in the value
    private static final int RAILS = 48; // shift
    private static final int OF_MESSAGE = 56; // shift
    private static final long LOW = 0xffff_ffffL;
    private static final int SHORT = 0xffff;
    private static final int BYTE = 0xff;

    private final int[] keys = new int[MOST + 1];
    private int rails;
    private int version = -1;

    /** Forgets all. */
    public void clear() {
        rails = 0;
    }

    /** Sets the key of a rail, 1 to {@link #MOST}. */
    public void set(int rail, int key) {
        keys[rail] = key;
        rails |= 1 << rail;
    }

    /** Whether there is a key for a rail, and they are of that version of the rails. */
    public boolean has(int rail, int of) {
        return version == of && (rails & 1 << rail) != 0;
    }

    /** The key of a rail that {@link #has} one. */
    public int get(int rail) {
        return keys[rail];
    }

    /** Takes over those of another. */
    public void copy(RailKeys from) {
        System.arraycopy(from.keys, 0, keys, 0, keys.length);
        rails = from.rails;
        version = from.version;
    }

    /** First long of a message. */
    public long a() {
        return pair(1, 2);
    }

    /** Second long of a message. */
    public long b() {
        return pair(3, 4);
    }

    /** Key of a message. */
    public int key() {
        return keys[5];
    }

    /** Rights of a message. */
    public int rights() {
        return keys[6];
    }

    /**
     * Value of a message.
     *
     * @param epoch number of the connection
     * @param ofMessage whether the memory is that of a message, and not of a window
     */
    public long value(int epoch, boolean ofMessage) {
        return keys[MOST] & LOW
                | (long) (epoch & SHORT) << EPOCH
                | (long) rails << RAILS
                | (ofMessage ? 1L << OF_MESSAGE : 0);
    }

    private long pair(int low, int high) {
        return keys[low] & LOW | (long) keys[high] << Integer.SIZE;
    }

    /** Reads those of a message, which are of a version of the rails. */
    public void read(ByteBuffer from, int at, int of) {
        version = of;
        long a = from.getLong(at + ControlLayout.A);
        long b = from.getLong(at + ControlLayout.B);
        long value = from.getLong(at + ControlLayout.VALUE);
        keys[1] = (int) a;
        keys[2] = (int) (a >>> Integer.SIZE);
        keys[3] = (int) b;
        keys[4] = (int) (b >>> Integer.SIZE);
        keys[5] = from.getInt(at + ControlLayout.KEY);
        keys[6] = from.getInt(at + ControlLayout.RIGHTS);
        keys[MOST] = (int) value;
        rails = (int) (value >>> RAILS) & BYTE;
    }

    /** Whether a message with that value was sent in the connection of a number. */
    public static boolean isOfEpoch(long value, int epoch) {
        return ((int) (value >>> EPOCH) & SHORT) == (epoch & SHORT);
    }

    /** Whether a message with that value tells of a message, and not of a window. */
    public static boolean isOfMessage(long value) {
        return value >>> OF_MESSAGE != 0;
    }
}
