/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import com.sun.jna.Native;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;

/** Reads event descriptors as an event loop outside of Java would. */
final class EventDescriptors {
    private static final short POLLIN = 1;
    private static final int REVENTS = 6;

    static {
        Native.register(EventDescriptors.class, "c");
    }

    private EventDescriptors() {}

    private static native int poll(long fds, long count, int millis);

    /** Returns whether there is something to read now. */
    static boolean isReadable(int fd) {
        try (Scratch c = new Scratch(Long.BYTES)) {
            NativeMemory.putInt(c.address(), fd);
            NativeMemory.putShort(c.address() + Integer.BYTES, POLLIN);
            return poll(c.address(), 1, 0) == 1 && (NativeMemory.getShort(c.address() + REVENTS) & POLLIN) != 0;
        }
    }
}
