/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import io.verbs4j.natives.memory.NativeMemory;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Memory for C structures with hand-written layouts: those of 64-bit Linux, the same on all its processors.
 *
 * <pre>
 * msghdr   0 name*  8 namelen(4)  16 iov*  24 iovlen(8)  32 control*  40 controllen(8)  48 flags(4)   56 in all
 * mmsghdr  0 msghdr  56 len(4)                                                                        64 in all
 * iovec    0 base*  8 len(8)                                                                          16 in all
 * cmsghdr  0 len(8)  8 level(4)  12 type(4)  16 data, rounded up to 8
 * pollfd   0 fd(4)  4 events(2)  6 revents(2)                                                          8 in all
 * </pre>
 */
final class StructBuffer {
    static final int MSG_NAME = 0;
    static final int MSG_NAMELEN = 8;
    static final int MSG_IOV = 16;
    static final int MSG_IOVLEN = 24;
    static final int MSG_CONTROL = 32;
    static final int MSG_CONTROLLEN = 40;
    static final int MSG_FLAGS = 48;
    static final int MSG_SIZE = 56;
    static final int MMSG_LEN = 56;
    static final int MMSG_SIZE = 64;
    static final int IOV_LEN = 8;
    static final int IOV_SIZE = 16;
    static final int CMSG_LEVEL = 8;
    static final int CMSG_TYPE = 12;
    static final int CMSG_DATA = 16;
    /** Room for a control message of up to 8 bytes. */
    static final int CMSG_SPACE = 24;

    static final int POLLFD_SIZE = 8;
    static final int POLLFD_EVENTS = 4;
    static final int POLLFD_REVENTS = 6;

    private static final boolean LITTLE = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    private final ByteBuffer buffer;
    private final long address;

    StructBuffer(int size) {
        buffer = ByteBuffer.allocateDirect(size).order(ByteOrder.nativeOrder());
        address = NativeMemory.address(buffer);
    }

    long address(int offset) {
        return address + offset;
    }

    /**
     * Keeps the memory alive until here. Call it after a native call that was given an address: an address alone keeps
     * nothing alive, and the kernel could write to freed memory that is in use elsewhere.
     */
    @SuppressWarnings("ReachabilityFenceUsage") // a call that throws never reached the kernel
    void keepUntilHere() {
        Reference.reachabilityFence(buffer);
    }

    int size() {
        return buffer.capacity();
    }

    void putShort(int offset, int value) {
        buffer.putShort(offset, (short) value);
    }

    void putInt(int offset, int value) {
        buffer.putInt(offset, value);
    }

    void putLong(int offset, long value) {
        buffer.putLong(offset, value);
    }

    int getShort(int offset) {
        return Short.toUnsignedInt(buffer.getShort(offset));
    }

    int getInt(int offset) {
        return buffer.getInt(offset);
    }

    long getLong(int offset) {
        return buffer.getLong(offset);
    }

    /** Writes in network byte order. */
    void putNetShort(int offset, int value) {
        buffer.put(offset, (byte) (value >>> 8)).put(offset + 1, (byte) value);
    }

    /** Writes in network byte order. */
    void putNetLong(int offset, long value) {
        buffer.putLong(offset, LITTLE ? Long.reverseBytes(value) : value);
    }

    /** Writes in network byte order. */
    void putNetInt(int offset, int value) {
        buffer.putInt(offset, LITTLE ? Integer.reverseBytes(value) : value);
    }

    /** Reads in network byte order. */
    int getNetShort(int offset) {
        return (buffer.get(offset) & 0xff) << 8 | buffer.get(offset + 1) & 0xff;
    }

    /** Reads in network byte order. */
    int getNetInt(int offset) {
        int value = buffer.getInt(offset);
        return LITTLE ? Integer.reverseBytes(value) : value;
    }

    /** Reads in network byte order. */
    long getNetLong(int offset) {
        long value = buffer.getLong(offset);
        return LITTLE ? Long.reverseBytes(value) : value;
    }
}
