/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.memory;

import java.nio.ByteBuffer;

/**
 * Writes bytes that a connection's peer has sent as datagrams into windows of this side. No device enforces a window's
 * rights and bounds here, so they are checked for each datagram. As in writes by a device, a peer names a window by a
 * key and an address: the two halves of the window's identifier, with the offset added to the address.
 */
public final class WindowWriter {
    private static final long HIGH = -1L << Integer.SIZE;

    private final WindowTable windows;
    private final int connection;

    /** Creates a writer for the peer of a connection. */
    public WindowWriter(WindowTable windows, int connection) {
        this.windows = windows;
        this.connection = connection;
    }

    /** {@return the key that peers use for a window} */
    public static int key(long window) {
        return (int) window;
    }

    /** {@return the address that peers use for the window's first byte} */
    public static long address(long window) {
        return window & HIGH;
    }

    /**
     * Writes bytes if the peer knows the window and may write there.
     *
     * @param key the window's key
     * @param address its address plus the offset
     * @param from memory that contains the bytes
     * @param at their start
     * @param length their number
     * @return whether all bytes were written; if false, none was
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
