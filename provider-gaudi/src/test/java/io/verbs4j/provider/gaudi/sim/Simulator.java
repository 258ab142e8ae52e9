/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.sim;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;

/** The simulator's own functions, device_sim.h, in a program that was started by device-sim/run. */
public final class Simulator {
    public static final int VIOLATIONS = 0;
    public static final int KEY_ERRORS = 1;
    public static final int SENDS = 4;
    public static final int DOORBELLS = 7;
    public static final int THREAD = 1;

    /** A kind of fault: ports that are set up are still being torn down. */
    public static final int PORT_BUSY = 4;

    private static final int COMMAND_ERRORS = 12;
    private static final int TEXT = 200;

    static {
        Native.register(Simulator.class, NativeLibrary.getProcess());
    }

    private Simulator() {}

    public static native int device_sim_pump(int steps);

    public static native int device_sim_mode(int mode);

    public static native long device_sim_count(int counter);

    public static native int device_sim_check_idle();

    public static native int device_sim_message(Pointer to, int size);

    public static native int device_sim_port_state(int device, int port, int state);

    public static native int device_sim_async_event(int device, int eventType, int number);

    public static native int device_sim_fault(int qpNum, int kind, int arg, int count);

    /** Of the C library, which the simulator stands in front of. */
    public static native int open(String path, int flags);

    public static native int close(int fd);

    /** Lets the devices work until there is nothing left to do. */
    public static void pump() {
        while (device_sim_pump(-1) != 0) {
            // again
        }
    }

    /** What the simulator has said last of something wrong. */
    public static String message() {
        try (Memory text = new Memory(TEXT)) {
            device_sim_message(text, TEXT);
            return text.getString(0);
        }
    }

    /** Nothing was written that a correct library does not write, and nothing that the device was not told of. */
    public static void requireClean() {
        Check.equal(0, device_sim_check_idle(), "work that was never announced");
        Check.require(device_sim_count(VIOLATIONS) == 0, "violation: " + message());
        Check.equal(0, device_sim_count(COMMAND_ERRORS), "command errors");
    }
}
