/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Collectors;
import org.opentest4j.AssertionFailedError;

/** Checks whose failures tell what was seen; {@link RuleExtension} adds the rule and where to look. */
final class Seen {
    private Seen() {}

    static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionFailedError(otherwise);
        }
    }

    static void equal(String what, Object expected, Object actual) {
        check(Objects.equals(expected, actual), what + " is " + actual + ", not " + expected);
    }

    static void atLeast(String what, long least, long actual) {
        check(actual >= least, what + " is " + actual + ", which is below " + least);
    }

    /** Checks what a data verb returned. */
    static void errno(String call, int expected, int actual) {
        check(expected == actual, call + " returned " + name(actual) + ", not " + name(expected));
    }

    /** Checks that a control verb refuses, with one of these errnos. */
    static void refuses(String call, Runnable body, int... errnos) {
        String expected = Arrays.stream(errnos).mapToObj(Errno::name).collect(Collectors.joining(" or "));
        try {
            body.run();
        } catch (VerbsException e) {
            check(
                    Arrays.stream(errnos).anyMatch(errno -> errno == e.errno()),
                    call + " answered " + Errno.name(e.errno()) + " (" + e.getMessage() + "), not " + expected);
            return;
        }
        throw new AssertionFailedError(call + " was accepted; it must answer " + expected);
    }

    private static String name(int result) {
        if (result == 0) {
            return "0";
        }
        return result < 0 ? result + " (-" + Errno.name(-result) + ")" : result + " (" + Errno.name(result) + ")";
    }
}
