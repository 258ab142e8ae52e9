/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.attack;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.WcStatus;
import io.verbs4j.provider.rxe.TestContext;
import io.verbs4j.testsupport.Extent;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.program.Jdk;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A process that is stopped and continued keeps its connections, whether it waited for a response or owed one. */
@Full
@Tag("attack")
@EnabledOnOs(OS.LINUX)
class StoppedProcessTest {
    private static final int LONG_TIMEOUT = 19; // 2.1 s
    private static final int TIMEOUT = 16; // 0.27 s
    private static final int SHORT_TIMEOUT = 12;
    private static final int MESSAGES = Extent.isHours() ? 500_000 : 50_000;
    private static final int KILLS = Extent.isHours() ? 40 : 2;
    private static final long ENDLESS = 1L << 40;
    private static final int STOPS = Extent.isHours() ? 20 : 2;

    @TempDir
    Path folder;

    private Child a;
    private Child b;

    private static final class Child {
        final Process process;
        final BufferedWriter to;
        final BufferedReader from;

        Child(Path folder, Way way, int bytes, String... address) throws IOException {
            // Its remains after a kill go with the folder.
            List<String> options = List.of("-Xmx64m", "-XX:+UseSerialGC", "-Djava.io.tmpdir=" + folder);
            List<String> command = new ArrayList<>(Jdk.own().command(options, ConnectedChildProgram.class));
            command.add(way.name());
            command.add(Integer.toString(bytes));
            command.addAll(List.of(address));
            process =
                    new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
            to = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
            from = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        }

        void tell(String command) throws IOException {
            to.write(command + "\n");
            to.flush();
        }

        String ask(String command) throws IOException {
            tell(command);
            return from.readLine();
        }

        void signal(String name) throws IOException, InterruptedException {
            String pid = Long.toString(process.pid());
            assertThat(new ProcessBuilder("kill", "-" + name, pid).start().waitFor())
                    .isZero();
        }
    }

    private void start(Way way, int bytes) throws IOException {
        a = new Child(folder, way, bytes);
        b = new Child(folder, way, bytes);
    }

    @AfterEach
    void end() throws InterruptedException {
        a.process.destroyForcibly().waitFor();
        b.process.destroyForcibly().waitFor();
    }

    private void connect(int timeout, int retryCnt) throws IOException {
        String ofA = a.ask("about");
        String ofB = b.ask("about");
        String how = " " + timeout + " " + retryCnt;
        assertThat(a.ask("connect " + ofB + how)).isEqualTo("ok");
        assertThat(b.ask("connect " + ofA + how)).isEqualTo("ok");
    }

    /** Waits until messages of both go by one copy, if they should. */
    private void awaitRings(Way way) throws IOException {
        if (way == Way.ONE_COPY) {
            assertThat(a.ask("ring")).isEqualTo("ok");
            assertThat(b.ask("ring")).isEqualTo("ok");
        }
    }

    @ParameterizedTest
    @CsvSource({"PACKETS, 8", "ONE_COPY, 8", "ONE_COPY, 300000"})
    void stoppedProcessesLoseNothing(Way way, int bytes) throws Exception {
        start(way, bytes);
        connect(LONG_TIMEOUT, 0); // the first timeout ends the connection
        awaitRings(way);
        assertThat(b.ask("post")).isEqualTo("posted");
        assertThat(a.ask("receive 1")).isEqualTo("success");
        b.signal("STOP");
        assertThat(a.ask("post")).isEqualTo("posted");
        a.signal("STOP");
        Thread.sleep(3_000); // longer than the timeout
        a.signal("CONT");
        Thread.sleep(100); // it runs, and there is no response yet
        b.signal("CONT");
        assertThat(b.ask("receive 1")).isEqualTo("success");
        assertThat(a.ask("receive 0")).isEqualTo("success");
        a.tell("receive 100");
        assertThat(b.ask("send 100")).isEqualTo("success");
        assertThat(a.from.readLine()).isEqualTo("success");
    }

    @ParameterizedTest
    @CsvSource({"PACKETS, 8", "ONE_COPY, 8", "ONE_COPY, 300000"})
    void trafficSurvivesStops(Way way, int bytes) throws Exception {
        start(way, bytes);
        connect(TIMEOUT, 7); // 7 s in total
        awaitRings(way);
        b.tell("receive " + MESSAGES);
        a.tell("send " + MESSAGES);
        for (int i = 0; i < STOPS; i++) {
            for (Child child : List.of(a, b)) {
                Thread.sleep(200);
                child.signal("STOP");
                Thread.sleep(700);
                child.signal("CONT");
            }
        }
        assertThat(a.from.readLine()).isEqualTo("success");
        assertThat(b.from.readLine()).isEqualTo("success");
    }

    @ParameterizedTest
    @CsvSource({"PACKETS, 8", "ONE_COPY, 8", "ONE_COPY, 300000"})
    void killedPeerIsNoticed(Way way, int bytes) throws Exception {
        start(way, bytes);
        connect(SHORT_TIMEOUT, 7);
        awaitRings(way);
        b.tell("receive " + MESSAGES);
        a.tell("send " + MESSAGES);
        Thread.sleep(100);
        b.signal("KILL");
        b.process.waitFor();
        assertThat(a.from.readLine()).isEqualTo(WcStatus.toString(WcStatus.RETRY_EXC_ERR));
        assertThat(a.ask("send 1")).isEqualTo(WcStatus.toString(WcStatus.WR_FLUSH_ERR));
    }

    /** Whatever it was about to write: everything received is complete, and its successor is accepted. */
    @ParameterizedTest
    @CsvSource({"PACKETS, 300000", "ONE_COPY, 8", "ONE_COPY, 4000", "ONE_COPY, 300000"})
    void killedSenderLeavesNothingPartial(Way way, int bytes) throws Exception {
        String address = TestContext.newAddress().getHostAddress();
        start(way, bytes);
        for (int i = 0; i < KILLS; i++) {
            a.process.destroyForcibly().waitFor();
            a = new Child(folder, way, bytes, address);
            if (i > 0) {
                assertThat(b.ask("again")).isEqualTo("ok");
            }
            connect(SHORT_TIMEOUT, 7);
            awaitRings(way);
            b.tell("listen 1500");
            a.tell("send " + ENDLESS);
            Thread.sleep(300 + 37 * i); // at another point each time
            a.signal("KILL");
            assertThat(Long.parseLong(b.from.readLine())).isPositive(); // otherwise it says what was wrong
        }
    }

    /** Another process replaces a killed one at its address: the surviving one talks to it by one copy as well. */
    @ParameterizedTest
    @CsvSource({"8", "300000"})
    void restartedProcessIsReachedByOneCopy(int bytes) throws Exception {
        String address = TestContext.newAddress().getHostAddress();
        a = new Child(folder, Way.ONE_COPY, bytes);
        b = new Child(folder, Way.ONE_COPY, bytes, address);
        connect(SHORT_TIMEOUT, 7);
        awaitRings(Way.ONE_COPY);
        b.tell("receive 5000");
        a.tell("send 50000");
        assertThat(b.from.readLine()).isEqualTo("success");
        assertThat(Long.parseLong(b.ask("counter rx_onecopy_records"))).isPositive();
        b.signal("KILL");
        b.process.waitFor();
        assertThat(a.from.readLine()).isEqualTo(WcStatus.toString(WcStatus.RETRY_EXC_ERR));
        b = new Child(folder, Way.ONE_COPY, bytes, address);
        long before = Long.parseLong(a.ask("counter onecopy_rings"));
        assertThat(a.ask("again")).isEqualTo("ok");
        connect(SHORT_TIMEOUT, 7);
        awaitRings(Way.ONE_COPY);
        b.tell("receive 5000");
        assertThat(a.ask("send 5000")).isEqualTo("success");
        assertThat(b.from.readLine()).isEqualTo("success");
        assertThat(Long.parseLong(a.ask("counter onecopy_rings"))).isGreaterThan(before);
        assertThat(Long.parseLong(b.ask("counter rx_onecopy_records"))).isPositive();
    }
}
