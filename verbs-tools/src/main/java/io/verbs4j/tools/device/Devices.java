/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.device;

import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.PortState;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.core.Verbs;
import io.verbs4j.tools.ToolException;
import java.util.List;
import java.util.stream.Collectors;

/** The devices of this machine, through the library; tests put others in its place. */
public interface Devices {

    /** Those that the library finds. */
    Devices INSTALLED = new Devices() {
        @Override
        public List<Device> list() {
            return Verbs.devices();
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

    /** Opens one of them. */
    Context open(Device device);

    /** What became of each provider. */
    List<ProviderState> providers();

    /** What providers warn of: devices that work, and not as they should. To be asked first; what was told is not told again. */
    default List<String> warnings() {
        return List.of();
    }

    /**
     * Finds a device by its name.
     *
     * @throws ToolException where there is none of that name
     */
    default Device named(String name) {
        List<Device> all = list();
        return all.stream()
                .filter(d -> d.name().equals(name))
                .findFirst()
                .orElseThrow(() -> ToolException.notAvailable(
                        all.isEmpty() ? noDevices() : "no device '" + name + "'; there are: " + names(all)));
    }

    /**
     * Opens the device to work with.
     *
     * @param name its name; null takes the first whose port is active, else the first
     * @param port the port to be used, from 1
     * @throws ToolException where there is no such device or port
     */
    default Context openFor(String name, int port) {
        Context context = name != null ? open(named(name)) : openFirst(port);
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
     * @param name its name; null takes the first whose port is active, else the first
     * @param port the port to be used, from 1
     * @param gidIndex the entry of its GID table to be used; -1 for none
     * @throws ToolException where there is no such device, port or entry
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

    private Context openFirst(int port) {
        List<Device> all = list();
        if (all.isEmpty()) {
            throw ToolException.notAvailable(noDevices());
        }
        for (Device device : all) {
            Context context = open(device);
            if (isActive(context, port)) {
                return context;
            }
            context.close();
        }
        return open(all.get(0));
    }

    private static boolean isActive(Context context, int port) {
        try {
            return context.queryPort(port).state() == PortState.ACTIVE;
        } catch (VerbsException e) {
            return false; // the device has no such port
        }
    }

    /** Why there are none, for people. */
    default String noDevices() {
        String reasons = providers().stream()
                .filter(p -> !p.used())
                .map(p -> "\n  " + p.name() + ": " + p.reason())
                .collect(Collectors.joining());
        return "no RDMA devices found"
                + (reasons.isEmpty()
                        ? "; put a provider on the class path, for instance provider-rxe"
                        : "; set aside:" + reasons);
    }

    private static String names(List<Device> devices) {
        return devices.stream().map(Device::name).collect(Collectors.joining(", "));
    }
}
