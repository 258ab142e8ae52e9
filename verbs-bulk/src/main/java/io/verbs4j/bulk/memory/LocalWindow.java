/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.memory;

import io.verbs4j.AccessFlags;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/** A part of registered memory that peers may use. It has its own region, so the device enforces bounds and rights. */
public final class LocalWindow extends IdTable.Entry implements DeviceMemory {
    private final RegisteredMemory memory;
    private final long offset;
    private final long length;
    private final Regions regions;
    private final int rights;
    private final CompletableFuture<Void> revoked = new CompletableFuture<>();

    /** The connections whose peers know the window. */
    private final IntSet holders = new IntSet();

    private boolean revoking;

    /**
     * Creates a window.
     *
     * @param id its identifier
     * @param memory the memory that contains it
     * @param offset its start in that memory
     * @param length its length
     * @param regions one region for each device, in the order of the endpoint; null for a lost device
     * @param rights {@link RemoteWindow} bits
     */
    public LocalWindow(long id, RegisteredMemory memory, long offset, long length, MemoryRegion[] regions, int rights) {
        super(id);
        this.memory = memory;
        this.offset = offset;
        this.length = length;
        this.regions = new Regions(regions);
        this.rights = rights;
    }

    public RegisteredMemory memory() {
        return memory;
    }

    /** Its start in its memory. */
    public long offset() {
        return offset;
    }

    public long length() {
        return length;
    }

    @Override
    public long address(int device) {
        return regions.address(device);
    }

    @Override
    public int rkey(int device) {
        return regions.rkey(device);
    }

    public int rights() {
        return rights;
    }

    /** Returns the errno that forbids a peer to read some bytes; or 0. */
    public int readError(long from, long count) {
        if ((rights & RemoteWindow.READ) == 0) {
            return Errno.EACCES;
        }
        return rangeError(from, count);
    }

    /** Returns the errno that forbids a peer to write some bytes; or 0. */
    public int writeError(long from, long count) {
        return (rights & RemoteWindow.WRITE) == 0 ? Errno.EACCES : rangeError(from, count);
    }

    private int rangeError(long from, long count) {
        return from < 0 || count < 0 || from > length() - count ? Errno.ERANGE : 0;
    }

    /** Completes when no peer uses the window any more. */
    public CompletableFuture<Void> revoked() {
        return revoked;
    }

    IntSet holders() {
        return holders;
    }

    /** The connections whose peers know the window. */
    public int[] connections() {
        return holders.all();
    }

    /** Hides the window from peers that do not know it yet. */
    public void startRevoking() {
        revoking = true;
    }

    public boolean isRevoking() {
        return revoking;
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
     * @return whether the region is used; false if the window is revoked
     */
    public boolean renew(int device, MemoryRegion region) {
        return regions.renew(device, region);
    }

    /** Its bytes. */
    public ByteBuffer bytes() {
        return memory.bytes().slice((int) offset, (int) length);
    }

    /** Access flags of its regions, as far as the device supports the operations. */
    public int access() {
        return access(rights);
    }

    /** Returns the access flags of a region for a window's rights. */
    public static int access(int rights) {
        return ((rights & RemoteWindow.WRITE) != 0 ? AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE : 0)
                | ((rights & RemoteWindow.READ) != 0 ? AccessFlags.REMOTE_READ : 0);
    }
}
