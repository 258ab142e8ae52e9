/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.spi;

import io.verbs4j.Context;
import io.verbs4j.ContextOps;
import io.verbs4j.Device;
import java.util.List;

/**
 * A provider of RDMA devices, found through {@link java.util.ServiceLoader}. <strong>Frozen</strong>: nothing is added,
 * changed or removed in any later level.
 *
 * <p>An implementation has a public constructor without arguments, does nothing of weight there or in a static
 * initialiser, and loads native code only when a device is asked for. A provider that throws, or answers nonsense, is set
 * aside with its reason, and the others go on working.
 */
public interface VerbsProvider {

    /**
     * The provider's name, for people: lower-case letters, digits and hyphens.
     *
     * @return the name, for instance {@code rxe}
     */
    String name();

    /**
     * The level the provider was written for. Must be a literal, not a constant of the header: a provider that is only
     * rebuilt does not thereby know more.
     *
     * @return the level, from 1
     */
    int level();

    /**
     * The lowest level of the library that the provider can work with, a literal too. A library below it sets the
     * provider aside.
     *
     * @return the level, 1 to {@link #level()}
     */
    int minimumLibraryLevel();

    /**
     * Lists the devices that are there now.
     *
     * @return the devices, the same instances at every call for devices that stay; may be empty
     * @throws io.verbs4j.VerbsException where they can't be listed; the message tells people why
     */
    List<? extends Device> devices();

    /**
     * Opens a device.
     *
     * @param device one of those that {@link #devices()} gave
     * @param context the context, to be handed to the constructors of its objects; not to be used before this returns
     * @return the device's verbs, new for each call
     * @throws io.verbs4j.VerbsException with the device's errno
     */
    ContextOps openDevice(Device device, Context context);
}
