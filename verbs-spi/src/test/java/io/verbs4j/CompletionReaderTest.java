/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A reader ends the reading however its block is left. */
class CompletionReaderTest {
    /** An extended queue with a few completions. */
    private static final class Queue extends CompletionQueue {
        final List<String> calls = new ArrayList<>();
        int left;
        int failure;

        Queue() {
            super(new BuilderFakes.Library(), 4, null, null);
        }

        @Override
        public int poll(int numEntries, WorkCompletion[] wc) {
            return 0;
        }

        @Override
        public int reqNotify(boolean solicitedOnly) {
            return 0;
        }

        private int step(String call) {
            calls.add(call);
            return failure != 0 ? failure : left-- > 0 ? 0 : Errno.ENOENT;
        }

        @Override
        public int startPoll(PollCqAttr attr) {
            return step("start");
        }

        @Override
        public int nextPoll() {
            return step("next");
        }

        @Override
        public int endPoll() {
            calls.add("end");
            return 0;
        }
    }

    private final Queue cq = new Queue();
    private final CompletionReader reader = cq.reader();

    private int readAll() {
        int count = 0;
        try (CompletionReader r = reader.start()) {
            while (r.next()) {
                count++;
            }
            assertThat(r.next()).isFalse();
        }
        return count;
    }

    @Test
    void blockReadsAllThenEndsReading() {
        cq.left = 3;
        assertThat(readAll()).isEqualTo(3);
        assertThat(cq.calls).containsExactly("start", "next", "next", "next", "end");
        cq.calls.clear();
        cq.left = 1;
        assertThat(readAll()).isOne();
        assertThat(cq.calls).containsExactly("start", "next", "end");
    }

    @Test
    void readingEmptyQueueNeedsNoEnd() {
        assertThat(readAll()).isZero();
        assertThat(readAll()).isZero();
        assertThat(cq.calls).containsExactly("start", "start");
    }

    @Test
    void failureInBlockEndsReading() {
        cq.left = 2;
        assertThatThrownBy(() -> {
                    try (CompletionReader r = reader.start()) {
                        r.next();
                        throw new IllegalStateException("of the program");
                    }
                })
                .isInstanceOf(IllegalStateException.class)
                .hasNoSuppressedExceptions();
        assertThat(cq.calls).containsExactly("start", "end");
    }

    @Test
    void blockLeftBeforeFirstCompletionEndsReading() {
        cq.left = 2;
        reader.start().close();
        reader.close();
        assertThat(cq.calls).containsExactly("start", "end");
    }

    @Test
    void failedStartThrowsAndLeavesReaderClosed() {
        cq.failure = Errno.EBUSY;
        assertErrno(Errno.EBUSY, reader::start);
        cq.failure = 0;
        cq.left = 1;
        assertThat(readAll()).isOne();
        assertThat(cq.calls).containsExactly("start", "start", "next", "end");
    }

    @Test
    void failedNextThrowsAndEndsReading() {
        cq.left = 2;
        assertErrno(Errno.EINVAL, () -> {
            try (CompletionReader r = reader.start()) {
                r.next();
                cq.failure = Errno.EINVAL;
                r.next();
            }
        });
        assertThat(cq.calls).containsExactly("start", "next", "end");
    }

    @Test
    void callsInWrongOrderFail() {
        assertErrno(Errno.EINVAL, reader::next);
        reader.start();
        assertErrno(Errno.EBUSY, reader::start);
        reader.close();
        assertErrno(Errno.EINVAL, reader::next);
    }

    private static void assertErrno(int errno, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(errno));
    }
}
