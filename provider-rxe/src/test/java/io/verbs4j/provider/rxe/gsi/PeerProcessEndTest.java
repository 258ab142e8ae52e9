/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.gsi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbs4j.WcStatus;
import io.verbs4j.cm.CmConnection;
import io.verbs4j.testsupport.Full;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What this side sees of a peer process that ends, in one way or another. */
class PeerProcessEndTest {
    /** Ten times what docs/guides/cm.md promises. */
    private static final long NOTICED_SECONDS = 20;

    private EndingProcess peer;

    @BeforeEach
    void start() throws Exception {
        peer = new EndingProcess(false);
    }

    @AfterEach
    void end() throws Exception {
        peer.close();
    }

    private void receivesAreFlushed() {
        assertThat(WcStatus.toString(peer.client.nextStatus())).isEqualTo(WcStatus.toString(WcStatus.WR_FLUSH_ERR));
    }

    /** An orderly end is seen immediately, without keep-alive probes. */
    @ParameterizedTest
    @ValueSource(bytes = {EndingPeerProgram.EXIT, EndingPeerProgram.RETURN, EndingPeerProgram.STAY})
    void endingProcessDisconnects(byte how) throws Exception {
        try (CmConnection connection = peer.connect(peer.client::receive, how)) {
            connection.keepAlive(0, TimeUnit.SECONDS);
            if (how == EndingPeerProgram.STAY) {
                peer.process.destroy(); // SIGTERM
            }
            receivesAreFlushed();
            assertThat(peer.process.waitFor(EndingProcess.PATIENCE, TimeUnit.SECONDS))
                    .isTrue();
        }
    }

    @Test
    void killedProcessIsNoticed() throws Exception {
        try (CmConnection connection = peer.connect(peer.client::receive, EndingPeerProgram.STAY)) {
            peer.process.destroyForcibly().waitFor();
            assertThat(connection.awaitDisconnected(NOTICED_SECONDS, TimeUnit.SECONDS))
                    .isTrue();
            receivesAreFlushed();
        }
    }

    @Test
    @Full
    void stoppedProcessStaysConnected() throws Exception {
        assumeTrue(Files.exists(Path.of("/proc/self/stat")), "no /proc: can't stop a process by a signal");
        try (CmConnection connection = peer.connect(peer.client::receive, EndingPeerProgram.STAY)) {
            signal("STOP");
            assertThat(connection.awaitDisconnected(2, TimeUnit.SECONDS)).isFalse();
            signal("CONT");
            peer.process.destroy();
            receivesAreFlushed();
        }
    }

    private void signal(String name) throws Exception {
        String pid = Long.toString(peer.process.pid());
        assertThat(new ProcessBuilder("kill", "-" + name, pid).start().waitFor())
                .isZero();
    }
}
