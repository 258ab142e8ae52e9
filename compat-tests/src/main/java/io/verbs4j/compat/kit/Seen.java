/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import static io.verbs4j.compat.kit.Unknown.DROPPED;
import static io.verbs4j.compat.kit.Unknown.UNKNOWN;

import io.verbs4j.Errno;
import io.verbs4j.InputAttr;
import io.verbs4j.VerbsException;
import io.verbs4j.WcOpcode;
import io.verbs4j.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.opentest4j.AssertionFailedError;

/** Checks whose failures report what was observed; {@link RuleExtension} adds the rule and where to look. */
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
        check(actual >= least, what + " is " + actual + "; it must be at least " + least);
    }

    /** Checks the result of a data verb. */
    static void errno(String call, int expected, int actual) {
        check(expected == actual, call + " returned " + name(actual) + ", not " + name(expected));
    }

    /** Checks that a control verb fails with one of these errnos. */
    static void refuses(String call, Runnable body, int... errnos) {
        String expected = Arrays.stream(errnos).mapToObj(Errno::name).collect(Collectors.joining(" or "));
        try {
            body.run();
        } catch (VerbsException e) {
            check(
                    Arrays.stream(errnos).anyMatch(errno -> errno == e.errno()),
                    call + " failed with " + Errno.name(e.errno()) + " (" + e.getMessage() + "), not " + expected);
            return;
        }
        throw new AssertionFailedError(call + " was accepted; it must fail with " + expected);
    }

    private static String name(int result) {
        if (result == 0) {
            return "0";
        }
        return result < 0 ? result + " (-" + Errno.name(-result) + ")" : result + " (" + Errno.name(result) + ")";
    }

    /** Checks that a mask bit of no level is refused, and that an optional one is dropped. */
    static void masks(String call, InputAttr attr, Runnable verb) {
        long known = attr.compMask();
        List<long[]> refused = List.of(new long[] {known | UNKNOWN, 0}, new long[] {known, 1});
        for (long[] mask : refused) {
            attr.masks(mask[0], mask[1]);
            refuses(call + " with a mask bit that no level defines", verb, Errno.EOPNOTSUPP);
        }
        attr.masks(known | DROPPED, 0);
        verb.run();
    }

    /** Checks that bytes are those of a side's memory. */
    static void holds(String what, ByteBuffer buffer, int offset, Memory of, int from, int length) {
        for (int i = 0; i < length; i++) {
            if (buffer.get(offset + i) != of.at(from + i)) {
                check(false, what + ": byte " + i + " of " + length + " is not as sent");
            }
        }
    }

    static void opcode(WorkCompletion wc, int expected) {
        equal("opcode", WcOpcode.toString(expected), WcOpcode.toString(wc.opcode()));
    }

    static String hex(long value) {
        return "0x" + Long.toHexString(value);
    }
}
