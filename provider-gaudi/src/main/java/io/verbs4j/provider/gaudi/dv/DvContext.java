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
 * The open NICs of a Gaudi, as hbldv sees them.
 *
 * @param <P> hbldv's attributes of a port, which this package does not know
 * @param <F> hbldv's attributes of a FIFO
 */
public abstract class DvContext<P, F> extends VendorContext {
    /**
     * Opens a device by a function.
     *
     * @param open takes the {@code struct ibv_device}, and returns the {@code struct ibv_context} or 0
     */
    protected DvContext(NativeDevice device, Context context, LongUnaryOperator open) {
        super(device, context, open);
    }

    /** Returns the release of the loaded libhbl. */
    public abstract Layout layout();

    /** Returns the open ports as a mask: bit 1 is port 1. */
    public abstract long portsMask();

    /**
     * Returns the open ports that lead out of the server: bit 1 is port 1. Some releases report them; for others, they
     * are found by the number of GIDs.
     */
    public abstract long externalPorts();

    /** Returns whether a port leads to another card of the server. */
    public abstract boolean isInternal(String verb, int port);

    /** Sets up a port, unless it is already set up. */
    public abstract void prepare(String verb, int port);

    /** Sets up a port with the program's attributes. */
    public abstract void setPort(P attr);

    /** Creates a FIFO on a port that is set up. */
    public abstract FifoPlace createFifo(F attr);

    /** Notes a queue pair's new number on the wire. */
    public abstract void migrated(IbvQp qp, int number);

    /**
     * Refuses what the loaded library does not read and would silently ignore.
     *
     * @throws VerbsException {@link Errno#ENOSYS} if {@code does} is false
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
