/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.memory;

import io.verbs4j.MemoryRegion;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** A part of registered memory that peers may use: a region of its own, so that the device guards bounds and rights. */
public final class LocalWindow {
    private final long id;
    private final RegisteredMemory memory;
    private final MemoryRegion[] regions;
    private final int rights;
    private final CompletableFuture<Void> revoked = new CompletableFuture<>();

    /** The connections whose peers know the window. */
    private final Set<Integer> holders = new HashSet<>();

    private boolean revoking;

    /**
     * A window.
     *
     * @param id its identifier
     * @param memory what it is a part of
     * @param regions one of each device, in the order of the endpoint
     * @param rights bits of {@link RemoteWindow}
     */
    public LocalWindow(long id, RegisteredMemory memory, MemoryRegion[] regions, int rights) {
        this.id = id;
        this.memory = memory;
        this.regions = regions;
        this.rights = rights;
    }

    public long id() {
        return id;
    }

    public RegisteredMemory memory() {
        return memory;
    }

    public long length() {
        return regions[0].length();
    }

    public long address(int device) {
        return regions[device].addr();
    }

    public int rkey(int device) {
        return regions[device].rkey();
    }

    public int rights() {
        return rights;
    }

    /** Complete when no peer uses the window any more. */
    public CompletableFuture<Void> revoked() {
        return revoked;
    }

    public Set<Integer> holders() {
        return holders;
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
        for (MemoryRegion region : regions) {
            region.close();
        }
    }
}
