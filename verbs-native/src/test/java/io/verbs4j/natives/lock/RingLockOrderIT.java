/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.natives.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.natives.lock.programs.LockedCountProgram;
import io.verbs4j.testsupport.program.Jdk;
import io.verbs4j.testsupport.program.MachineCode;
import java.io.IOException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Checks the machine code of an owner's lock: it stores that the owner is inside, reads after that whether the
 * ownership is over, and only then stores that the owner is outside. Java's memory model would permit another order;
 * only the machine code shows this one.
 */
class RingLockOrderIT {
    private static final Pattern INSIDE =
            Pattern.compile("movb\\s+\\$0x1,(0x[0-9a-f]+)(\\(%r[a-z0-9]+(?:,%r[a-z0-9]+,8)?\\))");
    private static final Pattern LOAD = Pattern.compile(
            "(?:movzbl\\s+|movsbl\\s+|cmpb\\s+\\$0x0,)(0x[0-9a-f]+)(\\(%r[a-z0-9]+(?:,%r[a-z0-9]+,8)?\\))");

    static List<Jdk> jdks() throws IOException {
        return Jdk.all();
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void ownerChecksOwnershipAfterEntering(Jdk jdk) throws IOException, InterruptedException {
        MachineCode.require();
        List<String> code =
                MachineCode.of(jdk, LockedCountProgram.class, "count", "no.property", LockedCountProgram.class);
        assertThat(looksAfterwards(code)).as("machine code: %s", code).isTrue();
    }

    /** Tests the check itself. */
    @Test
    void checkFindsMissingInstructions() {
        String over = "50:\t0f b6 6a 0c \tmovzbl 0xc(%rdx),%ebp";
        String other = "50:\t0f b6 6b 0c \tmovzbl 0xc(%rbx),%ebp";
        String inside = "40:\tc6 42 0d 01 \tmovb   $0x1,0xd(%rdx)";
        String outside = "60:\t44 88 62 0d \tmov    %r12b,0xd(%rdx)";
        assertThat(looksAfterwards(List.of(inside, over, outside))).isTrue();
        assertThat(looksAfterwards(List.of(inside, other, outside)))
                .as("something else")
                .isFalse();
        assertThat(looksAfterwards(List.of(over, inside, outside)))
                .as("too early")
                .isFalse();
        assertThat(looksAfterwards(List.of(inside, outside, over)))
                .as("too late")
                .isFalse();
    }

    /**
     * {@return whether the other byte of the same object is read between that store and the next store of the same
     * byte}
     */
    private static boolean looksAfterwards(List<String> code) {
        String offset = null;
        String object = null;
        for (String line : code) {
            Matcher store = INSIDE.matcher(line);
            Matcher load = LOAD.matcher(line);
            if (object == null && store.find()) {
                offset = store.group(1);
                object = store.group(2);
            } else if (object != null && line.endsWith("," + offset + object)) {
                return false; // outside again
            } else if (object != null && load.find() && load.group(2).equals(object)) {
                return !load.group(1).equals(offset);
            }
        }
        return false;
    }
}
