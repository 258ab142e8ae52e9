/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.rdmacore;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;

/** The simulator that {@code device-sim/run} has put into this process: {@code device_sim.h}. */
final class DeviceSim {
    /** Counter: descriptors that no correct library writes. */
    static final int VIOLATIONS = 0;
    /** Counter: wrong keys and bounds. */
    static final int KEY_ERRORS = 1;

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
}
