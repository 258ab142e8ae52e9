/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.memory;

import io.verbs4j.AccessFlags;
import io.verbs4j.MemoryRegion;
import java.nio.ByteBuffer;

/** Memory that is registered with the devices of an endpoint. The engine counts who uses it. */
public final class RegisteredMemory implements DeviceMemory {
    private final int index;
    private final ByteBuffer bytes;
    private final Regions regions;
    private int users;
    private boolean closed;

    /**
     * Memory that was registered.
     *
     * @param index its number
     * @param bytes the memory, from 0 to its capacity
     * @param regions one of each device, in the order of the endpoint; null for one that is lost
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

    /** Whether bytes may be put there. */
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

    /** A transfer or a window needs it. */
    public void use() {
        users++;
    }

    /** A transfer or a window is over. */
    public void unuse() {
        users--;
    }

    /** Whether nothing needs it, so that it may be closed: then it is. */
    public boolean closeIfUnused() {
        if (users == 0) {
            closed = true;
        }
        return closed;
    }

    /** Whether it must not be used any more. */
    public boolean isClosed() {
        return closed;
    }

    /** Takes it from the devices. */
    public void deregister() {
        regions.close();
    }

    /** A device is lost, and no connection goes by it. */
    public void lose(int device) {
        regions.lose(device);
    }

    /**
     * Another device has taken the place of a lost one.
     *
     * @param region made by the new device
     * @return whether it is used; otherwise the memory is closed
     */
    public boolean renew(int device, MemoryRegion region) {
        return regions.renew(device, region);
    }

    /** Rights that its regions have, as far as the device has operations for them. */
    public int access() {
        return AccessFlags.REMOTE_READ | (isWritable() ? AccessFlags.LOCAL_WRITE : 0);
    }
}
