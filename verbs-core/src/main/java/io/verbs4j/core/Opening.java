/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core;

import io.verbs4j.Context;
import io.verbs4j.ContextOps;
import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.Device;
import io.verbs4j.VerbsLevel;
import io.verbs4j.spi.ExtendedProvider;

/**
 * Opens a device: the negotiation between library and provider.
 *
 * <ol>
 *   <li>The library makes the table, as large as it knows slots.
 *   <li>The provider opens the device and returns the verbs of level 1.
 *   <li>An extended provider fills its side of the table, as far as that reaches.
 *   <li>The library looks at what was filled in, fills its own side, and seals the table.
 * </ol>
 */
final class Opening {
    private static final String VERB = "open_device";

    private Opening() {}

    static Context open(Found owner, Device device, int callerLevel) {
        ContextTable table = new ContextTable(ContextSlot.LEVEL_2_COUNT);
        Parties parties = new Parties(callerLevel, owner.identity());
        LibraryContext context = new LibraryContext(device, parties, table);
        String provider = owner.identity().name();
        ContextOps ops = openBy(owner, device, context);
        boolean complete = false;
        try {
            if (owner.identity().level() >= VerbsLevel.EXTENDED
                    && owner.provider() instanceof ExtendedProvider extended) {
                extend(extended, provider, ops, table);
            }
            context.opened(provider, ops);
            complete = true;
        } finally {
            if (!complete) {
                closeAgain(ops);
            }
        }
        return context;
    }

    private static ContextOps openBy(Found owner, Device device, Context context) {
        String provider = owner.identity().name();
        ContextOps ops;
        try {
            ops = owner.provider().openDevice(device, context);
        } catch (Throwable t) {
            throw Containment.contain(provider, VERB, t);
        }
        if (ops == null) {
            throw Containment.broken(provider, VERB, "returned null", null);
        }
        return ops;
    }

    private static void extend(ExtendedProvider extended, String provider, ContextOps ops, ContextTable table) {
        try {
            extended.initContext(ops, table);
        } catch (Throwable t) {
            throw Containment.contain(provider, VERB, t);
        }
        for (int slot = 0; slot < table.size(); slot++) {
            Object function = table.provider(slot);
            Class<?> type = Slots.type(slot);
            if (function != null && !type.isInstance(function)) {
                throw Containment.broken(
                        provider,
                        VERB,
                        "put a " + function.getClass().getName() + " into the slot of " + ContextSlot.verb(slot)
                                + ", which takes a " + type.getName(),
                        null);
            }
        }
        // A provider that can make what it can't destroy is broken.
        if (table.provider(ContextSlot.OPEN_XRCD) != null && table.provider(ContextSlot.CLOSE_XRCD) == null) {
            throw Containment.broken(provider, VERB, "has open_xrcd but not close_xrcd", null);
        }
    }

    /** What was opened must not stay open behind a context that nobody gets. */
    private static void closeAgain(ContextOps ops) {
        try {
            ops.close();
        } catch (Throwable t) {
            Containment.rethrowFatal(t); // else the exception that led here is the one to tell
        }
    }
}
