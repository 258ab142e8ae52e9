/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import io.verbs4j.ContextAttr;
import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.core.base.LibraryLevel;
import io.verbs4j.core.base.Origin;
import io.verbs4j.core.base.ProviderIdentity;

/**
 * The program and the provider of a context.
 *
 * @param callerLevel the level that the program was compiled for
 */
record Parties(int callerLevel, ProviderIdentity provider) {

    /** Fills in everything that the caller can ask for. */
    void describe(ContextAttr attr, ContextTable table) {
        attr.offer(ContextAttr.CALLER_LEVEL, callerLevel);
        attr.offer(ContextAttr.LIBRARY_LEVEL, LibraryLevel.CURRENT);
        attr.offer(ContextAttr.LIBRARY_ORIGIN, Origin.of(LibraryLevel.class));
        attr.offer(ContextAttr.PROVIDER_NAME, provider.name());
        attr.offer(ContextAttr.PROVIDER_LEVEL, provider.level());
        attr.offer(ContextAttr.PROVIDER_ORIGIN, provider.location());
        attr.offer(ContextAttr.TABLE_SIZE, table.size());
        for (int slot = 0; slot < table.size(); slot++) {
            long library = table.library(slot) == null ? 0 : ContextAttr.LIBRARY_HAS;
            long provided = table.provider(slot) == null ? 0 : ContextAttr.PROVIDER_HAS;
            attr.slots().offer(slot, ContextAttr.SLOT_LEVEL, ContextSlot.level(slot));
            attr.slots().offer(slot, ContextAttr.SLOT_STATE, library | provided);
        }
    }
}
