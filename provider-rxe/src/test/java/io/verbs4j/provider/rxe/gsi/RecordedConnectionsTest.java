/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.gsi;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Context;
import io.verbs4j.VerbsLevel;
import io.verbs4j.cm.CmConnection;
import io.verbs4j.cm.CmEventType;
import io.verbs4j.cm.CmListener;
import io.verbs4j.cm.ConnParam;
import io.verbs4j.core.Verbs;
import io.verbs4j.testsupport.FlightRecorded;
import io.verbs4j.testsupport.OwnThreads;
import io.verbs4j.testsupport.Patience;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.Test;

/** What the connection manager reports to the flight recorder. */
class RecordedConnectionsTest {
    private static final long PATIENCE = Patience.SECONDS;

    private static Context open() {
        return Verbs.open(Verbs.defaultDevice(), VerbsLevel.CURRENT);
    }

    @Test
    void connectionsAreRecordedFromAddressToEnd() throws Exception {
        try (Party server = new Party(open());
                Party client = new Party(open());
                CmListener listener = CmListener.listen(
                        server.context, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 4)) {
            List<RecordedEvent> events = FlightRecorded.of(() -> connect(server, client, listener), "ConnectionEvent");
            String port = ":" + listener.address().getPort();
            assertThat(events)
                    .filteredOn(event -> (event.getString("peerAddress") + "").endsWith(port))
                    .extracting(event -> event.getString("type") + " " + event.getInt("status"))
                    .containsSubsequence(
                            CmEventType.toString(CmEventType.ADDR_RESOLVED) + " 0",
                            CmEventType.toString(CmEventType.ROUTE_RESOLVED) + " 0",
                            CmEventType.toString(CmEventType.ESTABLISHED) + " 0");
            assertThat(events)
                    .filteredOn(event -> (event.getString("localAddress") + "").endsWith(port))
                    .extracting(event -> event.getString("type"))
                    .containsSubsequence(
                            CmEventType.toString(CmEventType.CONNECT_REQUEST),
                            CmEventType.toString(CmEventType.ESTABLISHED),
                            CmEventType.toString(CmEventType.DISCONNECTED));
            assertThat(events)
                    .allMatch(event -> event.getString("device")
                            .equals(server.context.device().name()));
        }
    }

    private static void connect(Party server, Party client, CmListener listener) throws Exception {
        CompletableFuture<CmConnection> coming = OwnThreads.supply(() -> listener.accept(
                server.pd, server.attr(), ConnParam.DEFAULT, server::receive, PATIENCE, TimeUnit.SECONDS));
        CmConnection here = CmConnection.connect(
                client.pd,
                listener.address(),
                client.attr(),
                ConnParam.DEFAULT,
                client::receive,
                PATIENCE,
                TimeUnit.SECONDS);
        try (CmConnection there = coming.get(PATIENCE, TimeUnit.SECONDS)) {
            here.close();
            assertThat(there.awaitDisconnected(PATIENCE, TimeUnit.SECONDS)).isTrue();
        }
    }
}
