/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

/**
 * Registered memory: where it is, and how work requests and peers name it.
 *
 * @param addr address by which work requests name its first byte
 * @param length length in bytes
 * @param address where its first byte is; {@link #NOWHERE} if writes are discarded and reads return zeros
 * @param mayGoAway whether it may go away while it is registered, see {@link FragileMemory}
 * @param pages the pages that the device has touched, or null if they are not recorded
 * @param keeper object that keeps the memory alive while the device may touch it, or null if something else does
 * @param foreign the other process's memory that {@code address} belongs to, or null for this process
 */
record RegionMemory(
        long addr,
        long length,
        long address,
        boolean mayGoAway,
        DemandPages pages,
        Object keeper,
        ForeignMemory foreign) {
    /** The address that means "no memory". */
    static final long NOWHERE = 0;

    /** Creates memory of this process. */
    RegionMemory(long addr, long length, long address, boolean mayGoAway, DemandPages pages, Object keeper) {
        this(addr, length, address, mayGoAway, pages, keeper, null);
    }

    /** {@return a null region: all addresses, without memory} */
    static RegionMemory nothing() {
        return new RegionMemory(0, -1, NOWHERE, false, null, null);
    }

    /** Creates memory under its own address, kept alive by someone else. */
    static RegionMemory of(long address, long length, boolean mayGoAway) {
        return new RegionMemory(address, length, address, mayGoAway, null, null);
    }

    /** Creates memory of another process, under another address. */
    static RegionMemory of(ForeignMemory foreign, long address, long name, long length) {
        return new RegionMemory(name, length, address, true, null, null, foreign);
    }

    /** {@return the same memory under another address} */
    RegionMemory named(long name) {
        return new RegionMemory(name, length, address, mayGoAway, pages, keeper, foreign);
    }

    /** {@return the same memory with recorded pages} */
    RegionMemory onDemand(PageCounters counters) {
        return new RegionMemory(
                addr, length, address, mayGoAway, new DemandPages(address, length, counters), keeper, foreign);
    }
}
