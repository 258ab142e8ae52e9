/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.port;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.provider.rxe.TestContext;
import io.verbs4j.provider.rxe.link.Link;
import io.verbs4j.provider.rxe.link.LinkCounters;
import io.verbs4j.provider.rxe.wire.Bth;
import io.verbs4j.provider.rxe.wire.Opcode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The counters are written when the last context is closed. */
class CounterReportTest {
    private static final String PROPERTY = "io.verbs4j.rxe.counters";

    @TempDir
    Path folder;

    @Test
    void nonZeroCountersAreWritten() throws IOException {
        Path file = folder.resolve("counters.txt");
        RxeConfig config =
                new RxeConfig(1, List.of(TestContext.newAddress()), true, TestContext.PACKETS, file.toString());
        TestContext context = TestContext.open(config);
        try (context) {
            Link link = context.port().link(context.port().gid(0));
            var batch = link.newBatch();
            int at = batch.begin(link.localGid().subnetPrefix(), link.localGid().interfaceId(), Bth.LENGTH);
            Bth.write(batch.buffer(), at, Opcode.RC_SEND_ONLY, false, false, 0, Bth.DEFAULT_PKEY, 12345, false, 1);
            batch.end(Bth.LENGTH);
            batch.flush();
            // Another thread may still be processing the packet, which the link counts last.
            while (link.counters().get(LinkCounters.RX_UNWANTED) == 0) {
                context.port().poll();
            }
            assertThat(file).doesNotExist();
        }
        assertThat(Files.readAllLines(file))
                .contains("rxe_emb0 tx_packets 1", "rxe_emb0 rx_unwanted 1", "rxe_emb0 rx_drop_unknown_qp 1")
                .allSatisfy(line -> assertThat(line).doesNotEndWith(" 0"));
    }

    @Test
    void unwritableFileDoesNotFailClose() {
        RxeConfig config = new RxeConfig(
                1,
                List.of(TestContext.newAddress()),
                true,
                TestContext.PACKETS,
                folder.resolve("missing/counters.txt").toString());
        TestContext context = TestContext.open(config);
        context.close();
        assertThat(folder.resolve("missing")).doesNotExist();
    }

    @Test
    void propertyNamesFile() {
        assertThat(RxeConfig.fromProperties().counters()).isNull();
        System.setProperty(PROPERTY, "-");
        try {
            assertThat(RxeConfig.fromProperties().counters()).isEqualTo("-");
        } finally {
            System.clearProperty(PROPERTY);
        }
    }
}
