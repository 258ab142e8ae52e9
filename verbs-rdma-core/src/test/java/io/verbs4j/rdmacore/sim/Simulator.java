/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.sim;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;

/** The functions of the simulator, device_sim.h, for a program that {@code device-sim/run} has started. */
public final class Simulator {
    /** Counters, for {@link #device_sim_count}. */
    public static final int VIOLATIONS = 0;

    public static final int KEY_ERRORS = 1;
    public static final int REFUSED = 2;
    public static final int SENDS = 4;
    public static final int DOORBELLS = 7;
    public static final int RETRIES = 9;
    public static final int COMMAND_ERRORS = 12;
    public static final int REMARKS = 14;

    /** Faults, for {@link #device_sim_fault}. */
    public static final int ERROR = 0;

    public static final int RNR = 1;
    public static final int DROP = 2;
    public static final int DROP_ANSWER = 3;

    /** Gaudi: the next ports to be set up are still being torn down. */
    public static final int PORT_BUSY = 4;

    /** The mode in which a thread of the simulator runs the devices. */
    public static final int THREAD = 1;

    private static final int TEXT = 1000;

    static {
        Native.register(Simulator.class, NativeLibrary.getProcess());
    }

    private Simulator() {}

    public static native int device_sim_pump(int steps);

    public static native int device_sim_mode(int mode);

    public static native int device_sim_fault(int qpNum, int kind, int arg, int count);

    public static native int device_sim_reorder(int depth, int seed);

    public static native int device_sim_async_event(int device, int eventType, int number);

    public static native int device_sim_port_state(int device, int port, int state);

    public static native int device_sim_devx_event(int device, int event, int opcode, int number);

    public static native long device_sim_count(int counter);

    public static native int device_sim_message(long to, int size);

    public static native int device_sim_check_idle();

    public static native long device_sim_clock();

    public static native int device_sim_clock_busy(int busy);

    /** Runs the devices until nothing is left to do. */
    public static void pump() {
        while (device_sim_pump(-1) != 0) {
            // again
        }
    }

    /** {@return the first line of the last violation, remark, key error or command error} */
    public static String message() {
        try (Memory text = new Memory(TEXT)) {
            device_sim_message(Pointer.nativeValue(text), TEXT);
            return text.getString(0);
        }
    }

    /** {@return the number of descriptors that were rejected, or that have meaningless bytes set} */
    public static long violations() {
        return device_sim_count(VIOLATIONS) + device_sim_count(REMARKS);
    }

    /** Fails if the checker has rejected a descriptor or remarked on one. */
    public static void requireNoViolation() {
        Check.require(violations() == 0, message());
    }

    /** Fails if work was never announced, a descriptor was rejected or a command failed. */
    public static void requireClean() {
        Check.equal(0, device_sim_check_idle(), "work without a doorbell");
        Check.require(device_sim_count(VIOLATIONS) == 0, "violation: " + message());
        Check.equal(0, device_sim_count(COMMAND_ERRORS), "command errors");
    }
}
