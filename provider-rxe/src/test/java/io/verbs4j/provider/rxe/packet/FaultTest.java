/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import io.verbs4j.QpType;
import io.verbs4j.testsupport.Full;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Two devices and a network that loses, duplicates, delays, reorders, truncates and corrupts packets: every message
 * arrives once, whole and in order, and every work request completes once.
 */
class FaultTest {
    @Test
    void everythingArrivesOnceDespiteAllFaults() {
        everythingArrivesOnce("all", 7, 3);
    }

    @Full
    @ParameterizedTest
    @CsvSource({
        "drop, 1, 5",
        "duplicate, 2, 5",
        "delay, 3, 5",
        "reorder, 4, 5",
        "truncate, 5, 5",
        "corrupt, 6, 5",
        "all, 8, 4",
        "all, 9, 5"
    })
    void everythingArrivesOnce(String fault, int seed, int mtu) {
        String faults = switch (fault) {
            case "all" -> "drop=0.05,duplicate=0.05,delay=0.05,reorder=0.05,truncate=0.05,corrupt=0.05";
            case "undamaged" -> "drop=0.1,duplicate=0.05,delay=0.05,reorder=0.05";
            default -> fault + "=0.05";
        };
        try (Subject a = new Subject(QpType.RC, faults + ",delay-ms=1,seed=" + seed, Conversation.BYTES);
                Subject b = new Subject(QpType.RC, faults + ",delay-ms=1,seed=" + -seed, Conversation.BYTES)) {
            for (Subject s : new Subject[] {a, b}) {
                s.mtu = mtu;
                s.expectLoss();
                s.rnrRetry = 7;
                s.minRnrTimer = 1;
            }
            a.connect(b.gid(), b.qp.qpNum(), 0xffff00, 77);
            b.connect(a.gid(), a.qp.qpNum(), 77, 0xffff00);
            new Conversation(a, b, seed).run(Conversation.TOTAL);
        }
    }
}
