/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.ContextAttr;
import io.verbs4j.ContextOps;
import io.verbs4j.ContextTable;
import io.verbs4j.Device;
import io.verbs4j.ExtendedContext;
import java.util.concurrent.atomic.AtomicInteger;

/** The kit in the library's place: shows the provider a table of any size, and sees what it does with the context. */
final class DirectContext extends ExtendedContext {
    private final ContextTable table;
    private final AtomicInteger uses = new AtomicInteger();
    private volatile ContextOps ops;

    DirectContext(Device device, int tableSize) {
        super(device);
        table = new ContextTable(tableSize);
    }

    @Override
    protected ContextTable table() {
        uses.incrementAndGet();
        return table;
    }

    /** The same table, for the kit itself. */
    ContextTable shown() {
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

    DirectContext opened(ContextOps providerOps) {
        ops = providerOps;
        return this;
    }

    /** How often the provider has used it. */
    int uses() {
        return uses.get();
    }
}
