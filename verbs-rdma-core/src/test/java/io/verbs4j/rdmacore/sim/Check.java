/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.sim;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;

/** The checks of a program. A failed check ends the program with an exception. */
public final class Check {
    private Check() {}

    public static void require(boolean holds, String what) {
        if (!holds) {
            throw new IllegalStateException(what);
        }
    }

    public static void equal(long wanted, long is, String what) {
        require(wanted == is, what + ": " + is + ", wanted " + wanted);
    }

    public static void same(Object wanted, Object is) {
        require(wanted == is, is + " is not " + wanted);
    }

    /** {@return the exception that a call fails with} */
    public static VerbsException failure(Runnable call) {
        try {
            call.run();
        } catch (VerbsException e) {
            return e;
        }
        throw new IllegalStateException("it did not fail");
    }

    /** Checks that a call fails with an errno. */
    public static void fails(int errno, Runnable call) {
        VerbsException e = failure(call);
        if (e.errno() != errno) {
            throw new IllegalStateException("wanted " + Errno.name(errno), e);
        }
    }

    /** Checks that a call fails with an errno and a message that contains some words. */
    public static void fails(int errno, String words, Runnable call) {
        try {
            call.run();
        } catch (VerbsException e) {
            equal(errno, e.errno(), "errno of " + e.getMessage());
            require(e.getMessage().contains(words), "no '" + words + "' in: " + e.getMessage());
            return;
        }
        throw new IllegalStateException("it did not fail: " + words);
    }
}
