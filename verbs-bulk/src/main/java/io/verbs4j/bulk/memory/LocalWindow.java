/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.memory;

import io.verbs4j.AccessFlags;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/** A part of registered memory that peers may use: a region of its own, so that the device guards bounds and rights. */
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
     * A window.
     *
     * @param id its identifier
     * @param memory what it is a part of
     * @param offset where it begins there
     * @param length its length
     * @param regions one of each device, in the order of the endpoint; null for one that is lost
     * @param rights bits of {@link RemoteWindow}
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

    /** Where it begins in its memory. */
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

    /** Why a peer may not read some bytes, an errno; or 0. */
    public int readError(long from, long count) {
        if ((rights & RemoteWindow.READ) == 0) {
            return Errno.EACCES;
        }
        return rangeError(from, count);
    }

    /** Why a peer may not write some bytes, an errno; or 0. */
    public int writeError(long from, long count) {
        return (rights & RemoteWindow.WRITE) == 0 ? Errno.EACCES : rangeError(from, count);
    }

    private int rangeError(long from, long count) {
        return from < 0 || count < 0 || from > length() - count ? Errno.ERANGE : 0;
    }

    /** Complete when no peer uses the window any more. */
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

    /** From now on no peer is told of it. */
    public void startRevoking() {
        revoking = true;
    }

    public boolean isRevoking() {
        return revoking;
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
     * @return whether it is used; otherwise the window is taken back
     */
    public boolean renew(int device, MemoryRegion region) {
        return regions.renew(device, region);
    }

    /** Its bytes. */
    public ByteBuffer bytes() {
        return memory.bytes().slice((int) offset, (int) length);
    }

    /** Rights that its regions have, as far as the device has operations for them. */
    public int access() {
        return access(rights);
    }

    /** Rights of regions for a window of some rights. */
    public static int access(int rights) {
        return ((rights & RemoteWindow.WRITE) != 0 ? AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE : 0)
                | ((rights & RemoteWindow.READ) != 0 ? AccessFlags.REMOTE_READ : 0);
    }
}
