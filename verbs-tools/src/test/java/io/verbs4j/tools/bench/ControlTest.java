/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.testsupport.Full;
import io.verbs4j.tools.base.ToolException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ControlTest {
    /** More bytes than a connection buffers without a reader. */
    private static final long ENDLESS = 200_000_000;

    private Control left;
    private Control right;
    private Socket wire;

    @BeforeEach
    void connect() throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            wire = new Socket(listener.getInetAddress(), listener.getLocalPort());
            left = new Control(wire, 1500);
            right = new Control(listener.accept(), 1500);
        }
    }

    @AfterEach
    void disconnect() {
        left.close();
        right.close();
    }

    @Test
    void sentPairsAreReceived() {
        left.send("check first=5 count=0x10");
        var pairs = right.receive("check");
        assertThat(Control.number(pairs, "first")).isEqualTo(5);
        assertThat(Control.number(pairs, "count")).isEqualTo(16);
    }

    @Test
    void unexpectedCommandFails() {
        left.send("stop sent=1");
        assertThatThrownBy(() -> right.receive("check"))
                .hasMessageContaining("'stop sent=1' where 'check' was expected");
    }

    @Test
    void peersErrorIsReported() {
        left.fail("no room\nat all");
        assertThatThrownBy(() -> right.receive("check")).hasMessage("the peer reports: no room at all");
    }

    /** If two sides fail because of each other, neither may report the other's report. */
    @Test
    void firstOwnErrorOfPeerIsKept() {
        right.fail("the peer reports: something");
        right.fail("the disk is full");
        ToolException words = left.words(1000);
        assertThat(words).hasMessage("the peer reports: the disk is full");
        assertThat(left.words(10)).isNull();
    }

    @Test
    @Tag("attack")
    void peersTextIsPrintedWithoutEscapes() {
        left.send("error \u001b[2J\u202eall\u009b0m is well");
        assertThatThrownBy(() -> right.receive("check")).hasMessage("the peer reports: .[2J.all.0m is well");
        left.send("\u001b]0;owned\u0007");
        assertThatThrownBy(() -> right.receive("check")).hasMessageContaining("the peer sent '.]0;owned.' where");
    }

    /** What an endlessly sending peer sends stays in the connection instead of filling memory. */
    @Test
    @Tag("attack")
    void endlessLineIsRefused() throws Exception {
        byte[] piece = "x".repeat(100_000).getBytes(StandardCharsets.US_ASCII);
        AtomicLong taken = new AtomicLong();
        Thread attacker = flood(piece, taken);
        assertThatThrownBy(() -> right.receive("check")).hasMessageContaining("a line of more than 8192 characters");
        awaitStandstill(taken);
        right.close();
        attacker.join(30_000);
        assertThat(attacker.isAlive()).isFalse();
    }

    @Test
    @Tag("attack")
    void unreadLinesStayInConnection() throws Exception {
        byte[] piece = "y\n".repeat(50_000).getBytes(StandardCharsets.US_ASCII);
        AtomicLong taken = new AtomicLong();
        Thread attacker = flood(piece, taken);
        awaitStandstill(taken);
        assertThatThrownBy(() -> right.receive("check")).hasMessageContaining("the peer sent 'y' where 'check'");
        right.close();
        attacker.join(30_000);
        assertThat(attacker.isAlive()).isFalse();
    }

    private Thread flood(byte[] piece, AtomicLong taken) {
        Thread attacker = new Thread(() -> {
            try {
                while (taken.get() < ENDLESS) {
                    wire.getOutputStream().write(piece);
                    taken.addAndGet(piece.length);
                }
            } catch (IOException e) {
                // the connection is closed
            }
        });
        attacker.setDaemon(true);
        attacker.start();
        return attacker;
    }

    /** Waits until the attacker can send nothing more. */
    private static void awaitStandstill(AtomicLong taken) throws InterruptedException {
        for (long before = -1; before != taken.get(); ) {
            before = taken.get();
            Thread.sleep(500);
        }
        assertThat(taken.get()).isLessThan(ENDLESS);
    }

    @Test
    void closedConnectionIsReported() {
        left.close();
        assertThatThrownBy(() -> right.receive("check")).hasMessageContaining("the peer is gone");
    }

    @Test
    @Full
    void silentPeerFailsUnlessItSendsHeartbeats() throws Exception {
        Thread beats = new Thread(() -> {
            for (int i = 0; i < 30; i++) {
                left.alive();
                try {
                    Thread.sleep(100);
                } catch (InterruptedException e) {
                    return;
                }
            }
        });
        beats.start();
        long before = System.nanoTime();
        assertThatThrownBy(() -> right.receive("stop")).hasMessageContaining("the peer has sent nothing for 1 s");
        assertThat(System.nanoTime() - before).isGreaterThan(3_000_000_000L);
        assertThat(right.hasLine()).isFalse();
        beats.join();
    }
}
