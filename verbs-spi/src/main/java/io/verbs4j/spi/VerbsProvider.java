/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.spi;

import io.verbs4j.Context;
import io.verbs4j.ContextOps;
import io.verbs4j.Device;
import java.util.List;

/**
 * A provider of RDMA devices, found through {@link java.util.ServiceLoader}. <strong>Frozen</strong>: no later level
 * adds, changes or removes anything.
 *
 * <p>An implementation has a public constructor without arguments, does no expensive work there or in a static
 * initialiser, and loads native code only when devices are requested. The library disables a provider that throws or
 * returns invalid results, records the reason, and continues with the others.
 */
public interface VerbsProvider {

    /**
     * Returns the provider's name, for people: lower-case letters, digits and hyphens.
     *
     * @return the name, for instance {@code rxe}
     */
    String name();

    /**
     * Returns the level that the provider was written for. It must be a literal, not a constant of the header, because
     * a provider does not know more just by being rebuilt.
     *
     * @return the level, from 1
     */
    int level();

    /**
     * Returns the lowest level of the library that the provider can work with; a literal, too. An older library
     * disables the provider.
     *
     * @return the level, 1 to {@link #level()}
     */
    int minimumLibraryLevel();

    /**
     * Lists the devices that are present now.
     *
     * @return the devices, the same instances at every call for devices that stay; may be empty
     * @throws io.verbs4j.VerbsException if they cannot be listed; the message says why
     */
    List<? extends Device> devices();

    /**
     * Opens a device.
     *
     * @param device one of those that {@link #devices()} returned
     * @param context the context, to pass to the constructors of its objects; it must not be used before this method
     *     returns
     * @return the device's verbs, new for each call
     * @throws io.verbs4j.VerbsException with the device's errno
     */
    ContextOps openDevice(Device device, Context context);
}
