/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.top;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.rxedv.RunningDevice;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TopTableTest {
    private static final long SECOND = 1_000_000_000L;

    private record Counted(long pid, String device, Map<String, Long> counters) implements RunningDevice {}

    private final TopTable table = new TopTable();

    private List<String> next(long nanos, RunningDevice... devices) {
        return table.next(List.of(devices), nanos)
                .lines()
                .map(line -> line.strip().replaceAll(" +", " "))
                .toList();
    }

    private static RunningDevice device(long pid, Map<String, Long> counters) {
        return new Counted(pid, "rxe_emb0", counters);
    }

    @Test
    void ratesCoverTimeSincePreviousTable() {
        Map<String, Long> first = Map.of(
                "tx_bytes", 1_000_000L, "rx_bytes", 5L, "tx_packets", 10L, "rx_drop_unknown_qp", 1L, "go_backs", 2L);
        Map<String, Long> second = Map.of(
                "tx_bytes",
                3_000_000L,
                "tx_onecopy_bytes",
                4_000_000L,
                "rx_bytes",
                5L,
                "tx_packets",
                20L,
                "rx_packets",
                30L,
                "rx_onecopy_records",
                60L,
                "rx_drop_unknown_qp",
                5L,
                "tx_drop_full",
                2L,
                "go_backs",
                8L);
        assertThat(next(0, device(7, first)))
                .containsExactly(
                        "PID DEVICE SENT MB/s RECV MB/s PACKETS/s DROPS/s RESENDS/s", "7 rxe_emb0 0.0 0.0 0 0 0");
        assertThat(next(2 * SECOND, device(7, second))).endsWith("7 rxe_emb0 3.0 0.0 50 3 3");
    }

    @Test
    void busiestDeviceIsListedFirst() {
        next(0, device(1, Map.of()), device(2, Map.of()), device(3, Map.of()));
        assertThat(next(
                        SECOND,
                        device(1, Map.of("tx_bytes", 1_000_000L)),
                        device(2, Map.of("rx_bytes", 9_000_000L)),
                        device(3, Map.of("tx_bytes", 4_000_000L))))
                .extracting(line -> line.split(" ", -1)[0])
                .containsExactly("PID", "2", "3", "1");
    }

    @Test
    void endedProcessHasNoRowAndEmptyTableSaysSo() {
        next(0, device(1, Map.of()));
        assertThat(next(SECOND)).endsWith("no process of this user is exchanging packets");
    }

    @Test
    void returningDeviceStartsWithZeroRates() {
        next(0, device(1, Map.of("tx_bytes", 9_000_000L)));
        next(SECOND);
        assertThat(next(2 * SECOND, device(1, Map.of("tx_bytes", 10_000_000L)))).endsWith("1 rxe_emb0 0.0 0.0 0 0 0");
    }
}
