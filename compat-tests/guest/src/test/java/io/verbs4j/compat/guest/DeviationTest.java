/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.guest;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.DeviceCap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The expectations about kernels, tested without booting one. */
class DeviationTest {
    private static final Map<String, String> SEEN = Map.of("R2.06", "made with 5, query tells 7");
    private static final Map<String, String> NOT_SEEN = Map.of("R2.06", "made with 5, query tells 5");

    @Test
    void measuredKernelDeviatesAsMeasured() {
        assertThat(Deviation.of("R2.06", "6.1.0-56-amd64", NOT_SEEN)).contains(Deviation.CAPACITIES);
        assertThat(Deviation.of("R2.06", "7.2.13", SEEN)).isEmpty();
    }

    @Test
    void otherKernelDeviatesWhereCSeesIt() {
        assertThat(Deviation.of("R2.06", "6.12.9-amd64", SEEN)).contains(Deviation.CAPACITIES);
        assertThat(Deviation.of("R2.06", "6.12.9-amd64", NOT_SEEN)).isEmpty();
        assertThat(Deviation.of("R2.06", "6.12.9-amd64", Map.of())).isEmpty();
    }

    @Test
    void kernelOffersAreReadFromIbvDevinfo() {
        String caps = "\tdevice_cap_flags_ex:\t\t0x1C001223C76";
        List<String> with = List.of("\tgeneral_odp_caps:", "\t\t\t\t\tODP_SUPPORT", "\trc_odp_caps:", caps);
        List<String> without = List.of("\tgeneral_odp_caps:", "\trc_odp_caps:", "\t\t\t\t\tNO SUPPORT", caps);
        assertThat(KernelOffers.of(with).onDemand()).isTrue();
        assertThat(KernelOffers.of(without).onDemand()).isFalse();
        assertThat(KernelOffers.of(with).has(DeviceCap.FLUSH_GLOBAL | DeviceCap.ATOMIC_WRITE))
                .isTrue();
        assertThat(KernelOffers.of(List.of("\tdevice_cap_flags_ex:\t\t0x1223C76"))
                        .has(DeviceCap.ATOMIC_WRITE))
                .isFalse();
    }
}
