/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.ContextAttr;
import io.verbs4j.ContextOps;
import io.verbs4j.ContextTable;
import io.verbs4j.Device;
import io.verbs4j.ExtendedContext;
import io.verbs4j.OpenAttr;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stands in for the library: gives the provider a table of any size, and records what it does with the context. The
 * recorded state is in fields, because the names of methods on handles are reserved for the header.
 */
final class DirectContext extends ExtendedContext {
    /** The table that the provider sees. */
    final ContextTable table;

    /** How often the provider has used the context. */
    final AtomicInteger uses = new AtomicInteger();

    /** The provider's functions, once it has opened the device. */
    volatile ContextOps ops;

    DirectContext(Device device, int tableSize) {
        super(device, new OpenAttr());
        table = new ContextTable(tableSize);
    }

    @Override
    protected ContextTable table() {
        uses.incrementAndGet();
        return table;
    }

    @Override
    protected void queryContext(ContextAttr attr) {
        uses.incrementAndGet();
    }

    @Override
    protected ContextOps libraryOps() {
        uses.incrementAndGet();
        return ops;
    }
}
