/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.tools.traffic.Service;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StepTest {
    @Test
    void stepParsesBackEqual() {
        for (Operation operation : Operation.values()) {
            for (boolean latency : new boolean[] {false, true}) {
                for (int size = 1; size <= Step.LONGEST; size *= 2) {
                    Step step = Step.of(operation, Service.RC, latency, size, 64, true);
                    assertThat(Step.parse(Control.pairs("step " + step.toText())))
                            .isEqualTo(step);
                    assertThat(step.bufferLength()).isLessThan(200 << 20);
                    assertThat(step.depth()).isBetween(1, 64);
                }
            }
        }
    }

    /** A server must validate whatever a client sends. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "operation=FLY service=RC latency=false size=8 depth=1 slots=4 verify=true",
                "operation=SEND service=SRQ latency=false size=8 depth=1 slots=4 verify=true",
                "operation=READ service=UD latency=false size=8 depth=1 slots=4 verify=true",
                "operation=SEND service=RC latency=false size=0 depth=1 slots=4 verify=true",
                "operation=SEND service=RC latency=false size=-8 depth=1 slots=4 verify=true",
                "operation=SEND service=RC latency=false size=9000000 depth=1 slots=4 verify=true",
                "operation=SEND service=RC latency=false size=8 depth=0 slots=4 verify=true",
                "operation=SEND service=RC latency=false size=8 depth=5 slots=4 verify=true",
                "operation=SEND service=RC latency=true size=8 depth=1 slots=2 verify=true",
                "operation=SEND service=RC latency=false size=8388608 depth=1 slots=1000 verify=true",
                "operation=SEND service=RC latency=false size=8 depth=1 slots=2000000000 verify=true",
                "operation=SEND service=RC latency=false size=x depth=1 slots=4 verify=true",
            })
    void invalidStepIsRefused(String text) {
        assertThatThrownBy(() -> Step.parse(Control.pairs("step " + text))).hasMessageContaining("does not understand");
    }

    @Test
    void slotsDoNotOverlap() {
        Step step = Step.of(Operation.SEND, Service.UD, false, 1000, 7, true);
        assertThat(Layout.in(step, 1) - Layout.in(step, 0)).isGreaterThanOrEqualTo(1040);
        assertThat(Layout.out(step, 0) - Layout.in(step, step.slots())).isGreaterThanOrEqualTo(1040);
        assertThat(Layout.out(step, 1) - Layout.out(step, 0)).isGreaterThanOrEqualTo(1000);
        assertThat(Layout.creditIn(step, 0) - Layout.out(step, step.depth())).isGreaterThanOrEqualTo(1000);
        assertThat(Layout.creditIn(step, 1) - Layout.creditIn(step, 0)).isGreaterThanOrEqualTo(48);
        assertThat(Layout.creditOut(step, Layout.CREDITS)).isEqualTo(step.bufferLength());
    }

    @Test
    void invalidNumberFromPeerFails() {
        Map<String, String> pairs = Control.pairs("ready memory=0x7f0000001000 rkey=0xffffffff mtu=x");
        assertThat(Control.number(pairs, "memory")).isEqualTo(0x7f0000001000L);
        assertThat((int) Control.number(pairs, "rkey")).isEqualTo(-1);
        assertThatThrownBy(() -> Control.number(pairs, "mtu")).hasMessageContaining("no number for 'mtu'");
        assertThatThrownBy(() -> Control.number(pairs, "reads")).hasMessageContaining("no number for 'reads'");
    }
}
