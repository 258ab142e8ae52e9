/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import io.verbs4j.slot.DestroyRwqIndTable;
import java.util.Objects;

/**
 * An indirection table: the work queues over which a queue pair spreads its packets,
 * {@link QpInitAttrEx#rwqIndTbl(RwqIndTable)}.
 *
 * <p>Providers subclass it. Since level 4. Source: {@code ibv_create_rwq_ind_table(3)}.
 */
public abstract class RwqIndTable extends VerbsObject {
    private final WorkQueue[] indTbl;
    private final int indTblNum;

    /**
     * Creates the handle; for providers.
     *
     * @param context context that the table belongs to
     * @param attr attributes it is created with
     * @param indTblNum its number
     */
    protected RwqIndTable(Context context, RwqIndTableInitAttr attr, int indTblNum) {
        super(Objects.requireNonNull(context, "context"));
        this.indTbl = attr.indTbl();
        this.indTblNum = indTblNum;
    }

    /** {@return the number of entries; a work queue that the table contains twice counts twice} */
    public final int size() {
        return indTbl.length;
    }

    /**
     * Returns a work queue of the table.
     *
     * @param index 0 to {@link #size()} minus 1
     * @return the work queue
     */
    public final WorkQueue workQueue(int index) {
        return indTbl[index];
    }

    /** {@return the number of the table} */
    public final int indTblNum() {
        return indTblNum;
    }

    /**
     * Destroys the table. Source: {@code ibv_destroy_rwq_ind_table(3)}.
     *
     * @throws VerbsException {@link Errno#EBUSY} while queue pairs use it
     */
    @Override
    public final void close() {
        Extension.require(context(), ContextSlot.DESTROY_RWQ_IND_TABLE, DestroyRwqIndTable.class)
                .destroyRwqIndTable(this);
    }

    @Override
    public final String toString() {
        return "indirection table of " + indTbl.length + " work queues on "
                + context().device();
    }
}
