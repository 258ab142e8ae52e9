/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import io.verbs4j.Context;
import io.verbs4j.ContextOps;
import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.Device;
import io.verbs4j.Errno;
import io.verbs4j.OpenAttr;
import io.verbs4j.OpenAttrMask;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.core.base.Containment;
import io.verbs4j.core.base.ProviderIdentity;
import io.verbs4j.core.flight.DeviceOpenEvent;
import io.verbs4j.core.flight.FlightRecording;
import io.verbs4j.spi.ExtendedProvider;
import io.verbs4j.spi.VerbsProvider;

/**
 * Opens a device: the negotiation between library and provider.
 *
 * <ol>
 *   <li>The library creates the table, with as many slots as it knows.
 *   <li>The provider opens the device and returns the verbs of level 1; it has honoured the attributes that it accepts.
 *   <li>An extended provider fills a table of its own, of the same size.
 *   <li>The library checks what was filled in, copies it, fills its own side, and seals the table.
 * </ol>
 */
public final class Opening {
    private static final String VERB = "open_device";

    private Opening() {}

    /** Opens a device of a provider, for a program that was compiled for {@code callerLevel}. */
    public static Context open(
            VerbsProvider provider, ProviderIdentity identity, Device device, int callerLevel, OpenAttr attr) {
        DeviceOpenEvent event = FlightRecording.opening(device, identity.name(), callerLevel);
        if (event == null) {
            return negotiate(provider, identity, device, callerLevel, attr);
        }
        try {
            return negotiate(provider, identity, device, callerLevel, attr);
        } catch (VerbsException e) {
            event.failed(e);
            throw e;
        } finally {
            event.commit();
        }
    }

    private static Context negotiate(
            VerbsProvider provider, ProviderIdentity identity, Device device, int callerLevel, OpenAttr attr) {
        ContextTable table = new ContextTable(ContextSlot.LEVEL_4_COUNT);
        Parties parties = new Parties(callerLevel, identity);
        LibraryContext context = new LibraryContext(device, attr, parties, table);
        ContextOps ops = openBy(provider, identity, device, context);
        boolean complete = false;
        try {
            requireHonoured(context, identity.name(), attr);
            if (identity.level() >= VerbsLevel.EXTENDED && provider instanceof ExtendedProvider extended) {
                extend(extended, identity, ops, table);
            }
            context.records.opened(identity, ops);
            complete = true;
        } finally {
            if (!complete) {
                closeAgain(ops);
            }
        }
        return context;
    }

    private static ContextOps openBy(
            VerbsProvider provider, ProviderIdentity identity, Device device, Context context) {
        ContextOps ops;
        try {
            ops = provider.openDevice(device, context);
        } catch (Throwable t) {
            throw Containment.contain(identity, VERB, t);
        }
        if (ops == null) {
            throw Containment.broken(identity.name(), VERB, "returned null", null);
        }
        return ops;
    }

    /** Checks that the attributes were honoured: a provider that does not know them does not refuse them either. */
    private static void requireHonoured(LibraryContext context, String provider, OpenAttr attr) {
        if (!context.records.openAttrAccepted()) {
            String second =
                    attr.compMask2() == 0 ? "" : " and 0x" + Long.toHexString(attr.compMask2()) + " in the second mask";
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    VERB,
                    "provider '" + provider + "' did not honour all of OpenAttr: it was given "
                            + OpenAttrMask.toString(attr.compMask()) + second
                            + "; open the device without these, or use a provider that knows them");
        }
    }

    /** Lets the provider fill a table of its own, so that only the library can fill and seal the library's. */
    private static void extend(
            ExtendedProvider extended, ProviderIdentity identity, ContextOps ops, ContextTable table) {
        String provider = identity.name();
        ContextTable offered = new ContextTable(table.size());
        try {
            extended.initContext(ops, offered);
        } catch (Throwable t) {
            throw Containment.contain(identity, VERB, t);
        }
        for (int slot = 0; slot < table.size(); slot++) {
            Object function = offered.provider(slot);
            table.fillProvider(slot, function);
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
        // A provider that can make what it can't destroy is broken: neither the object nor the context could be closed.
        String unpaired = Slots.unpaired(table);
        if (!unpaired.isEmpty()) {
            throw Containment.broken(provider, VERB, unpaired, null);
        }
    }

    /** Closes what was opened if nobody gets the context. */
    private static void closeAgain(ContextOps ops) {
        try {
            ops.close();
        } catch (Throwable t) {
            Containment.rethrowFatal(t); // otherwise the exception that led here is reported
        }
    }
}
