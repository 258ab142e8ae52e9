/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.VerbsLevel;
import io.verbs4j.core.Verbs;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RcPostsTest {
    /** Records the identifiers of requests for each call. */
    private static final class NotingQp extends QueuePair {
        private final List<List<Long>> calls = new ArrayList<>();
        private int answer;

        NotingQp(ProtectionDomain pd) {
            super(pd, new QpInitAttr().qpType(QpType.RC), 7);
        }

        @Override
        public int postSend(SendWorkRequest first, SendWorkRequest[] badWr) {
            List<Long> numbers = new ArrayList<>();
            for (SendWorkRequest request = first; request != null; request = request.next()) {
                numbers.add(request.wrId());
            }
            calls.add(numbers);
            return answer;
        }

        @Override
        public int postRecv(RecvWorkRequest wr, RecvWorkRequest[] badWr) {
            return 0;
        }

        @Override
        public int bindMw(MemoryWindow mw, MwBind bind) {
            return 0;
        }
    }

    @Test
    void flushPostsRequestsTogether() {
        try (Context context = Verbs.open(Verbs.defaultDevice(), VerbsLevel.CURRENT);
                ProtectionDomain pd = context.allocPd()) {
            NotingQp qp = new NotingQp(pd);
            Posts posts = new RcPosts(qp);

            assertThat(posts.flush()).isZero();
            assertThat(posts.write(1, 0, 5, 4096, 64, 6, 8192)).isZero();
            assertThat(posts.read(2, 0, 5, 4096, 64, 6, 8192)).isZero();
            assertThat(posts.writeAndTell(3, 0, 5, 4096, 64, 6, 8192, 9)).isZero();
            assertThat(posts.send(4, 0, 5, 4096, 64, 5, 4096, 8)).isZero();
            assertThat(qp.calls).isEmpty();

            assertThat(posts.flush()).isZero();
            assertThat(qp.calls).containsExactly(List.of(1L, 2L, 3L, 4L));
            assertThat(posts.flush()).isZero();
            assertThat(qp.calls).hasSize(1);
        }
    }

    @Test
    void flushReportsRefusalOnce() {
        try (Context context = Verbs.open(Verbs.defaultDevice(), VerbsLevel.CURRENT);
                ProtectionDomain pd = context.allocPd()) {
            NotingQp qp = new NotingQp(pd);
            Posts posts = new RcPosts(qp);
            qp.answer = Errno.ENOMEM;
            assertThat(posts.write(1, 0, 5, 4096, 64, 6, 8192)).isZero();
            assertThat(posts.flush()).isEqualTo(Errno.ENOMEM);

            qp.answer = 0;
            assertThat(posts.write(2, 0, 5, 4096, 64, 6, 8192)).isZero();
            assertThat(posts.flush()).isZero();
            assertThat(qp.calls).containsExactly(List.of(1L), List.of(2L));
        }
    }
}
