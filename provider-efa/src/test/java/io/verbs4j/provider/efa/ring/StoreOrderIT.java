/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.natives.memory.StoreFence;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.program.Jdk;
import io.verbs4j.testsupport.program.MachineCode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Checks the machine code that the JIT compiler makes of a post: a fence (or an exchange without one), the eight stores
 * of a descriptor in ascending order, another fence, and the doorbell by one store of 4 bytes.
 */
@Full
class StoreOrderIT {
    private static final Pattern FENCE = Pattern.compile("\\tsfence");
    private static final Pattern EXCHANGE =
            Pattern.compile("xchg\\s+%[a-z0-9]+,-?(?:0x[0-9a-f]+)?\\(%[a-z0-9]+(?:,%[a-z0-9]+,1)?\\)");
    private static final Pattern STORE = Pattern.compile(
            "mov(?:q\\s+\\$0x[0-9a-f]+|\\s+%r(?:[a-z]+|[0-9]+)),(0x[0-9a-f]+)?(\\(%r[a-z0-9]+(?:,%r[a-z0-9]+,1)?\\))$");
    private static final Pattern DOORBELL =
            Pattern.compile("mov\\s+%(?:e[a-z]+|r[0-9]+d),\\(%r[a-z0-9]+(?:,%r[a-z0-9]+,1)?\\)$");

    static List<Jdk> jdks() throws IOException {
        return Jdk.all();
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void compiledPostKeepsStoreOrder(Jdk jdk) throws IOException, InterruptedException {
        List<String> post = post(jdk, true);
        assertThat(isInOrder(post, StoreFence.isAvailable() ? FENCE : EXCHANGE))
                .as("machine code of the post: %s", post)
                .isTrue();
    }

    /** As on processors without a store fence that Java can reach. */
    @ParameterizedTest
    @MethodSource("jdks")
    void lockedInstructionsKeepStoreOrder(Jdk jdk) throws IOException, InterruptedException {
        List<String> post = post(jdk, false);
        assertThat(isInOrder(post, EXCHANGE))
                .as("machine code of the post: %s", post)
                .isTrue();
    }

    private static List<String> post(Jdk jdk, boolean fence) throws IOException, InterruptedException {
        MachineCode.require();
        String property = StoreFence.PROPERTY + "=" + fence;
        return MachineCode.of(jdk, SendRing.class, "post", property, PostsProgram.class);
    }

    /**
     * Returns whether the code has a fence, then a whole descriptor, another fence, and a doorbell before any further
     * fence.
     */
    private static boolean isInOrder(List<String> code, Pattern fence) {
        for (int from = MachineCode.indexOf(fence, code, 0);
                from >= 0;
                from = MachineCode.indexOf(fence, code, from + 1)) {
            int to = MachineCode.indexOf(fence, code, from + 1);
            if (to < 0) {
                return false;
            }
            int next = MachineCode.indexOf(fence, code, to + 1);
            int doorbell = MachineCode.indexOf(DOORBELL, code, to + 1);
            if (hasDescriptor(code.subList(from, to)) && doorbell >= 0 && (next < 0 || doorbell < next)) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether eight stores of 8 bytes ascend from an address held in one register or two. */
    private static boolean hasDescriptor(List<String> code) {
        List<Integer> offsets = new ArrayList<>();
        String place = null;
        for (String line : code) {
            Matcher m = STORE.matcher(line);
            if (!m.find() || m.group(2).contains("%rsp")) {
                continue;
            }
            int offset = m.group(1) == null ? 0 : Integer.decode(m.group(1));
            if (offset == 0 || !m.group(2).equals(place)) {
                offsets.clear();
                place = m.group(2);
            }
            offsets.add(offset);
            if (offsets.equals(List.of(0, 8, 16, 24, 32, 40, 48, 56))) {
                return true;
            }
        }
        return false;
    }

    /** Tests the check itself: what it accepts, and what it must reject. */
    @Test
    void checkDetectsWrongStoreOrder() {
        String fence = "240:\t0f ae f8 \tsfence";
        String doorbell = "1e9:\t45 89 13 \tmov    %r10d,(%r11)";
        List<String> descriptor = new ArrayList<>(List.of("1:\t4f \tmov    %r9,(%r10)"));
        for (String at : List.of("0x8", "0x10", "0x18", "0x20", "0x28", "0x30", "0x38")) {
            descriptor.add("2:\t4f \tmov    %rcx," + at + "(%r10)");
        }
        assertThat(isInOrder(joined(List.of(fence), descriptor, List.of(fence, doorbell)), FENCE))
                .isTrue();
        assertThat(isInOrder(joined(descriptor, List.of(fence, doorbell)), FENCE))
                .as("no fence before")
                .isFalse();
        assertThat(isInOrder(joined(List.of(fence), descriptor, List.of(doorbell)), FENCE))
                .as("no fence behind")
                .isFalse();
        assertThat(isInOrder(joined(List.of(fence, doorbell), descriptor, List.of(fence)), FENCE))
                .as("the doorbell too early")
                .isFalse();
        assertThat(isInOrder(joined(List.of(fence), descriptor.subList(0, 7), List.of(fence, doorbell)), FENCE))
                .as("a store is missing")
                .isFalse();
        Collections.swap(descriptor, 3, 4);
        assertThat(isInOrder(joined(List.of(fence), descriptor, List.of(fence, doorbell)), FENCE))
                .as("another order")
                .isFalse();
    }

    @SafeVarargs
    private static List<String> joined(List<String>... parts) {
        List<String> all = new ArrayList<>();
        for (List<String> part : parts) {
            all.addAll(part);
        }
        return all;
    }
}
