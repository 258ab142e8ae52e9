/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;

/** The simulator's own functions, device_sim.h, in a program that was started by device-sim/run. */
final class Control {
    static final int VIOLATIONS = 0;
    static final int KEY_ERRORS = 1;
    static final int REFUSED = 2;
    static final int SENDS = 4;
    static final int COMMAND_ERRORS = 12;

    static {
        Native.register(Control.class, NativeLibrary.getProcess());
    }

    private Control() {}

    static native int device_sim_pump(int steps);

    static native long device_sim_count(int counter);

    static native int device_sim_message(long to, int size);

    static native int device_sim_check_idle();

    static native int device_sim_devx_event(int device, int event, int opcode, int number);

    /** The first line of the last violation. */
    static String message() {
        try (Memory text = new Memory(1000)) {
            device_sim_message(com.sun.jna.Pointer.nativeValue(text), 1000);
            return text.getString(0);
        }
    }
}
