/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.GidEntry;

/** The function in the slot {@link io.verbs4j.ContextSlot#QUERY_GID_EX}. Frozen. */
@FunctionalInterface
public interface QueryGidEx {
    /**
     * Reads an entry of a port's GID table.
     *
     * @param portNum port number, from 1
     * @param gidIndex index of the entry, from 0
     * @param flags the provider rejects bits that it does not know; none are defined
     * @param entry receives the entry
     * @throws io.verbs4j.VerbsException with the errno
     */
    void queryGidEx(int portNum, int gidIndex, int flags, GidEntry entry);
}
