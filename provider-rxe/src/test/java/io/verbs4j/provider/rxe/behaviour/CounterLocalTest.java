/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.verbs4j.CompCntrInitAttr;
import io.verbs4j.CompletionCounter;
import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Completion counters of two contexts of one device. */
class CounterLocalTest extends TwoSides {
    @Override
    boolean overTheWire() {
        return false;
    }

    /** The limit is shared by both contexts, and a closed counter is available again. */
    @Test
    void counterLimitIsSharedByContexts() {
        make(side -> {});
        List<CompletionCounter> all = new ArrayList<>();
        int most = a.context.queryCompCntrCaps().maxCounters();
        for (int i = 0; i < most; i++) {
            all.add(a.opened((i % 2 == 0 ? a : b).context.createCompCntr(new CompCntrInitAttr())));
        }
        for (Side side : List.of(a, b)) {
            assertThatExceptionOfType(VerbsException.class)
                    .isThrownBy(() -> side.context.createCompCntr(new CompCntrInitAttr()))
                    .satisfies(e -> assertThat(e.errno()).isEqualTo(Errno.ENOMEM))
                    .withMessageContaining("all 65536 completion counters of the device are in use");
        }
        all.get(7).close();
        a.opened(a.context.createCompCntr(new CompCntrInitAttr()));
    }
}
