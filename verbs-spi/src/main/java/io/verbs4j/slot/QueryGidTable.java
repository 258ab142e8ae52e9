/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.AttrArray;

/** The function in the slot {@link io.verbs4j.ContextSlot#QUERY_GID_TABLE}. Frozen. */
@FunctionalInterface
public interface QueryGidTable {
    /**
     * Reads the GID tables of all ports, without the empty entries.
     *
     * @param flags the provider rejects bits that it does not know; none are defined
     * @param entries receives the entries; the words of an element are those of {@link io.verbs4j.GidEntry}
     * @return the number of entries filled
     * @throws io.verbs4j.VerbsException with the errno
     */
    int queryGidTable(int flags, AttrArray entries);
}
