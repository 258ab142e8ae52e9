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
import io.verbs4j.provider.rxe.TestContext;
import io.verbs4j.provider.rxe.files.OwnNamespaces;
import io.verbs4j.provider.rxe.files.UserFolder;
import io.verbs4j.testsupport.Patience;
import io.verbs4j.testsupport.program.Jdk;
import io.verbs4j.testsupport.program.Namespaces;
import io.verbs4j.testsupport.program.Program;
import java.io.BufferedReader;
import java.io.File;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Listeners of other processes of this machine, each of which has its own loopback address. */
@Timeout(Patience.TEST_SECONDS)
class LocalhostTest {
    private static final Gid ADDRESS = Gid.of(InetAddress.getLoopbackAddress());

    private static Process start() throws Exception {
        return start(List.of(), List.of(), 0);
    }

    private static Process start(List<String> within, List<String> options, int port) throws Exception {
        List<String> command = new ArrayList<>(within);
        command.addAll(Jdk.own().command(options, LocalServerProgram.class));
        command.add(Integer.toString(port));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** Connects to a server of this machine, which replies to a message. */
    private static void exchange(int port) throws Exception {
        try (Party client = new Party(Verbs.open(
                        Verbs.devices().stream()
                                .filter(d -> d.kind() == DeviceKind.EMBEDDED)
                                .findFirst()
                                .orElseThrow(),
                        VerbsLevel.CURRENT));
                CmConnection connection = CmConnection.connect(
                        client.pd,
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                        client.attr(),
                        ConnParam.DEFAULT,
                        client::receive,
                        Patience.SECONDS,
                        TimeUnit.SECONDS)) {
            client.send(connection.queuePair(), 5);
            assertThat(client.answer()).isEqualTo(6);
        }
    }

    @Test
    void connectionReachesOtherProcess() throws Exception {
        Process process = start();
        try (BufferedReader said = process.inputReader()) {
            exchange(Integer.parseInt(said.readLine()));
            assertThat(said.readLine()).isEqualTo("true"); // it saw the disconnect
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    /** A restart of a server starts the new process before it ends the old one. */
    @Test
    void secondProcessIsRefusedUntilFirstEnds() throws Exception {
        Process first = start();
        try (BufferedReader said = first.inputReader()) {
            int port = Integer.parseInt(said.readLine());
            Process second = start(List.of(), List.of(), port);
            try (BufferedReader answer = second.inputReader()) {
                assertThat(answer.readLine())
                        .startsWith("errno " + Errno.EADDRINUSE + " ")
                        .contains("process " + first.pid());
            } finally {
                second.destroyForcibly().waitFor();
            }
            exchange(port);
            first.destroyForcibly().waitFor();
            Process heir = start(List.of(), List.of(), port);
            try (BufferedReader answer = heir.inputReader()) {
                assertThat(answer.readLine()).isEqualTo(Integer.toString(port));
                exchange(port);
            } finally {
                heir.destroyForcibly().waitFor();
            }
        } finally {
            first.destroyForcibly().waitFor();
        }
    }

    /** The container has its own processes: neither removes the other's name. */
    @Test
    void processOfOtherContainerMayUseSamePort() throws Exception {
        List<String> container = Namespaces.unshared("--pid", "--fork", "--kill-child", "--mount-proc");
        String address = TestContext.newAddress().getHostAddress(); // its process number may be that of another process
        Process first = start();
        try (BufferedReader said = first.inputReader()) {
            int port = Integer.parseInt(said.readLine());
            Process second = start(container, List.of("-Dio.verbs4j.rxe.addresses=" + address), port);
            try (BufferedReader answer = second.inputReader()) {
                assertThat(answer.readLine()).isEqualTo(Integer.toString(port));
                exchange(port);
                assertThat(said.readLine()).isEqualTo("true"); // it was the one of this container
            } finally {
                second.destroyForcibly().waitFor();
            }
        } finally {
            first.destroyForcibly().waitFor();
        }
    }

    /** Neither setting the clock nor a file system's own clock affects which names are considered live. */
    @ParameterizedTest
    @ValueSource(strings = {"1970-01-01T00:00:00Z", "2100-01-01T00:00:00Z"})
    void timesOfFilesAreIgnored(String time) throws Exception {
        int port = 65008;
        LocalNames names = new OwnTime();
        names.publish(TCP, port, ADDRESS, true);
        FileTime any = FileTime.from(Instant.parse(time));
        Files.setLastModifiedTime(file(port), any);
        LocalNames others = new OwnTime();
        others.publish(TCP, port + 1, ADDRESS, true); // removes the names of dead processes
        others.withdraw(TCP, port + 1, ADDRESS);
        assertThat(others.lookUp(TCP, port)).isEqualTo(ADDRESS);
        names.refresh(); // so that cleaning programs do not consider it old
        assertThat(Files.getLastModifiedTime(file(port))).isNotEqualTo(any);
        names.withdraw(TCP, port, ADDRESS);
        assertThat(others.lookUp(TCP, port)).isNull();
    }

    /** Runs the device without the jar of the connection manager. */
    @Test
    void deviceWorksWithoutConnectionManager() throws Exception {
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

    /** Names with a clock that advances at each look, or stands still. */
    private static final class OwnTime extends LocalNames {
        private final long step;
        private long now = Long.MAX_VALUE - HOLDS; // the JVM's clock may start anywhere

        OwnTime() {
            this(HOLDS);
        }

        OwnTime(long step) {
            this.step = step;
        }

        @Override
        long nanos() {
            return now += step;
        }
    }

    /** So that a thousand simultaneous connections do not read the file a thousand times. */
    @Test
    void foundListenerIsCachedBriefly() throws Exception {
        int port = 65009;
        OwnTime others = new OwnTime(0);
        LocalNames names = new OwnTime();
        assertThat(others.lookUp(TCP, port)).isNull();
        names.publish(TCP, port, ADDRESS, true);
        assertThat(others.lookUp(TCP, port)).as("lookup after an earlier miss").isEqualTo(ADDRESS);
        names.withdraw(TCP, port, ADDRESS);
        assertThat(others.lookUp(TCP, port)).isEqualTo(ADDRESS);
        assertThat(others.lookUp(TCP, port + 1)).as("another port").isNull();
        assertThat(others.lookUp(273, port)).as("another port space").isNull();
        others.now += LocalNames.HOLDS - 1;
        assertThat(others.lookUp(TCP, port)).isEqualTo(ADDRESS);
        others.now++;
        assertThat(others.lookUp(TCP, port))
                .as("lookup after the cached name expired")
                .isNull();
    }

    @Test
    void ownChangesApplyAtOnce() throws Exception {
        int port = 65010;
        Gid other = Gid.of(InetAddress.getByName("10.0.0.5"));
        LocalNames names = new OwnTime(0);
        names.publish(TCP, port, ADDRESS, true);
        assertThat(names.lookUp(TCP, port)).isEqualTo(ADDRESS);
        names.withdraw(TCP, port, ADDRESS);
        assertThat(names.lookUp(TCP, port)).isNull();
        names.publish(TCP, port, other, false); // found, since nobody else has the port
        assertThat(names.lookUp(TCP, port)).isEqualTo(other);
        names.publish(TCP, port, ADDRESS, true);
        assertThat(names.lookUp(TCP, port)).isEqualTo(ADDRESS);
        names.withdraw(TCP, port);
        assertThat(names.lookUp(TCP, port)).isNull();
    }

    @Test
    void nameIsFoundUntilWithdrawn() throws Exception {
        LocalNames names = new OwnTime();
        LocalNames others = new OwnTime();
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
    void closingOneListenerKeepsTheOther() throws Exception {
        LocalNames names = new OwnTime();
        Gid other = Gid.of(InetAddress.getByName("10.0.0.5"));
        int port = 65003;
        names.publish(TCP, port, ADDRESS, true);
        names.publish(TCP, port, other, true);
        names.withdraw(TCP, port, ADDRESS);
        assertThat(names.lookUp(TCP, port)).isEqualTo(other);
        names.withdraw(TCP, port, other);
        assertThat(names.lookUp(TCP, port)).isNull();
    }

    /** The file belongs to another live process. */
    @Test
    void secondListenerOfLocalhostIsRefused() throws Exception {
        int port = 65004;
        LocalNames names = new OwnTime();
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
            names.publish(TCP, port, ADDRESS, false); // it may listen at an address
            names.withdraw(TCP, port, ADDRESS);
            assertThat(names.lookUp(TCP, port)).isEqualTo(Gid.of(InetAddress.getByName("127.64.3.4")));
        } finally {
            living.destroyForcibly().waitFor();
        }
        names.publish(TCP, port, ADDRESS, true); // the successor
        assertThat(names.lookUp(TCP, port)).isEqualTo(ADDRESS);
        names.withdraw(TCP, port, ADDRESS);
        assertThat(file).doesNotExist();
    }

    /** Processes of other containers may have left files for the same port. */
    private static Path file(int port) throws Exception {
        Path folder = UserFolder.find().path().resolve("cm");
        return folder.resolve(TCP + "-" + port + "-" + OwnNamespaces.names());
    }

    /** Withdrawing a name that another process has by now leaves it alone. */
    @Test
    void nameOfOtherProcessStays() throws Exception {
        LocalNames names = new OwnTime();
        int port = 65002;
        names.publish(TCP, port, ADDRESS, true);
        Path file = file(port);
        String others = Files.readString(file).replace(ADDRESS.toHex(), "00000000000000000000ffff7f400304");
        Files.writeString(file, others);
        names.withdraw(TCP, port, ADDRESS);
        assertThat(Files.readString(file)).isEqualTo(others);
        Files.delete(file);
    }

    /** Uses the kernel's own clock, which cannot be set, and the namespaces, since containers reuse numbers. */
    @Test
    void nameIsIndependentOfClock() throws Exception {
        LocalNames names = new OwnTime();
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

    /** The name of a killed process is free, and so is a file that is not a name: opening it does not block. */
    @Test
    void nameOfDeadProcessIsFree() throws Exception {
        LocalNames names = new OwnTime();
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
            LocalNames heir = new OwnTime();
            heir.publish(TCP, port, ADDRESS, true);
            assertThat(names.lookUp(TCP, port)).as(stale).isEqualTo(ADDRESS);
            heir.withdraw(TCP, port, ADDRESS);
        }
        assertThat(Files.exists(file)).isFalse();
    }

    /** A cleaner has removed temporary files. */
    @Test
    void deletedNameIsPublishedAgain() throws Exception {
        LocalNames names = new OwnTime();
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
    void interruptedThreadPublishesName() throws Exception {
        LocalNames names = new OwnTime();
        int port = 65007;
        Thread.currentThread().interrupt();
        names.publish(TCP, port, ADDRESS, true);
        assertThat(names.lookUp(TCP, port)).isEqualTo(ADDRESS);
        names.withdraw(TCP, port, ADDRESS);
        assertThat(names.lookUp(TCP, port)).isNull();
        assertThat(Thread.interrupted()).isTrue();
    }
}
