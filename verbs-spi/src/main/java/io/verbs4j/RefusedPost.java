/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import java.util.function.Function;

/** Creates the exception for a rejected post: which request, why, and how many requests before it are posted. */
final class RefusedPost {
    private static final String SEND = "post_send";

    /** A list longer than any queue: it is circular, which the post rejects. */
    private static final int LONGEST_LIST = 1 << 16;

    private RefusedPost() {}

    /** Rejects a list with a request whose opcode was never set. */
    static void requireOpcodes(SendWorkRequest first) {
        int index = 0;
        for (SendWorkRequest wr = first; wr != null && index < LONGEST_LIST; wr = wr.next(), index++) {
            if (!wr.isOpcodeSet()) {
                throw new VerbsException(
                        Errno.EINVAL, SEND, name(index, wr.wrId()) + ": its opcode was never set; nothing was posted");
            }
        }
    }

    static VerbsException send(QueuePair qp, SendWorkRequest first, SendWorkRequest refused, int errno) {
        SendWorkRequest bad = refused == null ? first : refused;
        if (bad == null) {
            return failure(SEND, errno, "", RefusedPost.<SendWorkRequest>because(errno, qp::explain, null), 0);
        }
        int index = 0;
        for (SendWorkRequest wr = first; wr != bad && index < LONGEST_LIST; wr = wr.next()) {
            index++;
        }
        SendWorkRequest rest = bad.next();
        bad.next(null); // so that only this request is checked
        try {
            return failure(SEND, errno, name(index, bad.wrId()) + ": ", because(errno, qp::explain, bad), index);
        } finally {
            bad.next(rest);
        }
    }

    static VerbsException recv(
            String verb,
            Function<RecvWorkRequest, String> explain,
            RecvWorkRequest first,
            RecvWorkRequest refused,
            int errno) {
        RecvWorkRequest bad = refused == null ? first : refused;
        if (bad == null) {
            return failure(verb, errno, "", because(errno, explain, null), 0);
        }
        int index = 0;
        for (RecvWorkRequest wr = first; wr != bad && index < LONGEST_LIST; wr = wr.next()) {
            index++;
        }
        RecvWorkRequest rest = bad.next();
        bad.next(null); // so that only this request is checked
        try {
            return failure(verb, errno, name(index, bad.wrId()) + ": ", because(errno, explain, bad), index);
        } finally {
            bad.next(rest);
        }
    }

    private static String name(int index, long wrId) {
        return "request " + index + " of the list (wrId " + wrId + ")";
    }

    /** Returns the explanation of the library or the provider, or else what the errno means. */
    private static <W> String because(int errno, Function<W, String> explain, W bad) {
        String why;
        try {
            why = explain.apply(bad);
        } catch (VerbsException e) {
            why = null; // the device cannot be asked any more; the errno of the post says more
        }
        if (why != null) {
            return why;
        }
        return errno == Errno.ENOMEM
                ? "the queue is full; poll completions, then post it again"
                : "neither the library nor the provider knows a rule that it breaks";
    }

    private static VerbsException failure(String verb, int errno, String which, String why, int posted) {
        String before = posted == 0 ? "" : "; the " + posted + " before it were posted";
        return new VerbsException(errno, verb, which + why + before);
    }
}
