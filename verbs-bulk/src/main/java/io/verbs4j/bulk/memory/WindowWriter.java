/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.memory;

import java.nio.ByteBuffer;

/**
 * Writes bytes that a connection's peer has sent as datagrams into windows of this side. No device guards them, so a
 * window's rights and bounds are checked here for each datagram. A peer names a window by a key and an address, as it
 * does where the device writes: they are the halves of its identifier, and the offset is added to the address.
 */
public final class WindowWriter {
    private static final long HIGH = -1L << Integer.SIZE;

    private final WindowTable windows;
    private final int connection;

    /** For the peer of that connection. */
    public WindowWriter(WindowTable windows, int connection) {
        this.windows = windows;
        this.connection = connection;
    }

    /** {@return the key that a peer names the window of an identifier by} */
    public static int key(long window) {
        return (int) window;
    }

    /** {@return what a peer has for the address of that window's first byte} */
    public static long address(long window) {
        return window & HIGH;
    }

    /**
     * Writes bytes, if the peer knows the window, and may write there.
     *
     * @param key the window's key
     * @param address its address, and the offset
     * @param from memory that has the bytes
     * @param at where they begin
     * @param length how many
     * @return whether they were written; otherwise nothing was
     */
    public boolean write(int key, long address, ByteBuffer from, int at, int length) {
        LocalWindow window = windows.find(address & HIGH | Integer.toUnsignedLong(key), connection);
        long offset = address & ~HIGH;
        if (window == null || window.writeError(offset, length) != 0) {
            return false;
        }
        window.memory().bytes().put((int) (window.offset() + offset), from, at, length);
        return true;
    }
}
