/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PeersPictureTest {
    private static Figure figure(String comparison, String what, Unit unit, double ours, double theirs) {
        return new Figure(
                comparison, new Metric(what, unit), List.of(ours, ours, ours), List.of(theirs, theirs, theirs));
    }

    private static List<Figure> of(String comparison, double round, double theirRound, double send, double theirSend) {
        return List.of(
                figure(comparison, "onecopy-round-trip-64B-polled", Unit.MICROSECONDS, round, theirRound),
                figure(comparison, "onecopy-send-64KiB", Unit.MEGABYTES_PER_SECOND, send, theirSend),
                figure(comparison, "packets-send-64KiB", Unit.MEGABYTES_PER_SECOND, 77, 78));
    }

    @Test
    void barsAreProportionalToMedians() {
        List<Figure> figures = List.of(
                figure("rxe-uds", "onecopy-round-trip-64B-polled", Unit.MICROSECONDS, 2, 8),
                figure("rxe-uds", "onecopy-send-64KiB", Unit.MEGABYTES_PER_SECOND, 12_000, 3_000));
        assertThat(PeersPicture.of(figures).lines())
                .containsSubsequence(
                        "<text x='192' y='57' text-anchor='end'>verbs4j</text>",
                        "<rect x='200' y='43' width='110.0' height='20' fill='#2f7d4f'/>",
                        "<text x='316.0' y='57'>2.00</text>",
                        "<text x='192' y='83' text-anchor='end'>Unix-domain socket</text>",
                        "<rect x='200' y='69' width='440.0' height='20' fill='#9aa5b1'/>",
                        "<text x='646.0' y='83'>8.00</text>")
                .anyMatch(line -> line.endsWith(">12,000</text>"))
                .anyMatch(line -> line.endsWith(">3,000</text>"));
    }

    @Test
    void unmeasuredPeerIsOmitted() {
        String picture = PeersPicture.of(of("rxe-tcp", 2, 7, 12_000, 1_400));
        assertThat(picture).contains(">TCP<").doesNotContain("UCX", "Unix", "RDMA WRITE", ">77<", ">78<");
    }

    @Test
    void ownBarIsMedianOfAllComparisons() {
        List<Figure> figures = new ArrayList<>(of("rxe-tcp", 2, 7, 10_000, 1_400));
        figures.addAll(of("rxe-uds", 4, 8, 14_000, 4_000));
        assertThat(PeersPicture.of(figures)).contains(">3.00<", ">12,000<");
    }

    @Test
    void figuresWithoutPeersAreRefused() {
        List<Figure> other = List.of(figure("rxe-udp", "onecopy-send-64B", Unit.MESSAGES_PER_SECOND, 1, 2));
        assertThatThrownBy(() -> PeersPicture.of(other)).hasMessageContaining("run all cases of rxe-tcp, rxe-uds");
    }
}
