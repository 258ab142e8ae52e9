/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.natives.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.verbs4j.Errno;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Calls into C and from C, with either binding. */
class NativeFunctionTest {
    private static final int CALLS = 200_000;
    private static final int ROUNDS = 20;
    private static final long TOP = 0x8000_0000_0000_0001L;

    private final List<Long> seen = new ArrayList<>();

    private final CallBack recorder = new CallBack((a, b, c, d, e, f) -> {
        seen.addAll(List.of(a, b, c, d, e, f));
        return TOP;
    });

    private void passesAll(NativeFunction function) {
        assertThat(function.call(1, -2, TOP, 4, 5, 6)).isEqualTo(TOP);
        assertThat(seen).containsExactly(1L, -2L, TOP, 4L, 5L, 6L);
        List<Long> all = List.of(11L, 12L, 13L, 14L, 15L);
        for (int count = 1; count <= all.size(); count++) {
            seen.clear();
            long answer = switch (count) {
                case 1 -> function.call(11);
                case 2 -> function.call(11, 12);
                case 3 -> function.call(11, 12, 13);
                case 4 -> function.call(11, 12, 13, 14);
                default -> function.call(11, 12, 13, 14, 15);
            };
            assertThat(answer).isEqualTo(TOP);
            assertThat(seen.subList(0, count)).isEqualTo(all.subList(0, count));
        }
    }

    @Test
    void argumentsAndResultArriveWhole() {
        passesAll(NativeFunction.at(recorder.address()));
    }

    private static NativeFunction data(String name) {
        return NativeFunction.data(NativeBinding.libc().address(name));
    }

    /** Uses C functions, because a data verb must not call Java. */
    @Test
    void argumentsAndResultOfDataVerbArriveWhole() {
        assertThat(data("labs").call(TOP)).isEqualTo(-TOP);
        try (Scratch memory = new Scratch(256)) {
            long format = memory.address() + 128;
            text(format, "b %ld %ld %ld");
            assertThat(data("strchr").call(format, 'l')).isEqualTo(format + 3);
            long to = memory.address();
            assertThat(data("memcpy").call(to, format, 14)).isEqualTo(to);
            assertThat(text(to)).isEqualTo("b %ld %ld %ld");
            NativeFunction print = data("snprintf");
            text(format, "d%ld");
            assertThat((int) print.call(to, 128, format, -4)).isEqualTo(3);
            assertThat(text(to)).isEqualTo("d-4");
            text(format, "e %ld %ld");
            assertThat((int) print.call(to, 128, format, TOP, 5)).isEqualTo(24);
            assertThat(text(to)).isEqualTo("e " + TOP + " 5");
            text(format, "f %ld %ld %ld");
            assertThat((int) print.call(to, 128, format, 4, TOP, -6)).isEqualTo(27);
            assertThat(text(to)).isEqualTo("f 4 " + TOP + " -6");
        }
    }

    private static void text(long address, String text) {
        NativeMemory.putString(address, text.getBytes(StandardCharsets.US_ASCII));
    }

    private static String text(long address) {
        return NativeMemory.getString(address, 128);
    }

    @Test
    void addressHasOneFunctionOfEachKind() {
        assertThat(NativeFunction.at(0x1000)).isSameAs(NativeFunction.at(0x1000));
        assertThat(NativeFunction.data(0x1000)).isSameAs(NativeFunction.data(0x1000));
        assertThatThrownBy(() -> NativeFunction.at(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> NativeFunction.data(0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void errnoBelongsToLastCallOfThread() throws InterruptedException {
        assertThat(Libc.close(-1)).isEqualTo(-1);
        assertThat(Libc.errno()).isEqualTo(Errno.EBADF);
        int[] others = new int[1];
        Thread other = new Thread(() -> {
            Libc.epoll_create1(-1);
            others[0] = Libc.errno();
        });
        other.start();
        other.join();
        assertThat(others[0]).isEqualTo(Errno.EINVAL);
        assertThat(Libc.errno()).isEqualTo(Errno.EBADF);
        try (Scratch empty = new Scratch(1)) {
            assertThat(Libc.open(empty.address(), 0, 0)).isEqualTo(-1);
        }
        assertThat(Libc.errno()).isEqualTo(Errno.ENOENT);
    }

    /**
     * Tests a result of -1, which data verbs of old drivers return. Occasionally the JVM makes a call first, and the
     * errno differs.
     */
    @Test
    void dataVerbReturningMinusOneSetsErrno() {
        NativeFunction close = NativeFunction.data(NativeBinding.libc().address("close"));
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            Libc.epoll_create1(-1);
            assertThat((int) close.call(-1)).isEqualTo(-1);
            numbers.add(Libc.errno());
        }
        assertThat(numbers).contains(Errno.EBADF).doesNotContain(Errno.EINVAL);
    }

    @Test
    void missingFunctionHasNoAddress() {
        LoadedLibrary libc = NativeBinding.libc();
        assertThat(libc.address("no_such_function")).isZero();
        assertThat(libc.address("getpid")).isNotZero();
        assertThatThrownBy(() -> NativeBinding.open("/nowhere/libnothing.so")).isInstanceOf(UnsatisfiedLinkError.class);
    }

    @Test
    void exceptionOfCallbackDoesNotReachC() {
        AtomicReference<Throwable> told = new AtomicReference<>();
        Thread thread = Thread.currentThread();
        Thread.UncaughtExceptionHandler before = thread.getUncaughtExceptionHandler();
        thread.setUncaughtExceptionHandler((t, e) -> {
            told.set(e);
            throw new IllegalStateException("so does the handler");
        });
        try {
            CallBack throwing = new CallBack((a, b, c, d, e, f) -> {
                throw new AssertionError("thrown by the test");
            });
            assertThat(NativeFunction.at(throwing.address()).call(1)).isZero();
        } finally {
            thread.setUncaughtExceptionHandler(before);
        }
        assertThat(told.get()).hasMessage("thrown by the test");
    }

    /**
     * Measures compiled code, because some of the ways allocate before. Takes the least of several rounds, because the
     * time of compilation is unknown.
     */
    @Test
    void callAllocatesNothing() {
        NativeFunction checked = NativeFunction.at(NativeBinding.libc().address("labs"));
        NativeFunction data = NativeFunction.data(NativeBinding.libc().address("labs"));
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            long start = threads.getCurrentThreadAllocatedBytes();
            long sum = 0;
            for (int i = 0; i < CALLS; i++) {
                sum += checked.call(-1) + data.call(-1);
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - start);
            assertThat(sum).isEqualTo(2 * CALLS);
        }
        assertThat(least).isLessThan(CALLS / 100);
    }
}
