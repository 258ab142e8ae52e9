/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.dv;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import java.util.function.IntSupplier;
import java.util.function.Predicate;

/**
 * The published interfaces of libhbl. A library does not report which one it has: there is no version, and no size is
 * passed. The exported functions identify most of them, and the number of bytes that {@code hbldv_query_device} writes
 * identifies the others.
 */
public enum Layout {
    /** As submitted to rdma-core. */
    UPSTREAM("upstream", 16),
    /** Release 1.16. */
    V1_16("1.16", 16),
    /** Release 1.17. */
    V1_17("1.17", 24),
    /** Release 1.18. */
    V1_18("1.18", 32),
    /** Release 1.19. */
    V1_19("1.19", 32),
    /**
     * Releases 1.20 and 1.21. They cannot be distinguished; where they differ, the data is written so that each reads
     * what it needs.
     */
    V1_20("1.20 or 1.21", 32);

    private final String release;
    private final int deviceAttrSize;

    Layout(String release, int deviceAttrSize) {
        this.release = release;
        this.deviceAttrSize = deviceAttrSize;
    }

    /** Returns the size of the device query's result in bytes. */
    public int deviceAttrSize() {
        return deviceAttrSize;
    }

    /** Returns whether the device query reports the number of ports; older releases report a mask. */
    public boolean countsPorts() {
        return this == V1_20;
    }

    /** Returns whether queue pair numbers can be reserved for collectives, and ports report them. */
    public boolean hasCollectives() {
        return this != UPSTREAM;
    }

    /** Returns whether a queue pair can replace another. */
    public boolean hasMigration() {
        return compareTo(V1_19) >= 0;
    }

    /**
     * Returns whether numbers may be reserved on some of the ports of a kind. Of the two releases of {@link #V1_20},
     * which cannot be distinguished, only 1.21 supports this.
     */
    public boolean mayReservePorts() {
        return this == V1_20;
    }

    /** Returns the size of the scheduler's resources in bytes. */
    public int schedResourcesSize() {
        return hasLagCompletion() ? 8200 : 4104;
    }

    /** Returns whether the device query reports which ports are external. */
    public boolean tellsExternalPorts() {
        return compareTo(V1_17) >= 0;
    }

    /** Returns whether ports support adaptive timeouts. */
    public boolean hasAdaptiveTimeout() {
        return compareTo(V1_17) <= 0;
    }

    /** Returns whether there are FIFOs for completions of bonded ports, and more room for the scheduler's resources. */
    public boolean hasLagCompletion() {
        return compareTo(V1_18) >= 0;
    }

    @Override
    public String toString() {
        return release;
    }

    /**
     * Identifies the interface of a library.
     *
     * @param has returns whether a function is exported
     * @param written returns the number of bytes that {@code hbldv_query_device} writes; called only if the functions
     *     do not suffice
     * @throws VerbsException {@link Errno#ENOSYS} if it is none of the known ones
     */
    static Layout of(Predicate<String> has, IntSupplier written) {
        if (!has.test("hbldv_reserve_coll_qps")) {
            return UPSTREAM;
        }
        if (has.test("hbldv_query_device_temp")) {
            return V1_19;
        }
        if (has.test("hbldv_migrate_qp")) {
            return V1_20;
        }
        int size = written.getAsInt();
        for (Layout layout : new Layout[] {V1_16, V1_17, V1_18}) {
            if (layout.deviceAttrSize == size) {
                return layout;
            }
        }
        throw new VerbsException(
                Errno.ENOSYS,
                "hbldv_query_device",
                "the loaded libhbl writes " + size + " bytes, as no release up to 1.21 does; install one of those");
    }
}
