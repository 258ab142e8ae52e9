/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.memory;

import io.verbs4j.AccessFlags;
import io.verbs4j.MemoryRegion;
import java.nio.ByteBuffer;

/** Memory that is registered with the devices of an endpoint. The engine counts its users. */
public final class RegisteredMemory implements DeviceMemory {
    private final int index;
    private final ByteBuffer bytes;
    private final Regions regions;
    private int users;
    private boolean closed;

    /**
     * Creates the object for registered memory.
     *
     * @param index its number
     * @param bytes the memory, from 0 to its capacity
     * @param regions one region for each device, in the order of the endpoint; null for a lost device
     */
    public RegisteredMemory(int index, ByteBuffer bytes, MemoryRegion[] regions) {
        this.index = index;
        this.bytes = bytes;
        this.regions = new Regions(regions);
    }

    public int index() {
        return index;
    }

    public ByteBuffer bytes() {
        return bytes;
    }

    public long length() {
        return bytes.capacity();
    }

    /** Whether {@code count} bytes at an offset are inside. */
    public boolean contains(long offset, long count) {
        return offset >= 0 && count >= 0 && offset <= length() - count;
    }

    /** Whether it may be written. */
    public boolean isWritable() {
        return !bytes.isReadOnly();
    }

    @Override
    public long address(int device) {
        return regions.address(device);
    }

    /** Its local key for a device. */
    public int lkey(int device) {
        return regions.lkey(device);
    }

    @Override
    public int rkey(int device) {
        return regions.rkey(device);
    }

    /** Counts a transfer or a window that uses it. */
    public void use() {
        users++;
    }

    /** Ends the use by a transfer or a window. */
    public void unuse() {
        users--;
    }

    /** Marks the memory as closed unless it is in use. Returns whether it is closed. */
    public boolean closeIfUnused() {
        if (users == 0) {
            closed = true;
        }
        return closed;
    }

    /** Whether it must no longer be used. */
    public boolean isClosed() {
        return closed;
    }

    /** Deregisters it from the devices. */
    public void deregister() {
        regions.close();
    }

    /** Drops the region of a lost device, which no connection uses any more. */
    public void lose(int device) {
        regions.lose(device);
    }

    /**
     * Adds the region of a device that replaces a lost one.
     *
     * @param region a region of the new device
     * @return whether the region is used; false if the memory is closed
     */
    public boolean renew(int device, MemoryRegion region) {
        return regions.renew(device, region);
    }

    /** Access flags of its regions, as far as the device supports the operations. */
    public int access() {
        return AccessFlags.REMOTE_READ | (isWritable() ? AccessFlags.LOCAL_WRITE : 0);
    }
}
