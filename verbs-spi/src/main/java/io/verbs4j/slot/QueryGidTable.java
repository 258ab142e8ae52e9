/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.AttrArray;

/** What is in the slot {@link io.verbs4j.ContextSlot#QUERY_GID_TABLE}. Frozen. */
@FunctionalInterface
public interface QueryGidTable {
    /**
     * Reads the GID tables of all ports, without the empty entries.
     *
     * @param flags the provider refuses bits that it does not know; none is defined
     * @param entries to be filled; the words of an element are those of {@link io.verbs4j.GidEntry}
     * @return how many entries were filled
     * @throws io.verbs4j.VerbsException with the errno
     */
    int queryGidTable(int flags, AttrArray entries);
}
