/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core;

import io.verbs4j.Context;
import io.verbs4j.ContextOps;
import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.Device;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.spi.ExtendedProvider;
import java.util.Optional;

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
                closeAgain(provider, ops);
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
        lonely(ContextSlot.OPEN_XRCD, ContextSlot.CLOSE_XRCD, table).ifPresent(missing -> {
            throw Containment.broken(provider, VERB, missing, null);
        });
    }

    /** A provider that can make what it can't destroy is broken. */
    private static Optional<String> lonely(int slot, int needs, ContextTable table) {
        return table.provider(slot) == null || table.provider(needs) != null
                ? Optional.empty()
                : Optional.of("has " + ContextSlot.verb(slot) + " but not " + ContextSlot.verb(needs));
    }

    /** What was opened must not stay open behind a context that nobody gets. */
    private static void closeAgain(String provider, ContextOps ops) {
        try {
            ops.close();
        } catch (Throwable t) {
            VerbsException ignored = Containment.contain(provider, "close_device", t);
            assert ignored != null; // the exception that led here is the one to tell
        }
    }
}
