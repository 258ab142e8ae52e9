/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbs4j.natives.memory.StoreFence;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.program.Jdk;
import io.verbs4j.testsupport.program.MachineCode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Checks the machine code that the JIT compiler makes of a post. A device sees the order of stores that Java's memory
 * model does not define, and the compiler drops a fence that is followed by another; only the machine code shows the
 * order.
 *
 * <p>With the store fence, the code writes the doorbell record, a fence, the doorbell (one store of 8 bytes, or the
 * eight of a BlueFlame copy) and another fence. Without it, the code writes the record by an exchange, then the
 * doorbell, then a locked instruction. If the page is not cached, it writes the record and the doorbell, without
 * either.
 */
@Full
class DoorbellOrderIT {
    private static final Pattern RECORD = Pattern.compile("mov\\s+%(?:e[a-z]+|r[0-9]+d),\\(%r[a-z0-9]+\\)$");
    private static final Pattern EXCHANGE = Pattern.compile("xchg\\s+%[a-z0-9]+,\\(%[a-z0-9]+\\)");
    private static final Pattern STORE =
            Pattern.compile("mov\\s+%r(?:[a-z]+|[0-9]+),((?:0x[0-9a-f]+)?\\(%r[a-z0-9]+(?:,%r[a-z0-9]+,1)?\\))$");
    private static final Pattern LOCKED = Pattern.compile("lock addl \\$0x0,-?(0x[0-9a-f]+)?\\(%rsp\\)");
    private static final Pattern FENCE = Pattern.compile("\\tsfence");
    private static final Pattern EIGHTH = Pattern.compile("mov\\s+%r[a-z0-9]+,0x38\\((%r[a-z0-9]+)\\)$");

    static List<Jdk> jdks() throws IOException {
        return Jdk.all();
    }

    private static List<String> post(Jdk jdk, boolean fence, String... arguments)
            throws IOException, InterruptedException {
        MachineCode.require();
        String property = StoreFence.PROPERTY + "=" + fence;
        return MachineCode.of(jdk, SendRing.class, "post", property, PostsProgram.class, arguments);
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void compiledPostKeepsStoreOrder(Jdk jdk) throws IOException, InterruptedException {
        List<String> post = post(jdk, true);
        assertThat(stores(post, StoreFence.isAvailable()))
                .as("machine code of the post: %s", post)
                .hasSize(1);
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void blueFlamePostKeepsStoreOrder(Jdk jdk) throws IOException, InterruptedException {
        List<String> post = post(jdk, true, "blueflame");
        assertThat(stores(post, StoreFence.isAvailable()))
                .as("machine code of the post: %s", post)
                .hasSize(8);
        assertThat(MachineCode.indexOf(EIGHTH, post, 0)).isNotNegative();
    }

    /** As on processors without a store fence that Java can reach. */
    @ParameterizedTest
    @MethodSource("jdks")
    void lockedInstructionsKeepStoreOrder(Jdk jdk) throws IOException, InterruptedException {
        List<String> post = post(jdk, false);
        assertThat(stores(post, false)).as("machine code of the post: %s", post).hasSize(1);
        post = post(jdk, false, "blueflame");
        assertThat(stores(post, false)).as("machine code of the post: %s", post).hasSize(8);
    }

    /** Stores to such a page stay in program order; a locked instruction or a fence would only cost time. */
    @ParameterizedTest
    @MethodSource("jdks")
    void uncachedPageNeedsNoFence(Jdk jdk) throws IOException, InterruptedException {
        List<String> post = post(jdk, true, "not-cached");
        int record = MachineCode.indexOf(RECORD, post, 0);
        assertThat(record).as("the record in: %s", post).isNotNegative();
        assertThat(MachineCode.indexOf(STORE, post, record))
                .as("the doorbell behind it in: %s", post)
                .isNotNegative();
        assertThat(MachineCode.indexOf(EXCHANGE, post, 0)).isNegative();
        assertThat(MachineCode.indexOf(FENCE, post, 0)).isNegative();
    }

    /**
     * A post that is interpreted, or compiled by C1, calls the JVM for a fence; newer JDKs do not (see
     * {@code StoreFenceTest}).
     */
    @Test
    void fenceRoutineOfJvmContainsStoreFence() throws IOException, InterruptedException {
        MachineCode.require();
        Jdk jdk = Jdk.all().get(0);
        assumeTrue(jdk.feature() == 17, "no JDK 17 here");
        List<String> routine = MachineCode.ofStub(jdk, "data_cache_writeback_sync", Nothing.class);
        assertThat(MachineCode.indexOf(FENCE, routine, 0) >= 0)
                .as("a fence in: %s", routine)
                .isEqualTo(StoreFence.isAvailable());
    }

    /** A program that does nothing. */
    static final class Nothing {
        private Nothing() {}

        public static void main(String... args) {
            // only the JVM's own code is examined
        }
    }

    /** Tests the check itself: what it accepts, and what it must reject. */
    @Test
    void checkDetectsMissingLockedInstructions() {
        String exchange = "1e9:\t41 87 3a \txchg   %edi,(%r10)";
        String other = "1ec:\t4c 8b d1 \tmov    %rcx,%r10";
        String store = "234:\t4f 89 0c 1a \tmov    %r9,(%r10,%r11,1)";
        String second = "238:\t4f 89 0c 1a \tmov    %r9,0x8(%r11)";
        String locked = "238:\tf0 83 44 24 c0 00 \tlock addl $0x0,-0x40(%rsp)";
        assertThat(stores(List.of(exchange, other, store, other, locked), false))
                .hasSize(1);
        assertThat(stores(List.of(exchange, other, store, second, locked), false))
                .hasSize(2);
        assertThat(stores(List.of(other, store, locked), false))
                .as("no exchange")
                .isEmpty();
        assertThat(stores(List.of(exchange, store, other), false))
                .as("no fence")
                .isEmpty();
        assertThat(stores(List.of(store, exchange, locked), false))
                .as("store first")
                .isEmpty();
        assertThat(stores(List.of(exchange, locked, store), false))
                .as("fence too early")
                .isEmpty();
    }

    @Test
    void checkDetectsMissingFences() {
        String record = "1e9:\t45 89 13 \tmov    %r10d,(%r11)";
        String store = "234:\t4f 89 0c 1a \tmov    %r9,(%r10,%r11,1)";
        String fence = "240:\t0f ae f8 \tsfence";
        String locked = "238:\tf0 83 44 24 c0 00 \tlock addl $0x0,-0x40(%rsp)";
        assertThat(stores(List.of(record, fence, store, fence), true)).hasSize(1);
        assertThat(stores(List.of(fence, record, store, fence), true))
                .as("record too late")
                .isEmpty();
        assertThat(stores(List.of(fence, store, fence), true)).as("no record").isEmpty();
        assertThat(stores(List.of(record, store, fence), true))
                .as("no fence before the store")
                .isEmpty();
        assertThat(stores(List.of(record, fence, store, locked), true))
                .as("no fence behind it")
                .isEmpty();
        assertThat(stores(List.of(record, fence, fence, store), true))
                .as("fence too early")
                .isEmpty();
    }

    /**
     * Returns the targets of the 8-byte stores between the record (with the fence or exchange that goes with it) and
     * the next fence or locked instruction.
     */
    private static List<String> stores(List<String> code, boolean fence) {
        int from = MachineCode.indexOf(fence ? FENCE : EXCHANGE, code, 0);
        if (fence && from >= 0) {
            int record = MachineCode.indexOf(RECORD, code, 0);
            from = record >= 0 && record < from ? from : -1;
        }
        int to = from < 0 ? -1 : MachineCode.indexOf(fence ? FENCE : LOCKED, code, from + 1);
        List<String> stores = new ArrayList<>();
        for (int i = from; i >= 0 && i < to; i++) {
            Matcher m = STORE.matcher(code.get(i));
            if (m.find() && !m.group(1).contains("%rsp")) {
                stores.add(m.group(1));
            }
        }
        return stores;
    }
}
