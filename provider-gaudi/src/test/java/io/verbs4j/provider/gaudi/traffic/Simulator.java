/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.traffic;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;

/** The simulator's own functions, device_sim.h, in a program that was started by device-sim/run. */
final class Simulator {
    static final int VIOLATIONS = 0;
    static final int KEY_ERRORS = 1;
    static final int SENDS = 4;
    static final int DOORBELLS = 7;
    static final int THREAD = 1;

    private static final int COMMAND_ERRORS = 12;
    private static final int TEXT = 200;

    static {
        Native.register(Simulator.class, NativeLibrary.getProcess());
    }

    private Simulator() {}

    static native int device_sim_pump(int steps);

    static native int device_sim_mode(int mode);

    static native long device_sim_count(int counter);

    static native int device_sim_check_idle();

    static native int device_sim_message(Pointer to, int size);

    static native int device_sim_port_state(int device, int port, int state);

    /** Lets the devices work until there is nothing left to do. */
    static void pump() {
        while (device_sim_pump(-1) != 0) {
            // again
        }
    }

    /** What the simulator has said last of something wrong. */
    static String message() {
        try (Memory text = new Memory(TEXT)) {
            device_sim_message(text, TEXT);
            return text.getString(0);
        }
    }

    /** Nothing was written that a correct library does not write, and nothing that the device was not told of. */
    static void requireClean() {
        Check.equal(0, device_sim_check_idle(), "work that was never announced");
        Check.require(device_sim_count(VIOLATIONS) == 0, "violation: " + message());
        Check.equal(0, device_sim_count(COMMAND_ERRORS), "command errors");
    }
}
