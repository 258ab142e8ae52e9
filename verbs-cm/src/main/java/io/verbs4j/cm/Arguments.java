/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import java.util.concurrent.TimeUnit;

/** Checks arguments: throws EINVAL for invalid ones and EBADF for closed objects. */
final class Arguments {
    private Arguments() {}

    static VerbsException closed(String verb, String what) {
        return new VerbsException(Errno.EBADF, verb, what + " is closed");
    }

    static <T> T require(String verb, String name, T value) {
        if (value == null) {
            throw new VerbsException(Errno.EINVAL, verb, name + " is null");
        }
        return value;
    }

    static int require(String verb, String name, int value, int max) {
        if (value < 0 || value > max) {
            throw new VerbsException(Errno.EINVAL, verb, name + " is " + value + "; it must be 0 to " + max);
        }
        return value;
    }

    /** Converts a time to nanoseconds; negative times become 0. */
    static long nanos(String verb, long time, TimeUnit unit) {
        return Math.max(0, require(verb, "unit", unit).toNanos(time));
    }
}
