/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.base;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;

/** Argument checks that many verbs share, and the exception for a failed one. */
public final class Arguments {
    private Arguments() {}

    public static VerbsException invalid(String verb, String message) {
        return new VerbsException(Errno.EINVAL, verb, message);
    }

    public static void notNull(String verb, String name, Object value) {
        if (value == null) {
            throw invalid(verb, name + " is null; pass one");
        }
    }

    public static void range(String verb, String name, long value, long min, long max) {
        if (value < min || value > max) {
            throw invalid(verb, name + " is " + value + "; it must be " + min + " to " + max);
        }
    }

    public static void atLeast(String verb, String name, long value, long min) {
        if (value < min) {
            throw invalid(verb, name + " is " + value + "; it must be at least " + min);
        }
    }

    /** Checks a port number. Which ports the device has, the provider checks. */
    public static void port(String verb, String name, int value) {
        range(verb, name, value, 1, 255);
    }
}
