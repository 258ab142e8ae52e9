/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.rdmacore;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.VerbsLevel;
import io.verbs4j.core.Verbs;
import java.util.List;

/** The simulator that {@code device-sim/run} has loaded into this process; see {@code device_sim.h}. */
final class DeviceSim {
    /** Name of the device. */
    static final String NAME = "mlx5_0";

    private static final String EFA = "efa_0";

    /** Counter of descriptors that no correct library writes. */
    private static final int VIOLATIONS = 0;

    /** Counter of wrong keys and bounds. */
    private static final int KEY_ERRORS = 1;

    static {
        Native.register(DeviceSim.class, NativeLibrary.getProcess());
    }

    private DeviceSim() {}

    static native int device_sim_pump(int steps);

    static native long device_sim_count(int counter);

    /** Lets the devices work until nothing is left to do. */
    static void pump() {
        device_sim_pump(-1);
    }

    /** Throws if a device has refused a descriptor or a key. */
    static void check() {
        if (device_sim_count(VIOLATIONS) != 0 || device_sim_count(KEY_ERRORS) != 0) {
            throw new IllegalStateException("the device refused a descriptor or a key");
        }
    }

    /** Opens the simulated device. */
    static Context open() {
        return Verbs.open(find(Verbs.devices(), Verbs.report()), VerbsLevel.runtime());
    }

    /** Finds the simulated device in a list. */
    static Device find(List<Device> devices, Object report) {
        String name = Conditions.current().isEfa() ? EFA : NAME;
        return devices.stream()
                .filter(d -> d.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("there is no " + name + ": " + report));
    }
}
