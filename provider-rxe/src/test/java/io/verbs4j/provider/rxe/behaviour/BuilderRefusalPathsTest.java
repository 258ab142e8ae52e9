/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AccessFlags;
import io.verbs4j.Errno;
import io.verbs4j.FastRegister;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MrKeyInitAttr;
import io.verbs4j.MwBind;
import io.verbs4j.MwType;
import io.verbs4j.QpAttr;
import io.verbs4j.QpState;
import io.verbs4j.SendBuilder;
import io.verbs4j.SendFlags;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A builder posts none of its requests if any of them is refused. */
@WithOneCopy
class BuilderRefusalPathsTest extends EachPath {
    private static final int SIGNALED = SendFlags.SIGNALED;
    private static final int SIZE = 64;

    private SendBuilder builder;

    /** The kernel's device posts the requests before the refused one. */
    @BeforeEach
    void onlyTheEmbeddedDevice() {
        Assumptions.assumeTrue(System.getProperty(DEVICES) == null);
    }

    private void begin() {
        builder = a.qp.builder();
        builder.start();
    }

    private static void write(Side from, Side to, SendBuilder with, int id) {
        with.write(
                id,
                SIGNALED,
                to.mr.rkey(),
                to.mr.addr() + (long) id * SIZE,
                from.mr.lkey(),
                from.mr.addr() + id * 10L,
                SIZE);
    }

    private void write(int id) {
        write(a, b, builder, id);
    }

    private void written(int id) {
        b.assertPattern(id * SIZE, 1, id * 10, SIZE);
    }

    private void untouched(int id) {
        b.assertPattern(id * SIZE, 2, id * SIZE, SIZE);
    }

    /** A request with a flag that no level defines. */
    private void wrong() {
        builder.send(99, SIGNALED | 1 << 30);
    }

    private void refused(int errno) {
        assertThat(builder.complete()).isEqualTo(errno);
        assertThat(builder.posted()).isZero();
        assertThat(a.rest(5)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void oneRefusedRequestRefusesAll(int at) {
        start();
        begin();
        for (int i = 0; i < 4; i++) {
            if (i == at) {
                wrong();
            } else {
                write(i);
            }
        }
        refused(Errno.EOPNOTSUPP);
        for (int i = 0; i < 4; i++) {
            untouched(i);
        }
        for (int round = 0; round < 3; round++) {
            builder.start();
            for (int i = 0; i < 4; i++) {
                write(4 * round + i);
            }
            assertThat(builder.complete()).isZero();
            assertThat(builder.posted()).isEqualTo(4);
        }
        for (int i = 0; i < 12; i++) {
            a.next(i, WcStatus.SUCCESS);
            written(i);
        }
    }

    /** Sends that nobody receives occupy places. */
    @Test
    void fullQueueInTheMiddleRefusesAll() {
        start(side -> side.maxWr = 4);
        begin();
        builder.send(0, SIGNALED, a.mr.lkey(), a.mr.addr(), SIZE);
        builder.send(1, SIGNALED, a.mr.lkey(), a.mr.addr(), SIZE);
        assertThat(builder.complete()).isZero();
        builder.start();
        for (int i = 2; i < 5; i++) {
            write(i);
        }
        refused(Errno.ENOMEM);
        builder.start();
        write(2);
        write(3);
        assertThat(builder.complete()).isZero();
        b.recv(0, 500_000, SIZE);
        b.recv(1, 500_000, SIZE);
        for (int i = 0; i < 4; i++) {
            a.next(i, WcStatus.SUCCESS);
        }
        written(2);
        written(3);
        untouched(4);
        builder.start();
        for (int i = 10; i < 15; i++) {
            write(i); // more than fit in the queue
        }
        refused(Errno.ENOMEM);
        untouched(10);
    }

    @Test
    void stateErrFlushesAllOrNothing() {
        start();
        begin();
        a.qp.modify(new QpAttr().qpState(QpState.ERR));
        write(1);
        wrong();
        refused(Errno.EOPNOTSUPP);
        builder.start();
        write(2);
        write(3);
        assertThat(builder.complete()).isZero();
        a.next(2, WcStatus.WR_FLUSH_ERR);
        a.next(3, WcStatus.WR_FLUSH_ERR);
    }

    @Test
    void refusedBatchDropsInlineData() {
        start(side -> side.maxInline = 32);
        begin();
        for (int length : new int[] {32, 33}) {
            builder.write(length, SIGNALED, b.mr.rkey(), b.mr.addr()).inlineData(a.mr.lkey(), a.mr.addr(), length);
        }
        refused(Errno.EINVAL);
        untouched(0);
        builder.start();
        for (int i = 1; i <= 2; i++) {
            builder.write(i, SIGNALED, b.mr.rkey(), b.mr.addr() + (long) i * SIZE)
                    .inlineData(a.mr.lkey(), a.mr.addr() + i * 100L, 32);
        }
        assertThat(builder.complete()).isZero();
        for (int i = 1; i <= 2; i++) {
            a.next(i, WcStatus.SUCCESS);
            b.assertPattern(i * SIZE, 1, i * 100, 32);
        }
    }

    /** Posting a bind or a fast register changes keys. */
    @Test
    void refusedBatchLeavesKeysUnchanged() {
        start();
        MemoryWindow mw = a.opened(a.pd.allocMw(MwType.TYPE_2));
        MemoryRegion key = a.opened(a.pd.allocMrKey(new MrKeyInitAttr().maxEntries(2)));
        int window = mw.rkey();
        int number = key.rkey();
        MwBind bind = new MwBind().mr(a.mr).addr(a.mr.addr()).length(SIZE).mwAccessFlags(AccessFlags.REMOTE_READ);
        FastRegister register = new FastRegister()
                .mr(key)
                .key(MemoryWindow.incRkey(number))
                .access(AccessFlags.REMOTE_READ)
                .addr(4096);
        begin();
        builder.bindMw(1, SIGNALED, mw, MemoryWindow.incRkey(window), bind);
        builder.regMr(2, SIGNALED, register).sge(a.mr.lkey(), a.mr.addr(), SIZE);
        builder.localInv(3, SIGNALED, MemoryWindow.incRkey(window));
        wrong();
        refused(Errno.EOPNOTSUPP);
        assertThat(mw.rkey()).isEqualTo(window);
        assertThat(key.rkey()).isEqualTo(number);
        builder.start();
        builder.bindMw(1, SIGNALED, mw, MemoryWindow.incRkey(window), bind);
        builder.regMr(2, SIGNALED, register).sge(a.mr.lkey(), a.mr.addr(), SIZE);
        builder.localInv(3, SIGNALED, MemoryWindow.incRkey(window));
        assertThat(builder.complete()).isZero();
        for (int i = 1; i <= 3; i++) {
            a.next(i, WcStatus.SUCCESS);
        }
        assertThat(mw.rkey()).isEqualTo(MemoryWindow.incRkey(window));
        assertThat(key.rkey()).isEqualTo(MemoryWindow.incRkey(number));
    }

    /** Each thread posts good and refused batches with its own builder; batches never interleave. */
    @Test
    void batchesOfThreadsStayTogether() throws Exception {
        int threads = 3;
        int rounds = 40;
        start(side -> {
            side.maxWr = 512;
            side.cqe = 1024;
        });
        ExecutorService all = Executors.newFixedThreadPool(threads);
        try {
            List<Callable<Integer>> tasks = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                int first = 1000 * t;
                tasks.add(() -> postBatches(first, rounds));
            }
            int posted = 0;
            for (Future<Integer> one : all.invokeAll(tasks, 20, TimeUnit.SECONDS)) {
                posted += one.get();
            }
            assertThat(posted).isEqualTo(threads * rounds / 2);
        } finally {
            all.shutdownNow();
        }
        int[] next = new int[threads];
        for (int i = 0; i < threads * rounds / 2; i++) {
            WorkCompletion first = a.next();
            int thread = (int) first.wrId() / 1000;
            int batch = 1000 * thread + 3 * next[thread]++;
            assertThat(first.wrId()).isEqualTo(batch);
            a.next(batch + 1, WcStatus.SUCCESS);
            a.next(batch + 2, WcStatus.SUCCESS);
        }
        assertThat(a.rest(5)).isEmpty();
    }

    private int postBatches(int first, int rounds) {
        SendBuilder own = a.qp.builder();
        int posted = 0;
        for (int round = 0; round < rounds; round++) {
            own.start();
            write(a, b, own, first + 3 * posted);
            write(a, b, own, first + 3 * posted + 1);
            if (round % 2 == 0) {
                own.send(99, SIGNALED | 1 << 30);
            } else {
                write(a, b, own, first + 3 * posted + 2);
            }
            if (own.complete() == 0) {
                posted++;
            }
        }
        return posted;
    }
}
