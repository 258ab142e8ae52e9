/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.gsi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.DeviceKind;
import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.VerbsException;
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
import java.nio.file.attribute.FileTime;
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

    // ---- names

    private static final int TCP = 262;

    @Test
    void nameIsFoundUntilItIsWithdrawn() throws Exception {
        LocalNames names = new LocalNames();
        LocalNames others = new LocalNames();
        int port = 65000;
        assertThat(names.lookUp(TCP, port)).isNull();
        names.publish(TCP, port, ADDRESS, true);
        assertThat(others.lookUp(TCP, port)).isEqualTo(ADDRESS);
        assertThat(others.lookUp(273, port)).isNull();
        assertThat(others.lookUp(TCP, port + 1)).isNull();
        names.withdraw(TCP, port, ADDRESS);
        assertThat(others.lookUp(TCP, port)).isNull();
    }

    /** Two devices of a process, or two addresses of one, listen at the same port. */
    @Test
    void closingOneListenerLeavesTheOther() throws Exception {
        LocalNames names = new LocalNames();
        Gid other = Gid.of(InetAddress.getByName("10.0.0.5"));
        int port = 65003;
        names.publish(TCP, port, ADDRESS, true);
        names.publish(TCP, port, other, true);
        names.withdraw(TCP, port, ADDRESS);
        assertThat(names.lookUp(TCP, port)).isEqualTo(other);
        names.withdraw(TCP, port, other);
        assertThat(names.lookUp(TCP, port)).isNull();
    }

    /** The file of another process that lives. */
    @Test
    void secondListenerOfLocalhostIsRefused() throws Exception {
        int port = 65004;
        LocalNames names = new LocalNames();
        names.publish(TCP, port, ADDRESS, true);
        Path file = file(port);
        names.withdraw(TCP, port, ADDRESS);
        Process living = new ProcessBuilder("sleep", "600").start();
        try {
            String stat = Files.readString(Path.of("/proc/" + living.pid() + "/stat"));
            String began = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[19];
            String line = "00000000000000000000ffff7f400304 " + living.pid() + " " + began;
            Files.writeString(file, line);
            assertThatThrownBy(() -> names.publish(TCP, port, ADDRESS, true))
                    .isInstanceOfSatisfying(
                            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EADDRINUSE))
                    .hasMessageContaining("process " + living.pid());
            assertThat(Files.readString(file)).isEqualTo(line);
            names.publish(TCP, port, ADDRESS, false); // at an address it may listen
            names.withdraw(TCP, port, ADDRESS);
            assertThat(names.lookUp(TCP, port)).isEqualTo(Gid.of(InetAddress.getByName("127.64.3.4")));
        } finally {
            living.destroyForcibly().waitFor();
        }
        names.publish(TCP, port, ADDRESS, true); // the heir
        assertThat(names.lookUp(TCP, port)).isEqualTo(ADDRESS);
        names.withdraw(TCP, port, ADDRESS);
        assertThat(file).doesNotExist();
    }

    private static Path file(int port) throws Exception {
        try (var all = Files.list(UserFolder.find().path().resolve("cm"))) {
            return all.filter(file -> file.getFileName().toString().startsWith(TCP + "-" + port + "-"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** Who withdraws a name that another process has by now leaves it alone. */
    @Test
    void aNameOfAnotherStays() throws Exception {
        LocalNames names = new LocalNames();
        int port = 65002;
        names.publish(TCP, port, ADDRESS, true);
        Path file = file(port);
        String others = Files.readString(file).replace(ADDRESS.toHex(), "00000000000000000000ffff7f400304");
        Files.writeString(file, others);
        names.withdraw(TCP, port, ADDRESS);
        assertThat(Files.readString(file)).isEqualTo(others);
        Files.delete(file);
    }

    /** The kernel's own clock counts, which nobody sets; and the namespaces, as containers have the same numbers. */
    @Test
    void nameSaysWhatDoesNotChangeWithTheClock() throws Exception {
        LocalNames names = new LocalNames();
        int port = 65005;
        names.publish(TCP, port, ADDRESS, true);
        Path file = file(port);
        String stat = Files.readString(Path.of("/proc/self/stat"));
        assertThat(Files.readString(file))
                .endsWith(" " + stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[19]);
        for (String kind : List.of("net", "pid")) {
            String namespace =
                    Files.readSymbolicLink(Path.of("/proc/self/ns/" + kind)).toString();
            assertThat(file.getFileName().toString()).contains("-" + namespace.replaceAll("[^0-9]", ""));
        }
        names.withdraw(TCP, port, ADDRESS);
    }

    /**
     * What a process left behind that was killed is nobody's, and neither is what is no name: nobody waits in opening
     * it.
     */
    @Test
    void nameOfNobodyIsFree() throws Exception {
        LocalNames names = new LocalNames();
        int port = 65001;
        names.publish(TCP, port, ADDRESS, true);
        Path file = file(port);
        String line = Files.readString(file);
        names.withdraw(TCP, port, ADDRESS);
        String[] words = line.split(" ", -1);
        Process dead = new ProcessBuilder("true").start();
        dead.waitFor();
        for (String stale : List.of(
                words[0] + " " + dead.pid() + " " + words[2],
                words[0] + " " + words[1] + " 1",
                "link",
                "fifo",
                "folder",
                "x")) {
            switch (stale) {
                case "link" -> Files.createSymbolicLink(file, Path.of("/dev/zero"));
                case "fifo" ->
                    assertThat(new ProcessBuilder("mkfifo", file.toString())
                                    .start()
                                    .waitFor())
                            .isZero();
                case "folder" -> Files.createDirectory(file);
                default -> Files.writeString(file, stale);
            }
            assertThat(names.lookUp(TCP, port)).as(stale).isNull();
            LocalNames heir = new LocalNames();
            heir.publish(TCP, port, ADDRESS, true);
            assertThat(names.lookUp(TCP, port)).as(stale).isEqualTo(ADDRESS);
            heir.withdraw(TCP, port, ADDRESS);
        }
        assertThat(Files.exists(file)).isFalse();
    }

    /** A cleaner of temporary files has been there. */
    @Test
    void nameIsPublishedAgain() throws Exception {
        LocalNames names = new LocalNames();
        int port = 65006;
        names.publish(TCP, port, ADDRESS, true);
        Files.delete(file(port));
        assertThat(names.lookUp(TCP, port)).isNull();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (names.lookUp(TCP, port) == null) {
            assertThat(System.nanoTime()).isLessThan(end);
            Thread.sleep(20);
        }
        Path file = file(port);
        Files.setLastModifiedTime(file, FileTime.fromMillis(0));
        names.refresh();
        assertThat(Files.getLastModifiedTime(file).toMillis()).isPositive();
        names.withdraw(TCP, port, ADDRESS);
        names.refresh();
        assertThat(names.lookUp(TCP, port)).isNull();
    }

    @Test
    void interruptedThreadPublishesToo() throws Exception {
        LocalNames names = new LocalNames();
        int port = 65007;
        Thread.currentThread().interrupt();
        names.publish(TCP, port, ADDRESS, true);
        assertThat(names.lookUp(TCP, port)).isEqualTo(ADDRESS);
        names.withdraw(TCP, port, ADDRESS);
        assertThat(names.lookUp(TCP, port)).isNull();
        assertThat(Thread.interrupted()).isTrue();
    }
}
