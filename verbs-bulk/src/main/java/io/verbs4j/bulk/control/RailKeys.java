/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.control;

import java.nio.ByteBuffer;

/** The rails' remote keys of some memory, as a {@link ControlKind#KEYS} message carries them. For one thread. */
public final class RailKeys {
    /** Maximum number of rails in addition to the first queue pair of a connection. */
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

    /** Removes all keys. */
    public void clear() {
        rails = 0;
    }

    /** Sets the key of a rail, 1 to {@link #MOST}. */
    public void set(int rail, int key) {
        keys[rail] = key;
        rails |= 1 << rail;
    }

    /** Whether a rail has a key and the keys are of this version of the rails. */
    public boolean has(int rail, int of) {
        return version == of && (rails & 1 << rail) != 0;
    }

    /** Returns the key of a rail that {@link #has} one. */
    public int get(int rail) {
        return keys[rail];
    }

    /** Copies the keys of another object. */
    public void copy(RailKeys from) {
        System.arraycopy(from.keys, 0, keys, 0, keys.length);
        rails = from.rails;
        version = from.version;
    }

    /** The message's first long. */
    public long a() {
        return pair(1, 2);
    }

    /** The message's second long. */
    public long b() {
        return pair(3, 4);
    }

    /** The message's key. */
    public int key() {
        return keys[5];
    }

    /** The message's rights. */
    public int rights() {
        return keys[6];
    }

    /**
     * Returns the message's value.
     *
     * @param epoch number of the connection
     * @param ofMessage whether the memory is that of a message, not of a window
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

    /** Reads the keys in a message; they are valid for one version of the rails. */
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

    /** Whether a KEYS message with this value was sent in this epoch of the connection. */
    public static boolean isOfEpoch(long value, int epoch) {
        return ((int) (value >>> EPOCH) & SHORT) == (epoch & SHORT);
    }

    /** Whether a KEYS message with this value describes a message, not a window. */
    public static boolean isOfMessage(long value) {
        return value >>> OF_MESSAGE != 0;
    }
}
