/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

/**
 * Memory that is registered: how work requests and remote sides name it, and where it is.
 *
 * @param addr what its first byte is called
 * @param length length in bytes
 * @param address where its first byte is; {@link #NOWHERE}: what is written vanishes, and zeros are read
 * @param mayGoAway whether it may go away while it is registered, see {@link FragileMemory}
 * @param pages which pages the device has seen; null where that is of no interest
 * @param keeper what keeps the memory, as long as the device may touch it; null where somebody else does
 * @param foreign the process that {@code address} is an address of; null where that is this one
 */
record RegionMemory(
        long addr,
        long length,
        long address,
        boolean mayGoAway,
        DemandPages pages,
        Object keeper,
        ForeignMemory foreign) {
    /** No address of memory. */
    static final long NOWHERE = 0;

    /** Makes one of memory of this process. */
    RegionMemory(long addr, long length, long address, boolean mayGoAway, DemandPages pages, Object keeper) {
        this(addr, length, address, mayGoAway, pages, keeper, null);
    }

    /** All there is of nothing. */
    static RegionMemory nothing() {
        return new RegionMemory(0, -1, NOWHERE, false, null, null);
    }

    /** Memory under its own address that somebody else keeps. */
    static RegionMemory of(long address, long length, boolean mayGoAway) {
        return new RegionMemory(address, length, address, mayGoAway, null, null);
    }

    /** Memory of another process, under a name. */
    static RegionMemory of(ForeignMemory foreign, long address, long name, long length) {
        return new RegionMemory(name, length, address, true, null, null, foreign);
    }

    /** The same under another name. */
    RegionMemory named(long name) {
        return new RegionMemory(name, length, address, mayGoAway, pages, keeper, foreign);
    }

    /** The same, with pages to be noted. */
    RegionMemory onDemand(PageCounters counters) {
        return new RegionMemory(
                addr, length, address, mayGoAway, new DemandPages(address, length, counters), keeper, foreign);
    }
}
