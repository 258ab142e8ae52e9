/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.RwqIndTable;
import io.verbs4j.RwqIndTableInitAttr;

/** The function in the slot {@link io.verbs4j.ContextSlot#CREATE_RWQ_IND_TABLE}. */
@FunctionalInterface
public interface CreateRwqIndTable {
    /**
     * Creates an indirection table.
     *
     * @param attr its work queues: open ones of this context, a power of two of them
     * @return the new table
     * @throws io.verbs4j.VerbsException with the errno
     */
    RwqIndTable createRwqIndTable(RwqIndTableInitAttr attr);
}
