/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.sim;

import io.verbs4j.VerbsException;

/** What the programs are sure of. */
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

    /** The call fails with an errno, and its words contain some. */
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
