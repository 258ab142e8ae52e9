/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.testsupport.program.Jdk;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the JIT compiler makes of an owner's lock: that he is inside is stored first, whose the lock is is read again after that, and
 * before he is outside again. The memory model of Java would allow another order; nothing but the machine code shows this one.
 */
class RingLockOrderIT {
    private static final Pattern INSIDE = Pattern.compile("movb\\s+\\$0x1,(0x[0-9a-f]+\\(%r[a-z0-9]+\\))");
    private static final Pattern LOAD = Pattern.compile("mov\\s+(0x[0-9a-f]+\\(%r[a-z0-9]+\\)),%e?[a-z0-9]+");

    static List<Jdk> jdks() throws IOException {
        return Jdk.all();
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void theOwnerLooksAgain(Jdk jdk) throws IOException, InterruptedException {
        MachineCode.require();
        List<String> code = MachineCode.of(jdk, LockedCount.class, "count", LockedCount.class);
        assertThat(looksAgain(code)).as("machine code: %s", code).isTrue();
    }

    /** The check itself. */
    @Test
    void theCheckFindsWhatIsMissing() {
        String load = "1c:\t44 8b 5a 1c \tmov    0x1c(%rdx),%r11d";
        String again = "50:\t8b 6a 1c \tmov    0x1c(%rdx),%ebp";
        String other = "50:\t8b 6a 20 \tmov    0x20(%rdx),%ebp";
        String inside = "40:\tc6 42 15 01 \tmovb   $0x1,0x15(%rdx)";
        String outside = "60:\t44 88 62 15 \tmov    %r12b,0x15(%rdx)";
        assertThat(looksAgain(List.of(load, inside, again, outside))).isTrue();
        assertThat(looksAgain(List.of(load, inside, other, outside)))
                .as("something else")
                .isFalse();
        assertThat(looksAgain(List.of(load, again, inside, outside)))
                .as("too early")
                .isFalse();
        assertThat(looksAgain(List.of(load, inside, outside, again)))
                .as("too late")
                .isFalse();
    }

    private static boolean looksAgain(List<String> code) {
        Set<String> before = new HashSet<>();
        String inside = null;
        for (String line : code) {
            Matcher store = INSIDE.matcher(line);
            Matcher load = LOAD.matcher(line);
            if (inside == null && store.find()) {
                inside = store.group(1);
            } else if (inside != null && line.endsWith("," + inside)) {
                return false; // outside again
            } else if (load.find()) {
                if (inside == null) {
                    before.add(load.group(1));
                } else if (before.contains(load.group(1))) {
                    return true;
                }
            }
        }
        return false;
    }
}
