/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.memory;

import io.verbs4j.natives.call.Libc;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import java.nio.charset.StandardCharsets;

/** Writes to addresses that may not be mapped: the kernel copies, and reports an error if the address is bad. Slow. */
public final class KernelCopy {
    private static final int PIECE = 4096; // a pipe takes that much at once

    /** The ends of a private pipe, which holds bytes only during a call. */
    private static int in = -1;

    private static int out = -1;

    private KernelCopy() {}

    /** Copies bytes; returns false if the target is not writable or the kernel cannot help. */
    static synchronized boolean copy(long from, long to, int length) {
        if (in < 0 && !open()) {
            return false;
        }
        for (int done = 0; done < length; done += PIECE) {
            int n = Math.min(PIECE, length - done);
            if (Libc.write(out, from + done, n) != n) {
                return false;
            }
            long got = Libc.read(in, to + done, n);
            if (got != n) {
                drain((int) (n - Math.max(got, 0)));
                return false;
            }
        }
        return true;
    }

    /** Removes what could not be written to the target from the pipe. */
    private static void drain(int rest) {
        try (Scratch nowhere = new Scratch(PIECE)) {
            Libc.read(in, nowhere.address(), rest);
        }
    }

    private static boolean open() {
        try (Scratch ends = new Scratch(2 * Integer.BYTES)) {
            if (Libc.pipe2(ends.address(), Libc.CLOEXEC) != 0) {
                return false;
            }
            in = NativeMemory.getInt(ends.address());
            out = NativeMemory.getInt(ends.address() + Integer.BYTES);
            return true;
        }
    }

    /** Sets bytes to zero; returns false if not all of them are writable. */
    public static boolean clear(long address, long length) {
        byte[] name = "/dev/zero".getBytes(StandardCharsets.US_ASCII);
        int fd;
        try (Scratch path = new Scratch(name.length + 1)) {
            NativeMemory.putString(path.address(), name);
            fd = Libc.open(path.address(), Libc.CLOEXEC, 0);
        }
        if (fd < 0) {
            return false;
        }
        try {
            long done = 0;
            while (done < length) {
                long n = Libc.read(fd, address + done, length - done);
                if (n <= 0) {
                    return false;
                }
                done += n;
            }
            return true;
        } finally {
            Libc.close(fd);
        }
    }
}
