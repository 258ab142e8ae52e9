/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.tools.ToolException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ControlTest {
    private Control left;
    private Control right;

    @BeforeEach
    void connect() throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            left = new Control(new Socket(listener.getInetAddress(), listener.getLocalPort()), 1500);
            right = new Control(listener.accept(), 1500);
        }
    }

    @AfterEach
    void disconnect() {
        left.close();
        right.close();
    }

    @Test
    void pairsArrive() {
        left.send("check first=5 count=0x10");
        var pairs = right.receive("check");
        assertThat(Control.number(pairs, "first")).isEqualTo(5);
        assertThat(Control.number(pairs, "count")).isEqualTo(16);
    }

    @Test
    void whatIsOutOfTurnIsTold() {
        left.send("stop sent=1");
        assertThatThrownBy(() -> right.receive("check"))
                .hasMessageContaining("'stop sent=1' where 'check' was expected");
    }

    @Test
    void errorsAreTold() {
        left.fail("no room\nat all");
        assertThatThrownBy(() -> right.receive("check")).hasMessage("the peer reports: no room at all");
    }

    /** Two sides that fail one because of the other must not each report the other's report. */
    @Test
    void theFirstWordsCount() {
        right.fail("the peer reports: something");
        right.fail("the disk is full");
        ToolException words = left.words(1000);
        assertThat(words).hasMessage("the peer reports: the disk is full");
        assertThat(left.words(10)).isNull();
    }

    @Test
    void anEndIsTold() {
        left.close();
        assertThatThrownBy(() -> right.receive("check")).hasMessageContaining("the peer is gone");
    }

    @Test
    void silenceIsToldUnlessThePeerIsAlive() throws Exception {
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
        assertThatThrownBy(() -> right.receive("stop")).hasMessageContaining("the peer is silent for 1 s");
        assertThat(System.nanoTime() - before).isGreaterThan(3_000_000_000L);
        assertThat(right.hasLine()).isFalse();
        beats.join();
    }
}
