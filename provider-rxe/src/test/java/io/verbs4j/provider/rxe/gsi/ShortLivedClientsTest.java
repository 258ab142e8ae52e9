/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.gsi;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.provider.rxe.TestContext;
import io.verbs4j.provider.rxe.gsi.ShortLivedClientsProgram.Client;
import io.verbs4j.provider.rxe.gsi.ShortLivedClientsProgram.End;
import io.verbs4j.testsupport.Extent;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.Patience;
import io.verbs4j.testsupport.program.Jdk;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * Clients come and go, by one copy: afterwards the server holds what it held before, however they ended. With {@code
 * -Phours}, ten thousand come in ten minutes.
 */
@Full
@Tag("attack")
@EnabledOnOs(OS.LINUX)
class ShortLivedClientsTest {
    private static final boolean FULL = Extent.isHours();

    /** Large enough to be lent rather than copied to a ring. */
    private static final int BYTES = 16 << 10;

    /** Number of simultaneous clients. */
    private static final int MANY = 10;

    private static final int ROUNDS = FULL ? 10 : 1;

    /** Clients of each of two processes in a round, one after another. */
    private static final int EACH = FULL ? 480 : 0;

    private static final long PACE = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int STOPPED_SECONDS = FULL ? 3 : 0;

    /** Time until a client that died while connecting is given up; no other may take as long. */
    private static final long HANDSHAKE_MILLIS = FULL ? 30_000 : 3000;

    private static final long HEAP = 4 << 20;

    /** Tolerance for descriptors of the JVM itself: sockets for its system queries. */
    private static final int DESCRIPTORS = 2;

    /** Tolerance for mappings of the JVM itself, of code and stacks, which come and go. */
    private static final int MAPPINGS = 40;

    @Test
    void serverHoldsNothingOfPastClients() throws Exception {
        TestContext.oneCopy(); // skips the test without one copy
        try (ServerProcess server = new ServerProcess(true, HANDSHAKE_MILLIS, BYTES)) {
            connectAndClose(server); // loads classes and creates objects that stay
            Figures before = settled(server, figures(server));
            int expected = MANY;
            long begun = System.nanoTime();
            for (int i = 0; i < ROUNDS; i++) {
                if (EACH > 0) {
                    run(List.of(start(server, EACH, End.CLOSED), start(server, EACH, End.CLOSED)));
                }
                connectAndClose(server);
                dieInSeveralWays(server);
                expected += 2 * EACH + 4 * MANY;
                if (FULL) {
                    System.out.println(server.served() + " clients, "
                            + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun) + " s: " + server.figures());
                }
            }
            Figures after = settled(server, before);
            assertThat(server.served()).isGreaterThanOrEqualTo(expected);
            server.figures();
            if (FULL) {
                System.out.println("before " + before + ", after " + after);
            }
        }
    }

    private static Figures figures(ServerProcess server) throws IOException {
        server.served();
        return server.figures();
    }

    private static void connectAndClose(ServerProcess server) throws InterruptedException {
        ShortLivedClientsProgram.connect(server.address, BYTES, MANY).forEach(Client::close);
    }

    /** Runs clients in processes that exit, are killed, die while connecting, or are stopped and killed later. */
    private static void dieInSeveralWays(ServerProcess server) throws Exception {
        Process stopped = start(server, MANY, End.KILLED);
        Process exits = start(server, MANY, End.EXIT);
        Process killed = start(server, MANY, End.KILLED);
        Process asks = start(server, MANY, End.ASKING);
        run(List.of(exits, killed, asks));
        awaitDone(stopped);
        new ProcessBuilder("kill", "-STOP", String.valueOf(stopped.pid()))
                .start()
                .waitFor();
        figures(server);
        TimeUnit.SECONDS.sleep(STOPPED_SECONDS);
        figures(server);
        stopped.destroyForcibly().onExit().join();
    }

    private static Process start(ServerProcess server, int count, End end) throws IOException {
        List<String> command = new ArrayList<>(
                Jdk.own().command(List.of("-Xmx64m", "-Dio.verbs4j.rxe.onecopy=true"), ShortLivedClientsProgram.class));
        command.add(server.address.getAddress().getHostAddress());
        command.add(String.valueOf(server.address.getPort()));
        command.add(String.valueOf(BYTES));
        command.add(String.valueOf(count));
        command.add(end.name());
        command.add(String.valueOf(PACE));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static void awaitDone(Process client) throws IOException {
        try (BufferedReader said = client.inputReader()) {
            assertThat(said.readLine()).isEqualTo("done");
        }
    }

    /** Lets them end by themselves; those that stay are killed. */
    private static void run(List<Process> clients) throws IOException {
        for (Process process : clients) {
            try {
                awaitDone(process);
            } finally {
                process.destroyForcibly().onExit().join();
            }
        }
    }

    /** Waits until nothing of the clients is left: no ring, and mailboxes only for the server's own addresses. */
    private static Figures settled(ServerProcess server, Figures before) throws Exception {
        long end = System.nanoTime() + Patience.NANOS;
        while (true) {
            Figures now = figures(server);
            if (now.rings() <= server.addresses
                    && now.descriptors() <= before.descriptors() + DESCRIPTORS
                    && now.mappings() <= before.mappings() + MAPPINGS
                    && now.heap() <= before.heap() + HEAP) {
                return now;
            }
            assertThat(System.nanoTime())
                    .as("%s, before %s, addresses %s", now, before, server.addresses)
                    .isLessThan(end);
            Thread.sleep(200);
        }
    }
}
