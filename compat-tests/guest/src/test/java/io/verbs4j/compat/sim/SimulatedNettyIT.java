/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.compat.guest.TestsMain;
import io.verbs4j.compat.netty.NettyTests;
import io.verbs4j.testsupport.Extent;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.program.DeviceSim;
import io.verbs4j.testsupport.program.Jdk;
import io.verbs4j.testsupport.program.Program;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Netty's channels on a simulated ConnectX: Netty's own tests and those of verbs-netty, with {@link ManagedProvider}
 * for connections. The first violation of a device's rules ends the program.
 */
class SimulatedNettyIT {
    private static final int SECONDS = 400;

    @BeforeAll
    static void makeTheSimulator() throws IOException, InterruptedException {
        DeviceSim.require();
    }

    /** Release 0 is the installed one. */
    private static void run(int release, String path, List<String> tests, int count, String... options)
            throws IOException, InterruptedException {
        DeviceSim devices = DeviceSim.with("--thread", "--strict")
                .jvm(Jdk.CLASS_PATH, registered() + ":" + NettyTests.classPath())
                .jvm("-Dio.verbs4j.device=" + ManagedProvider.DEVICE, "-Dio.verbs4j.mlx5.path=" + path)
                .jvm("-D" + Extent.PROPERTY + "=" + System.getProperty(Extent.PROPERTY, "FULL"))
                .jvm(options);
        Program.Result result = devices.under(release).run(TestsMain.class, SECONDS, tests.toArray(new String[0]));
        NettyTests.requirePassed(result.lines(), tests, count);
        assertThat(result.text()).doesNotContain("device-sim: violation");
    }

    /** {@return a folder that registers {@link ManagedProvider} for the service loader} */
    private static Path registered() {
        try {
            return Path.of(SimulatedNettyIT.class.getResource("registered").toURI());
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shortSuitePasses() throws IOException, InterruptedException {
        run(0, "java", NettyTests.FEW, NettyTests.FEW_COUNT);
    }

    /** Only a slow device would lose pending data when a channel closes. */
    @Test
    void closingDeliversPendingData() throws IOException, InterruptedException {
        run(0, "java", NettyTests.CLOSE, NettyTests.CLOSE_COUNT);
    }

    /** The kernel reports a rejection if the peer closed before the connection was reported complete. */
    @Test
    @Full
    void rejectedOpenConnectionsAreHandled() throws IOException, InterruptedException {
        run(0, "java", NettyTests.FEW, NettyTests.FEW_COUNT, "-D" + RejectingCm.PROPERTY + "=true");
    }

    /** In a slow network, servers receive messages and closes before the connection is reported. */
    @Test
    @Full
    void closingBeforeConnectionCompletesIsHandled() throws IOException, InterruptedException {
        String late = "-D" + LocalGsi.LATE + "=100";
        run(0, "java", NettyTests.CLOSE_EARLY, NettyTests.CLOSE_EARLY_COUNT, late);
        run(0, "java", NettyTests.FEW, NettyTests.FEW_COUNT, late);
    }

    @ParameterizedTest
    @CsvSource({"0, java", "65, native"})
    @Full
    void fullSuitePasses(int release, String path) throws IOException, InterruptedException {
        run(release, path, NettyTests.all(), NettyTests.ALL_COUNT);
    }

    @ParameterizedTest
    @CsvSource({"0, java", "0, native"})
    @Full
    void channelTestsPass(int release, String path) throws IOException, InterruptedException {
        run(release, path, NettyTests.OWN, NettyTests.OWN_COUNT);
    }
}
