/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.spi;

import io.verbs4j.Context;

/**
 * A connection manager of some devices; found through {@link java.util.ServiceLoader}. Those that are found are asked first; then the device, which may hand out
 * its own by {@link io.verbs4j.Context#vendor}, as native ones do. A device without gets the connection manager in Java, where it has a {@link GsiPort}.
 */
public interface CmProvider {
    /**
     * Whether this is the connection manager of an open device.
     *
     * @param context the open device
     * @return true where {@link #create} makes ends on it
     */
    boolean serves(Context context);

    /**
     * Makes an end. It counts among what the device has open: until it is closed, closing the context answers {@link
     * io.verbs4j.Errno#EBUSY}.
     *
     * @param context the open device
     * @param portSpace a {@link io.verbs4j.cm.PortSpace}
     * @param sink told what happens to the end
     * @return a new end, not bound to an address
     * @throws io.verbs4j.VerbsException {@link io.verbs4j.Errno#EOPNOTSUPP} for a port space that it does not have
     */
    CmEndpoint create(Context context, int portSpace, CmSink sink);
}
