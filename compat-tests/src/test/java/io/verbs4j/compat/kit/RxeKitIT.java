/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The embedded Soft-RoCE device keeps every rule of the kit; reliable datagrams without order it has not, as no RoCE device has. */
class RxeKitIT {
    @Test
    void keepsEveryRule() {
        List<String> others = KitVerificationTest.rules().stream()
                .map(RxeKitIT::rule)
                .filter(rule -> Arrays.asList(rule.needs()).contains(Capability.RELIABLE_DATAGRAMS))
                .map(Rule::id)
                .toList();

        KitRun run = KitRun.run(RxeKit.class, id -> true);

        assertThat(run.failed()).isEmpty();
        assertThat(run.skipped().keySet()).containsExactlyInAnyOrderElementsOf(others);
        assertThat(run.passed()).hasSize(KitVerificationTest.rules().size() - others.size());
    }

    private static Rule rule(Method method) {
        return method.getAnnotation(Rule.class);
    }
}
