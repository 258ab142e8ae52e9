/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Attributes that create an indirection table: the argument of {@link Context#createRwqIndTable(RwqIndTableInitAttr)}.
 *
 * <p>Since level 4. Source: {@code ibv_create_rwq_ind_table(3)}. Not thread-safe.
 */
public final class RwqIndTableInitAttr extends InputAttr {
    private WorkQueue[] indTbl = {};

    /** Creates an instance whose masks are empty. */
    public RwqIndTableInitAttr() {}

    /**
     * {@return the work queues by index; their number is a power of two, and a queue may appear several times; copied}
     */
    public WorkQueue[] indTbl() {
        return indTbl.clone();
    }

    /**
     * Sets {@link #indTbl()}.
     *
     * @param value the work queues by index; their number is a power of two, and a queue may appear several times;
     *     copied
     * @return this
     */
    public RwqIndTableInitAttr indTbl(WorkQueue... value) {
        indTbl = value.clone();
        return this;
    }

    /** {@return the binary logarithm of the number of work queues: how many bits of the hash form the index} */
    public int logIndTblSize() {
        return Integer.SIZE - 1 - Integer.numberOfLeadingZeros(indTbl.length);
    }

    @Override
    public String toString() {
        return indTbl.length == 0 ? "nothing set" : "indTbl of " + indTbl.length;
    }
}
