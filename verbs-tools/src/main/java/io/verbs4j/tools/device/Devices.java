/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.device;

import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.VerbsLevel;
import io.verbs4j.core.Verbs;
import io.verbs4j.tools.base.ToolException;
import java.util.List;

/** The devices of this machine, found by the library; tests replace them. */
public interface Devices {

    /** The devices that the library finds. */
    Devices INSTALLED = new Devices() {
        @Override
        public List<Device> list() {
            return Verbs.devices();
        }

        @Override
        public Device named(String name) {
            return Verbs.device(name);
        }

        @Override
        public Device defaultDevice() {
            return Verbs.defaultDevice();
        }

        @Override
        public Context open(Device device) {
            return Verbs.open(device, VerbsLevel.CURRENT);
        }

        @Override
        public List<ProviderState> providers() {
            return Verbs.report().entries().stream().map(ProviderState::of).toList();
        }

        @Override
        public List<String> warnings() {
            System.setProperty("io.verbs4j.rxe.check", "true");
            Warnings warnings = new Warnings();
            try {
                Verbs.devices();
                return warnings.messages();
            } finally {
                warnings.close();
            }
        }
    };

    /** {@return the devices, in the library's order} */
    List<Device> list();

    /**
     * Finds a device by its name.
     *
     * @throws io.verbs4j.VerbsException ENODEV if there is none; the message has the report on the providers
     */
    Device named(String name);

    /**
     * Finds the default device.
     *
     * @throws io.verbs4j.VerbsException ENODEV if there is none; the message says why, and has the report on the
     *     providers
     */
    Device defaultDevice();

    /** Opens a device. */
    Context open(Device device);

    /** {@return the state of each provider} */
    List<ProviderState> providers();

    /**
     * {@return warnings of providers: devices that work, but not as they should} Call it before the other methods;
     * providers give each warning only once.
     */
    default List<String> warnings() {
        return List.of();
    }

    /**
     * Opens the device to work with.
     *
     * @param name its name; null for the default device
     * @param port the port to be used, from 1
     * @throws io.verbs4j.VerbsException ENODEV if there is no such device
     * @throws ToolException if it has no such port
     */
    default Context openFor(String name, int port) {
        Context context = open(name != null ? named(name) : defaultDevice());
        return checked(context, () -> {
            int ports = context.queryDevice().physPortCnt();
            if (port > ports) {
                throw ToolException.usage("-i " + port + ": " + context.device() + " has ports 1 to " + ports);
            }
        });
    }

    /**
     * Opens the device to work with.
     *
     * @param name its name; null for the default device
     * @param port the port to be used, from 1
     * @param gidIndex the entry of its GID table to be used; -1 for none
     * @throws io.verbs4j.VerbsException ENODEV if there is no such device
     * @throws ToolException if it has no such port or entry
     */
    default Context openFor(String name, int port, int gidIndex) {
        Context context = openFor(name, port);
        return checked(context, () -> {
            int entries = context.queryPort(port).gidTblLen();
            if (gidIndex >= entries) {
                throw ToolException.usage("-g " + gidIndex + ": the GID table of port " + port + " of "
                        + context.device() + " has entries 0 to " + (entries - 1));
            }
        });
    }

    /** {@return the context if it passes a check} Closes it if the check throws. */
    private static Context checked(Context context, Runnable check) {
        boolean passed = false;
        try {
            check.run();
            passed = true;
            return context;
        } finally {
            if (!passed) {
                context.close();
            }
        }
    }
}
