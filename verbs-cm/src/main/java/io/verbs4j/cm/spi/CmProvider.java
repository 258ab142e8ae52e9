/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.spi;

import io.verbs4j.Context;

/**
 * A connection manager for some devices, found through {@link java.util.ServiceLoader}.
 *
 * <p>Providers found this way come first. Next comes the device, which may return its own provider from {@link
 * io.verbs4j.Context#vendor}, as native devices do. Otherwise a device that has a {@link GsiPort} gets the connection
 * manager in Java.
 */
public interface CmProvider {
    /**
     * Returns whether this is the connection manager of an open device.
     *
     * @param context the open device
     * @return true if {@link #create} makes ends on it
     */
    boolean serves(Context context);

    /**
     * Makes an end. It counts as an open object of the device: until it is closed, closing the context fails with
     * {@link io.verbs4j.Errno#EBUSY}.
     *
     * @param context the open device
     * @param portSpace a {@link io.verbs4j.cm.PortSpace}
     * @param sink receives the end's events
     * @return a new end, not bound to an address
     * @throws io.verbs4j.VerbsException {@link io.verbs4j.Errno#EOPNOTSUPP} for an unsupported port space
     */
    CmEndpoint create(Context context, int portSpace, CmSink sink);
}
