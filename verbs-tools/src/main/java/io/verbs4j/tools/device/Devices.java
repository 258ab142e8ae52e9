/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.device;

import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.VerbsLevel;
import io.verbs4j.core.Verbs;
import io.verbs4j.tools.base.ToolException;
import java.util.List;

/** The devices of this machine, through the library; tests put others in its place. */
public interface Devices {

    /** Those that the library finds. */
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

    /** The devices, in the order in which the library gives them. */
    List<Device> list();

    /**
     * Finds a device by its name.
     *
     * @throws io.verbs4j.VerbsException ENODEV where there is none; the message has the report on the providers
     */
    Device named(String name);

    /**
     * Finds the device to take where none is named.
     *
     * @throws io.verbs4j.VerbsException ENODEV where there is none; the message tells why, and has the report on the providers
     */
    Device defaultDevice();

    /** Opens one of them. */
    Context open(Device device);

    /** What became of each provider. */
    List<ProviderState> providers();

    /** What providers warn of: devices that work, and not as they should. To be asked first; what was told is not told again. */
    default List<String> warnings() {
        return List.of();
    }

    /**
     * Opens the device to work with.
     *
     * @param name its name; null takes the default device
     * @param port the port to be used, from 1
     * @throws io.verbs4j.VerbsException ENODEV where there is no such device
     * @throws ToolException where it has no such port
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
     * @param name its name; null takes the default device
     * @param port the port to be used, from 1
     * @param gidIndex the entry of its GID table to be used; -1 for none
     * @throws io.verbs4j.VerbsException ENODEV where there is no such device
     * @throws ToolException where it has no such port or entry
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

    /** The context, where it passes a check; closed where it does not, or can't be asked. */
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
