/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.testsupport.program.Jdk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the JIT compiler makes of a post. A device sees stores where the memory model of Java sees none, and the compiler drops a fence
 * that another follows; so the machine code itself is looked at: the doorbell record by an exchange, then the doorbell by one store
 * of 8 bytes, or the eight of a BlueFlame copy, then a locked instruction.
 */
class DoorbellOrderIT {
    private static final Pattern EXCHANGE = Pattern.compile("xchg\\s+%[a-z0-9]+,\\(%[a-z0-9]+\\)");
    private static final Pattern STORE =
            Pattern.compile("mov\\s+%r[a-z0-9]+,((?:0x[0-9a-f]+)?\\(%r[a-z0-9]+(?:,%r[a-z0-9]+,1)?\\))$");
    private static final Pattern LOCKED = Pattern.compile("lock addl \\$0x0,-?(0x[0-9a-f]+)?\\(%rsp\\)");
    private static final Pattern EIGHTH = Pattern.compile("mov\\s+%r[a-z0-9]+,0x38\\((%r[a-z0-9]+)\\)$");

    static List<Jdk> jdks() throws IOException {
        return Jdk.all();
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void theCompiledPostKeepsTheOrder(Jdk jdk) throws IOException, InterruptedException {
        MachineCode.require();
        List<String> post = MachineCode.of(jdk, SendRing.class, "post", Posts.class);
        assertThat(stores(post)).as("machine code of the post: %s", post).hasSize(1);
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void soItDoesByBlueFlame(Jdk jdk) throws IOException, InterruptedException {
        MachineCode.require();
        List<String> post = MachineCode.of(jdk, SendRing.class, "post", Posts.class, "blueflame");
        assertThat(stores(post)).as("machine code of the post: %s", post).hasSize(8);
        assertThat(MachineCode.indexOf(EIGHTH, post, 0)).isNotNegative();
    }

    /** The check itself: what it looks for, and what it must not let through. */
    @Test
    void theCheckFindsWhatIsMissing() {
        String exchange = "1e9:\t41 87 3a \txchg   %edi,(%r10)";
        String other = "1ec:\t4c 8b d1 \tmov    %rcx,%r10";
        String store = "234:\t4f 89 0c 1a \tmov    %r9,(%r10,%r11,1)";
        String second = "238:\t4f 89 0c 1a \tmov    %r9,0x8(%r11)";
        String locked = "238:\tf0 83 44 24 c0 00 \tlock addl $0x0,-0x40(%rsp)";
        assertThat(stores(List.of(exchange, other, store, other, locked))).hasSize(1);
        assertThat(stores(List.of(exchange, other, store, second, locked))).hasSize(2);
        assertThat(stores(List.of(other, store, locked))).as("no exchange").isEmpty();
        assertThat(stores(List.of(exchange, store, other))).as("no fence").isEmpty();
        assertThat(stores(List.of(store, exchange, locked))).as("store first").isEmpty();
        assertThat(stores(List.of(exchange, locked, store)))
                .as("fence too early")
                .isEmpty();
    }

    /** Where the 8 bytes go that are stored between the first exchange and the next locked instruction. */
    private static List<String> stores(List<String> code) {
        int exchange = MachineCode.indexOf(EXCHANGE, code, 0);
        int locked = exchange < 0 ? -1 : MachineCode.indexOf(LOCKED, code, exchange);
        List<String> stores = new ArrayList<>();
        for (int i = exchange; i >= 0 && i < locked; i++) {
            Matcher m = STORE.matcher(code.get(i));
            if (m.find() && !m.group(1).contains("%rsp")) {
                stores.add(m.group(1));
            }
        }
        return stores;
    }
}
