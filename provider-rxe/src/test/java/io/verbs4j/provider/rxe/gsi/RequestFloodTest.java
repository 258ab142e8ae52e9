/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.gsi;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.DeviceKind;
import io.verbs4j.Gid;
import io.verbs4j.VerbsLevel;
import io.verbs4j.cm.CmConnection;
import io.verbs4j.cm.ConnParam;
import io.verbs4j.core.Verbs;
import io.verbs4j.testsupport.Extent;
import io.verbs4j.testsupport.Patience;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Strangers request connections from a server with plain packets and never confirm one: it serves others, and keeps
 * nothing.
 */
@Tag("attack")
@Timeout(Patience.TEST_SECONDS)
class RequestFloodTest {
    private static final long FLOOD = TimeUnit.MILLISECONDS.toNanos(Extent.isHours() ? 12_000 : 1_500);
    private static final int SOURCES = 24;

    /** An unconfirmed request was once answered for 52 s. */
    private static final long FOREVER = TimeUnit.SECONDS.toMillis(600);

    private static final long SOON = TimeUnit.SECONDS.toNanos(26);
    private static final long HEAP = 4 << 20;

    private static Gid stranger(int number) {
        try {
            return Gid.of(InetAddress.getByAddress(new byte[] {127, 90, 1, (byte) (number + 1)}));
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    private static Party client() {
        return new Party(Verbs.open(
                Verbs.devices().stream()
                        .filter(d -> d.kind() == DeviceKind.EMBEDDED)
                        .findFirst()
                        .orElseThrow(),
                VerbsLevel.CURRENT));
    }

    private static void serves(Party client, ServerProcess server, int value) {
        try (CmConnection c = CmConnection.connect(
                client.pd,
                server.address,
                client.attr(),
                ConnParam.DEFAULT,
                client::receive,
                Patience.SECONDS,
                TimeUnit.SECONDS)) {
            client.send(c.queuePair(), value);
            assertThat(client.answer()).isEqualTo(value + 1);
        }
    }

    @Test
    void unconfirmedRequestKeepsNobodyAway() throws Exception {
        try (ServerProcess server = new ServerProcess(false, FOREVER);
                Party client = client();
                ForgedRequest stranger = new ForgedRequest(stranger(100), server.gid(), server.address.getPort())) {
            serves(client, server, 0);
            for (int i = 1; i < 4; i++) {
                stranger.send();
                long begun = System.nanoTime();
                serves(client, server, i);
                assertThat(System.nanoTime() - begun).isLessThan(SOON);
            }
        }
    }

    @Test
    void floodOfRequestsStaysWithinBacklog() throws Exception {
        try (ServerProcess server = new ServerProcess(false, 1000);
                Party client = client()) {
            serves(client, server, 0);
            server.served();
            Figures before = server.figures();
            long sent = flood(server);
            assertThat(sent).isGreaterThan(10L * AcceptingServerProgram.BACKLOG);
            assertThat(server.process.isAlive()).isTrue();
            serves(client, server, 1);
            Figures after;
            long end = System.nanoTime() + Patience.NANOS;
            do {
                assertThat(System.nanoTime())
                        .as("time until the server has freed everything")
                        .isLessThan(end);
                server.served();
                after = server.figures();
            } while (after.descriptors() > before.descriptors() || after.heap() > before.heap() + HEAP);
            serves(client, server, 2);
        }
    }

    /** Many addresses send requests as fast as possible; returns how many were sent. */
    private static long flood(ServerProcess server) throws IOException {
        List<ForgedRequest> all = new ArrayList<>();
        try {
            for (int i = 0; i < SOURCES; i++) {
                all.add(new ForgedRequest(stranger(i), server.gid(), server.address.getPort()));
            }
            long sent = 0;
            long end = System.nanoTime() + FLOOD;
            while (System.nanoTime() < end) {
                all.forEach(ForgedRequest::send);
                sent += SOURCES;
            }
            return sent;
        } finally {
            all.forEach(ForgedRequest::close);
        }
    }
}
