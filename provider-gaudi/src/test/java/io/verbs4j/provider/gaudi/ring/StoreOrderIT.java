/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.ring;

import static org.assertj.core.api.Assertions.assertThat;

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
 * Checks the machine code that the JIT compiler makes of a post: the four stores of a descriptor, then the doorbell by
 * one store of 8 bytes. The processor keeps stores to cached memory before a later store to uncached memory, so only
 * the compiler's order matters.
 */
@Full
class StoreOrderIT {
    private static final Pattern STORE = Pattern.compile(
            "mov(?:q\\s+\\$0x[0-9a-f]+|\\s+%r(?:[a-z]+|[0-9]+)),(0x[0-9a-f]+)?(\\(%r[a-z0-9]+(?:,%r[a-z0-9]+,1)?\\))$");

    static List<Jdk> jdks() throws IOException {
        return Jdk.all();
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void compiledPostRingsAfterDescriptor(Jdk jdk) throws IOException, InterruptedException {
        MachineCode.require();
        List<String> post = MachineCode.of(jdk, SendRing.class, "post", "none=none", PostsProgram.class);
        assertThat(isInOrder(post)).as("machine code of the post: %s", post).isTrue();
    }

    /**
     * Returns whether four stores of 8 bytes fill one place, and a store to another place follows but does not precede
     * them.
     */
    private static boolean isInOrder(List<String> code) {
        List<Integer> offsets = new ArrayList<>();
        String place = null;
        boolean whole = false;
        for (String line : code) {
            Matcher m = STORE.matcher(line);
            if (!m.find() || m.group(2).contains("%rsp")) {
                continue;
            }
            int offset = m.group(1) == null ? 0 : Integer.decode(m.group(1));
            if (whole && offset == 0) {
                return true;
            }
            if (offset == 0 || !m.group(2).equals(place)) {
                offsets.clear();
                place = m.group(2);
            }
            offsets.add(offset);
            whole |= offsets.equals(List.of(0, 8, 16, 24));
        }
        return false;
    }

    /** Tests the check itself: what it accepts, and what it must reject. */
    @Test
    void checkDetectsWrongStoreOrder() {
        String doorbell = "1e9:\t45 89 13 \tmov    %r10,(%r11)";
        List<String> descriptor = new ArrayList<>(List.of("1:\t4f \tmov    %r9,(%r10)"));
        for (String at : List.of("0x8", "0x10", "0x18")) {
            descriptor.add("2:\t4f \tmov    %rcx," + at + "(%r10)");
        }
        assertThat(isInOrder(joined(descriptor, List.of(doorbell)))).isTrue();
        assertThat(isInOrder(joined(List.of(doorbell), descriptor)))
                .as("too early")
                .isFalse();
        assertThat(isInOrder(joined(descriptor, List.of("3:\t4f \tmov    %r10d,(%r11)"))))
                .as("half of it")
                .isFalse();
        assertThat(isInOrder(joined(descriptor.subList(0, 3), List.of(doorbell))))
                .as("a store is missing")
                .isFalse();
    }

    private static List<String> joined(List<String> first, List<String> second) {
        List<String> all = new ArrayList<>(first);
        all.addAll(second);
        return all;
    }
}
