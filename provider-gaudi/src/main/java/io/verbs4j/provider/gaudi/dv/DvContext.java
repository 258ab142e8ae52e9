/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.dv;

import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.rdmacore.NativeDevice;
import io.verbs4j.rdmacore.VendorContext;
import io.verbs4j.rdmacore.object.IbvQp;
import java.util.function.LongUnaryOperator;

/**
 * The open NICs of a Gaudi, as far as hbldv needs to know them.
 *
 * @param <P> hbldv's attributes of a port, which this package does not know
 * @param <F> those of a FIFO
 */
public abstract class DvContext<P, F> extends VendorContext {
    /**
     * Opens a device by a function.
     *
     * @param open gets the {@code struct ibv_device}, and returns the {@code struct ibv_context} or 0
     */
    protected DvContext(NativeDevice device, Context context, LongUnaryOperator open) {
        super(device, context, open);
    }

    /** Which release the loaded libhbl is of. */
    public abstract Layout layout();

    /** The ports that are open, as a mask: bit 1 is port 1. */
    public abstract long portsMask();

    /** Those ports that lead out of the server: bit 1 is port 1. Some releases tell, and of others the tables of GIDs do. */
    public abstract long externalPorts();

    /** Whether a port leads to another card. */
    public abstract boolean isInternal(String verb, int port);

    /** Sets a port up, unless that was done. */
    public abstract void prepare(String verb, int port);

    /** Sets a port up as the program says. */
    public abstract void setPort(P attr);

    /** Makes a FIFO; its port is set up. */
    public abstract FifoPlace createFifo(F attr);

    /** Tells a queue pair that it has got another number on the wire. */
    public abstract void migrated(IbvQp qp, int number);

    /**
     * Refuses what the loaded library does not read, and would ignore.
     *
     * @throws VerbsException {@link Errno#ENOSYS} unless it does
     */
    public final void requireRelease(String verb, String what, boolean does, String who) {
        if (!does) {
            throw new VerbsException(
                    Errno.ENOSYS,
                    verb,
                    what + ": the loaded libhbl is " + layout() + ", which does not have that; " + who);
        }
    }
}
