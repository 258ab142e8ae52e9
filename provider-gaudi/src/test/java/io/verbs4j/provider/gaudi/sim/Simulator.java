/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.sim;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;

/** The simulator's own functions, device_sim.h, in a program that was started by device-sim/run. */
final class Simulator {
    private static final int VIOLATIONS = 0;
    private static final int COMMAND_ERRORS = 12;

    static {
        Native.register(Simulator.class, NativeLibrary.getProcess());
    }

    private Simulator() {}

    static native int device_sim_pump(int steps);

    static native int device_sim_port_state(int device, int port, int state);

    static native long device_sim_count(int counter);

    static native int device_sim_check_idle();

    /** Lets the devices work until there is nothing left to do. */
    static void pump() {
        while (device_sim_pump(-1) != 0) {
            // again
        }
    }

    /** Ends a program: nothing was written that a correct library does not write, and nothing that the device was not told of. */
    static void requireClean() {
        Check.equal(0, device_sim_check_idle(), "work that was never announced");
        Check.equal(0, device_sim_count(VIOLATIONS), "violations");
        Check.equal(0, device_sim_count(COMMAND_ERRORS), "command errors");
    }
}
