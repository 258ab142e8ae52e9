/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.testsupport.Patience;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PeerLinkTest {
    private static final int MILLIS = (int) (Patience.SECONDS * 1000);

    private Socket left;
    private Socket right;

    @BeforeEach
    void connect() throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            left = new Socket(listener.getInetAddress(), listener.getLocalPort());
            right = listener.accept();
        }
    }

    @AfterEach
    void disconnect() throws Exception {
        left.close();
        right.close();
    }

    private static void await(PeerLink link) throws InterruptedException {
        long end = System.nanoTime() + Patience.NANOS;
        while (link.problem() == null && System.nanoTime() < end) {
            Thread.sleep(1);
        }
    }

    @Test
    void fasterSideWaitsForSlower() throws Exception {
        PeerLink a = new PeerLink(left);
        PeerLink b = new PeerLink(right);
        a.keepsLink();
        b.keepsLink();
        long before = System.nanoTime();
        Thread later = new Thread(() -> {
            try {
                Thread.sleep(200);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            b.finish(MILLIS);
        });
        later.start();
        a.finish(MILLIS);
        assertThat(System.nanoTime() - before).isGreaterThan(150_000_000L);
        later.join(MILLIS);
        assertThat(later.isAlive()).isFalse();
        assertThat(a.problem()).isNull();
        assertThat(b.problem()).isNull();
    }

    @Test
    void peersErrorIsReported() throws Exception {
        PeerLink a = new PeerLink(left);
        PeerLink b = new PeerLink(right);
        b.fail("no such thing");
        await(a);
        assertThat(a.problem()).isEqualTo("the peer reports: no such thing");
        assertThatThrownBy(() -> a.finish(100)).hasMessage("the peer reports: no such thing");
    }

    @Test
    void peersTextIsPrintedWithoutEscapes() throws Exception {
        PeerLink a = new PeerLink(left);
        right.getOutputStream().write("E\u001b]0;gone\u0007 well\n".getBytes(StandardCharsets.UTF_8));
        right.shutdownOutput();
        await(a);
        assertThat(a.problem()).isEqualTo("the peer reports: .]0;gone. well");
    }

    @Test
    void closedLinkOfJavaPeerIsReported() throws Exception {
        PeerLink a = new PeerLink(left);
        a.keepsLink();
        right.close();
        await(a);
        assertThat(a.problem()).startsWith("the peer is gone");
    }

    @Test
    void closedLinkOfCPeerIsIgnored() throws Exception {
        PeerLink a = new PeerLink(left);
        right.close();
        Thread.sleep(50);
        assertThat(a.problem()).isNull();
        assertThatCode(() -> a.finish(1000)).doesNotThrowAnyException();
    }

    @Test
    void waitForPeerTimesOut() {
        PeerLink a = new PeerLink(left);
        assertThatCode(() -> a.finish(100)).doesNotThrowAnyException();
    }
}
