/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.natives.call;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;

/**
 * A full memory barrier on every processor that runs a thread of this process. It lets the rare side of a handshake pay
 * for the barrier, so that the frequent side needs none. Source: membarrier(2), private expedited; Linux 4.14.
 */
public final class ProcessBarrier {
    private static final int QUERY = 0;
    private static final int PRIVATE_EXPEDITED = 1 << 3;
    private static final int REGISTER_PRIVATE_EXPEDITED = 1 << 4;
    private static final long NUMBER = switch (System.getProperty("os.arch")) {
        case "amd64" -> 324;
        case "aarch64" -> 283;
        default -> -1;
    };
    private static final boolean AVAILABLE = register();

    private ProcessBarrier() {}

    private static boolean register() {
        if (NUMBER < 0) {
            return false;
        }
        long commands = Libc.syscall(NUMBER, QUERY, 0, 0);
        return commands > 0
                && (commands & PRIVATE_EXPEDITED) != 0
                && Libc.syscall(NUMBER, REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
    }

    /** {@return whether the kernel supports the barrier; this never changes} */
    public static boolean isAvailable() {
        return AVAILABLE;
    }

    /** Runs the barrier, which takes a few microseconds; does nothing if it is not available. */
    public static void run() {
        if (AVAILABLE && Libc.syscall(NUMBER, PRIVATE_EXPEDITED, 0, 0) != 0) {
            throw new VerbsException(
                    Errno.EIO, "membarrier", "the kernel supported the barrier before, but refuses it now");
        }
    }
}
