/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.dv;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import java.util.function.IntSupplier;
import java.util.function.Predicate;

/**
 * Which of the published interfaces a libhbl has. None of them tells: there is no version, no size that is passed. Functions that
 * are there or not tell most, and how much of an answer {@code hbldv_query_device} writes tells the rest.
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
    /** Releases 1.20 and 1.21: what they differ in is written so that either reads what it needs. */
    V1_20("1.20 or 1.21", 32);

    private final String release;
    private final int deviceAttrSize;

    Layout(String release, int deviceAttrSize) {
        this.release = release;
        this.deviceAttrSize = deviceAttrSize;
    }

    /** What the answer about a device takes, in bytes. */
    public int deviceAttrSize() {
        return deviceAttrSize;
    }

    /** Whether the answer about a device counts ports, where older ones have a mask of them. */
    public boolean countsPorts() {
        return this == V1_20;
    }

    /** Whether numbers of queue pairs are reserved for collectives, and ports tell of them. */
    public boolean hasCollectives() {
        return this != UPSTREAM;
    }

    /** Whether a queue pair can take another one's place. */
    public boolean hasMigration() {
        return compareTo(V1_19) >= 0;
    }

    /** Whether numbers may be reserved on some ports of a kind; one of the two releases can, and can't be told from the other. */
    public boolean mayReservePorts() {
        return this == V1_20;
    }

    /** Bytes that what the scheduler has takes. */
    public int schedResourcesSize() {
        return hasLagCompletion() ? 8200 : 4104;
    }

    /** Whether an answer about a device tells which ports are external. */
    public boolean tellsExternalPorts() {
        return compareTo(V1_17) >= 0;
    }

    /** Whether ports may have timeouts that adapt. */
    public boolean hasAdaptiveTimeout() {
        return compareTo(V1_17) <= 0;
    }

    /** Whether there are FIFOs for completions of bonded ports, and more room for what the scheduler has. */
    public boolean hasLagCompletion() {
        return compareTo(V1_18) >= 0;
    }

    @Override
    public String toString() {
        return release;
    }

    /**
     * Tells them apart.
     *
     * @param has whether a function is there
     * @param written how many bytes {@code hbldv_query_device} writes; asked only where functions do not tell
     * @throws VerbsException {@link Errno#ENOSYS} where it is none of the seven
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
                "the loaded libhbl writes " + size
                        + " bytes, which none of the releases up to 1.21 does; take one of these");
    }
}
