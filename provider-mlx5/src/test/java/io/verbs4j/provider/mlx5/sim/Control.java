/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;

/** The simulator's own functions, device_sim.h, in a program that was started by device-sim/run. */
final class Control {
    static final int VIOLATIONS = 0;
    static final int KEY_ERRORS = 1;
    static final int REFUSED = 2;
    static final int SENDS = 4;
    static final int RETRIES = 9;

    /** Faults. */
    static final int ERROR = 0;

    static final int RNR = 1;
    static final int DROP = 2;
    static final int DROP_ANSWER = 3;

    static final int COMMAND_ERRORS = 12;
    static final int REMARKS = 14;

    static {
        Native.register(Control.class, NativeLibrary.getProcess());
    }

    private Control() {}

    static native int device_sim_pump(int steps);

    static native int device_sim_fault(int qpn, int kind, int arg, int count);

    static native int device_sim_reorder(int depth, int seed);

    static native int device_sim_async_event(int device, int eventType, int number);

    static native int device_sim_port_state(int device, int port, int state);

    static native long device_sim_count(int counter);

    static native int device_sim_message(long to, int size);

    static native int device_sim_check_idle();

    static native long device_sim_clock();

    static native int device_sim_clock_busy(int busy);

    /** Lets the devices work until there is nothing left to do. */
    static void pump() {
        while (device_sim_pump(-1) != 0) {
            // again
        }
    }

    static native int device_sim_devx_event(int device, int event, int opcode, int number);

    /** The first line of the last violation. */
    static String message() {
        try (Memory text = new Memory(1000)) {
            device_sim_message(Pointer.nativeValue(text), 1000);
            return text.getString(0);
        }
    }

    /** {@return how many descriptors were rejected, or have bytes set that mean nothing} */
    static long violations() {
        return device_sim_count(VIOLATIONS) + device_sim_count(REMARKS);
    }

    /** Ends the program where the checker has found something. */
    static void requireNoViolation() {
        require(violations() == 0, message());
    }

    /** Ends the program where something is not as it must be. */
    static void require(boolean holds, String what) {
        if (!holds) {
            throw new IllegalStateException(what);
        }
    }
}
