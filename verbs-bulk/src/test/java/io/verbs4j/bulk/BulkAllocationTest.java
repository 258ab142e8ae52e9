/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.verbs4j.testsupport.Full;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.function.IntConsumer;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Entries and their completions allocate nothing on either side. */
@Full
@ParameterizedClass
@MethodSource("strategies")
class BulkAllocationTest {
    @Parameter
    Strategy strategy;

    static List<Strategy> strategies() {
        return Strategy.some(Strategy.EVERYTHING, Strategy.WITHOUT_READ, Strategy.WRITE_ALONE, Strategy.DATAGRAMS);
    }

    private static final int WARM_UP = 20_000;
    private static final int MEASURED = 5_000;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final BulkHandler check = (userData, result, flags, peer, value) -> {
        if (result < 0) {
            throw new AssertionError(BulkResult.toString(result));
        }
    };

    @ParameterizedTest
    @ValueSource(ints = {BulkOpcode.NOP, BulkOpcode.PUT, BulkOpcode.GET, BulkOpcode.SEND, BulkOpcode.COPY})
    void entryAllocatesNothing(int opcode) {
        try (Pair pair = new Pair(strategy)) {
            BulkBuffer mine = pair.a.allocate(20_000);
            BulkBuffer other = pair.a.allocate(20_000);
            BulkBuffer theirs = pair.b.allocate(20_000);
            long window =
                    theirs.window(0, 20_000, BulkWindow.READ | BulkWindow.WRITE).id();
            BulkRing ring = pair.aRing;
            IntConsumer entry = n -> {
                int i = ring.next();
                int length = n % 2 == 0 ? 100 : 20_000;
                switch (opcode) {
                    case BulkOpcode.PUT -> ring.put(i, pair.toB, mine, 0, window, 0, length, n);
                    case BulkOpcode.GET -> ring.get(i, pair.toB, mine, 0, window, 0, length, n);
                    case BulkOpcode.SEND -> {
                        ring.send(i, pair.toB, 1, mine, 0, length, n);
                        int r = pair.bRing.next();
                        pair.bRing.receive(r, pair.toA, 1, theirs, 0, 20_000, n);
                        pair.bRing.submit();
                    }
                    case BulkOpcode.COPY -> ring.copy(i, mine, 0, other, 0, length, n);
                    default -> ring.nop(i, n);
                }
                if (opcode == BulkOpcode.PUT) {
                    ring.flags(i, BulkFlags.NOTIFY);
                    ring.value(i, n % 3 == 0 ? 1L << 40 : 1);
                }
                ring.deadline(i, 100_000);
                ring.submit();
            };
            boolean twoSided = opcode == BulkOpcode.PUT || opcode == BulkOpcode.SEND;
            run(pair, entry, twoSided, WARM_UP);
            long least = Long.MAX_VALUE;
            for (int i = 0; i < 5 && least > 0; i++) { // the JVM itself allocates occasionally
                long before = threads.getCurrentThreadAllocatedBytes();
                run(pair, entry, twoSided, MEASURED);
                least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
            }
            assertThat(least).as("bytes allocated for %d entries", MEASURED).isZero();
        }
    }

    private void run(Pair pair, IntConsumer entry, boolean twoSided, int count) {
        for (int n = 0; n < count; n++) {
            entry.accept(n);
            int mine = 0;
            int theirs = twoSided ? 0 : 1;
            while (mine == 0 || theirs == 0) {
                mine += pair.aRing.handle(check);
                theirs += pair.bRing.handle(check);
            }
        }
    }
}
