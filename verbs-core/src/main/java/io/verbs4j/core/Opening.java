/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core;

import io.verbs4j.Context;
import io.verbs4j.ContextOps;
import io.verbs4j.Device;
import io.verbs4j.Errno;
import io.verbs4j.OpenAttr;
import io.verbs4j.OpenAttrMask;
import io.verbs4j.VerbsException;

/**
 * Opens a device: the provider opens it, and has honoured what it was opened with; else it is closed again, with words.
 */
final class Opening {
    private static final String VERB = "open_device";

    private Opening() {}

    static Context open(Found owner, Device device, OpenAttr attr) {
        LibraryContext context = new LibraryContext(device, attr);
        String provider = owner.identity().name();
        ContextOps ops = openBy(owner, device, context);
        boolean complete = false;
        try {
            requireHonoured(context, provider, attr);
            context.records.opened(owner.identity(), ops);
            complete = true;
        } finally {
            if (!complete) {
                closeAgain(ops);
            }
        }
        return context;
    }

    private static ContextOps openBy(Found owner, Device device, Context context) {
        ContextOps ops;
        try {
            ops = owner.provider().openDevice(device, context);
        } catch (Throwable t) {
            throw Containment.contain(owner.identity(), VERB, t);
        }
        if (ops == null) {
            throw Containment.broken(owner.identity().name(), VERB, "returned null", null);
        }
        return ops;
    }

    /** A provider that does not know the attributes does not refuse them either. */
    private static void requireHonoured(LibraryContext context, String provider, OpenAttr attr) {
        if (!context.records.openAttrAccepted()) {
            String second =
                    attr.compMask2() == 0 ? "" : " and 0x" + Long.toHexString(attr.compMask2()) + " of the second mask";
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    VERB,
                    "provider '" + provider + "' has not honoured all of OpenAttr: "
                            + OpenAttrMask.toString(attr.compMask()) + second
                            + " are given; open the device without, or take a provider that knows them");
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
