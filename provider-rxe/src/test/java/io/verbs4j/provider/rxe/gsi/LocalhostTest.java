/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.gsi;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.DeviceKind;
import io.verbs4j.Gid;
import io.verbs4j.VerbsLevel;
import io.verbs4j.cm.CmConnection;
import io.verbs4j.cm.ConnParam;
import io.verbs4j.core.Verbs;
import io.verbs4j.provider.rxe.xrc.UserFolder;
import io.verbs4j.testsupport.program.Jdk;
import io.verbs4j.testsupport.program.Program;
import java.io.BufferedReader;
import java.io.File;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Listeners of other processes of this machine, each of which has a loopback address of its own. */
class LocalhostTest {
    private static final Gid ADDRESS = Gid.of(InetAddress.getLoopbackAddress());

    private static Process start() throws Exception {
        return new ProcessBuilder(Jdk.own().command(List.of(), LocalServer.class))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    @Test
    void connectsToAnotherProcess() throws Exception {
        Process process = start();
        try (BufferedReader said = process.inputReader();
                Party client = new Party(Verbs.open(
                        Verbs.devices().stream()
                                .filter(d -> d.kind() == DeviceKind.EMBEDDED)
                                .findFirst()
                                .orElseThrow(),
                        VerbsLevel.CURRENT))) {
            int port = Integer.parseInt(said.readLine());
            try (CmConnection connection = CmConnection.connect(
                    client.pd,
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                    client.attr(),
                    ConnParam.DEFAULT,
                    client::receive,
                    60,
                    TimeUnit.SECONDS)) {
                client.send(connection.queuePair(), 5);
                client.completed(1);
                assertThat(client.received()).isEqualTo(6);
            }
            assertThat(said.readLine()).isEqualTo("true"); // it was told of the end
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    /** The device without the jar of the connection manager. */
    @Test
    void worksWithoutConnectionManager() throws Exception {
        List<String> command = new ArrayList<>();
        for (String word : Jdk.own().command(List.of(), WithoutManagerProgram.class)) {
            List<String> path = new ArrayList<>(List.of(word.split(File.pathSeparator, -1)));
            path.removeIf(entry -> entry.contains("verbs-cm"));
            command.add(String.join(File.pathSeparator, path));
        }
        assertThat(Program.run(command, 60).text()).isEqualTo("3 11 unknown absent");
    }

    @Test
    void aNameIsItsFirstOwnersUntilThatIsGone() throws Exception {
        LocalNames names = new LocalNames();
        LocalNames others = new LocalNames();
        Gid other = Gid.of(InetAddress.getByName("127.64.3.4"));
        int port = 65000;
        assertThat(names.lookUp(262, port)).isNull();
        names.publish(262, port, ADDRESS);
        assertThat(others.lookUp(262, port)).isEqualTo(ADDRESS);
        assertThat(others.lookUp(273, port)).isNull();
        assertThat(others.lookUp(262, port + 1)).isNull();
        others.publish(262, port, other);
        others.withdraw(262, port);
        assertThat(names.lookUp(262, port)).isEqualTo(ADDRESS);
        names.withdraw(262, port);
        assertThat(names.lookUp(262, port)).isNull();
        others.publish(262, port, other);
        assertThat(names.lookUp(262, port)).isEqualTo(other);
        others.withdraw(262, port);
    }

    /** Who withdraws a name that another process has by now leaves it alone. */
    @Test
    void aNameOfAnotherStays() throws Exception {
        LocalNames names = new LocalNames();
        int port = 65002;
        names.publish(262, port, ADDRESS);
        Path file = UserFolder.find().path().resolve("cm/262-" + port);
        String others = Files.readString(file).replace(ADDRESS.toHex(), "00000000000000000000ffff7f400304");
        Files.writeString(file, others);
        names.withdraw(262, port);
        assertThat(Files.readString(file)).isEqualTo(others);
        Files.delete(file);
    }

    /** What a process left behind that was killed is nobody's. */
    @Test
    void aNameOfTheDeadIsFree() throws Exception {
        LocalNames names = new LocalNames();
        int port = 65001;
        names.publish(262, port, ADDRESS);
        Path file = UserFolder.find().path().resolve("cm/262-" + port);
        String line = Files.readString(file);
        String[] words = line.split(" ", -1);
        Process dead = new ProcessBuilder("true").start();
        dead.waitFor();
        for (String stale : List.of(
                words[0] + " " + dead.pid() + " " + words[2],
                words[0] + " " + words[1] + " 1970-01-01T00:00:00Z",
                "x")) {
            Files.writeString(file, stale);
            assertThat(names.lookUp(262, port)).as(stale).isNull();
            LocalNames heir = new LocalNames();
            heir.publish(262, port, ADDRESS);
            assertThat(names.lookUp(262, port)).as(stale).isEqualTo(ADDRESS);
        }
        names.withdraw(262, port);
        assertThat(Files.exists(file)).isFalse();
    }
}
