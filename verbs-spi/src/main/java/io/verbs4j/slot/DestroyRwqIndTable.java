/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.RwqIndTable;

/** The function in the slot {@link io.verbs4j.ContextSlot#DESTROY_RWQ_IND_TABLE}. */
@FunctionalInterface
public interface DestroyRwqIndTable {
    /**
     * Destroys an indirection table that no queue pair uses.
     *
     * @param table an open table
     * @throws io.verbs4j.VerbsException with the errno
     */
    void destroyRwqIndTable(RwqIndTable table);
}
