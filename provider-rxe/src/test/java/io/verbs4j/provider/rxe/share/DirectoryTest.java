/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.verbs4j.Gid;
import io.verbs4j.provider.rxe.TestContext;
import io.verbs4j.provider.rxe.link.SystemKernel;
import io.verbs4j.provider.rxe.xrc.ToldProcess;
import io.verbs4j.testsupport.Patience;
import io.verbs4j.testsupport.program.Jdk;
import io.verbs4j.testsupport.program.Namespaces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The files by which processes find each other's addresses, and other things that may lie in their place. */
@Tag("attack")
@EnabledOnOs(OS.LINUX)
@Timeout(Patience.TEST_SECONDS)
class DirectoryTest {
    private static final Duration PATIENCE = Duration.ofSeconds(Patience.SECONDS);

    @TempDir
    Path temporary;

    private final String before = System.getProperty("java.io.tmpdir");
    private final SystemKernel kernel = new SystemKernel();
    private final List<RingEnd> ends = new ArrayList<>();

    @BeforeEach
    void use() {
        System.setProperty("java.io.tmpdir", temporary.toString());
    }

    @AfterEach
    void close() {
        ends.forEach(RingEnd::close);
        kernel.close();
        System.setProperty("java.io.tmpdir", before);
    }

    private RingEnd open() throws IOException {
        RingEnd end = new RingEnd(kernel.calls());
        ends.add(end);
        return end;
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.walk(temporary)) {
            return all.filter(f -> f.getParent().endsWith("onecopy")).toList();
        }
    }

    /** The file in which a process would publish an address. */
    private Path fileOf(Gid address) throws IOException {
        Path one = files().get(0);
        String name = one.getFileName().toString();
        return one.resolveSibling(name.substring(0, name.lastIndexOf('-') + 1) + address.toHex());
    }

    private static void run(String... command) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder(command).start().waitFor()).isZero();
    }

    private static void deleteAll(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.sorted(Comparator.reverseOrder())
                    .filter(f -> !f.equals(folder))
                    .toList()) {
                Files.delete(each);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"fifo", "link to fifo", "endless", "long", "folder"})
    void irregularFilesAreNotOpened(String what) throws Exception {
        RingEnd one = open();
        Gid to = Gid.of(TestContext.newAddress());
        Path file = fileOf(to);
        Path fifo = temporary.resolve("fifo");
        switch (what) {
            case "fifo" -> run("mkfifo", file.toString());
            case "link to fifo" -> {
                run("mkfifo", fifo.toString());
                Files.createSymbolicLink(file, fifo);
            }
            case "endless" -> Files.createSymbolicLink(file, Path.of("/dev/zero"));
            case "long" -> run("truncate", "-s", "1T", file.toString());
            default -> Files.createDirectory(file);
        }
        assertTimeoutPreemptively(PATIENCE, () -> {
            Channel channel = one.oneCopy.reach(to);
            one.oneCopy.maintain();
            assertThat(channel.hasPeer()).isFalse();
            one.oneCopy.offered(to.subnetPrefix(), to.interfaceId(), 4096);
            open(); // looks at all of them
            one.oneCopy.close(); // looks for its own file
        });
    }

    @Test
    void deletedFileIsPublishedAgain() throws IOException {
        RingEnd one = open();
        RingEnd two = open();
        deleteAll(temporary);
        assertThat(temporary.toFile().list()).isEmpty();
        two.oneCopy.lookAfterName(System.nanoTime());
        assertThat(files()).hasSize(1);
        one.connect(two, 0); // looks for its address, but is not found itself
        assertThat(one.isConnected()).isFalse();
        one.oneCopy.lookAfterName(System.nanoTime());
        one.connect(two, 0);
        assertThat(one.isConnected()).isTrue();
        two.close();
        assertThat(files()).hasSize(1);
    }

    @Test
    void fileIsRenewedBeforeItLooksOld() throws IOException {
        RingEnd one = open();
        FileTime old = FileTime.from(Instant.now().minus(Duration.ofDays(20)));
        Files.setLastModifiedTime(files().get(0), old);
        one.oneCopy.lookAfterName(System.nanoTime() + Duration.ofHours(2).toNanos());
        assertThat(Files.getLastModifiedTime(files().get(0))).isGreaterThan(old);
    }

    @Test
    void oldFilesOfContainersAreRemoved() throws IOException {
        open();
        Path theirs = files().get(0).resolveSibling("1-2-00000000000000000000ffff7f000003");
        Path left = files().get(0).resolveSibling("new123");
        for (Path each : List.of(theirs, left)) {
            Files.writeString(each, "2 1 1 1 1 1");
        }
        open();
        assertThat(theirs).exists();
        for (Path each : List.of(theirs, left)) {
            Files.setLastModifiedTime(each, FileTime.from(Instant.now().minus(Duration.ofDays(4))));
        }
        open();
        assertThat(theirs).doesNotExist();
        assertThat(left).doesNotExist();
    }

    /** Neither setting the clock nor a file system's own clock affects which files are considered live. */
    @ParameterizedTest
    @ValueSource(strings = {"1970-01-01T00:00:00Z", "2100-01-01T00:00:00Z"})
    void timesOfFilesAreIgnored(String time) throws IOException {
        RingEnd one = open();
        Path theirs = files().get(0).resolveSibling("1-2-00000000000000000000ffff7f000003");
        Files.writeString(theirs, "2 1 1 1 1 1");
        FileTime any = FileTime.from(Instant.parse(time));
        try (NameLock held = NameLock.take(kernel.calls(), theirs)) {
            assertThat(held).isNotNull();
            for (Path each : files()) {
                Files.setLastModifiedTime(each, any);
            }
            RingEnd two = open(); // removes the files of dead processes
            assertThat(files()).hasSize(3);
            two.connect(one, 0);
            assertThat(two.isConnected()).isTrue();
        }
        Files.setLastModifiedTime(theirs, FileTime.fromMillis(0));
        open();
        assertThat(theirs).doesNotExist();
    }

    private ToldProcess publish(List<String> within) throws IOException {
        List<String> command = new ArrayList<>(within);
        command.addAll(Jdk.own()
                .command(
                        List.of("-Xmx32m", "-XX:+UseSerialGC", Jdk.QUICK, "-Djava.io.tmpdir=" + temporary),
                        PublishingProgram.class));
        return new ToldProcess(command);
    }

    private Path published(String address) throws IOException {
        return files().stream()
                .filter(f -> f.getFileName().toString().endsWith(address))
                .findFirst()
                .orElseThrow();
    }

    private void makeOld() throws IOException {
        for (Path each : files()) {
            Files.setLastModifiedTime(each, FileTime.fromMillis(0));
        }
    }

    /** A container has its own process numbers, which are unrelated to those outside. */
    @Test
    void processesOfOtherContainersKeepTheirFiles() throws Exception {
        List<String> container = Namespaces.unshared("--pid", "--fork", "--kill-child", "--mount-proc");
        RingEnd here = open();
        makeOld();
        Path there;
        try (ToldProcess process = publish(container)) {
            there = published(process.answer());
            assertThat(files()).hasSize(2);
            makeOld();
            RingEnd another = open();
            assertThat(files()).hasSize(3).contains(there);
            another.connect(here, 0);
            assertThat(another.isConnected()).isTrue();
        }
        long end = System.nanoTime() + Patience.NANOS;
        // Its process is being killed, unless it sees the end of its input first and leaves in order.
        for (int turn = 0; Files.exists(there) && NameLock.isHeld(kernel.calls(), there); turn++) {
            assertThat(System.nanoTime())
                    .as("time until the lock of the killed process is released")
                    .isLessThan(end);
            Patience.pause(turn);
        }
        makeOld();
        open();
        assertThat(there).doesNotExist();
    }

    /** Returns numbers such that no visible process has those assigned next, where that can be controlled. */
    private static int unusedNumbers() {
        int first = 30_000;
        while (IntStream.range(first, first + 100).anyMatch(n -> Files.exists(Path.of("/proc/" + n)))) {
            first -= 100;
        }
        return first;
    }

    /** The visible files in /proc are those of other processes, as a sandbox may leave them. */
    @Test
    void containerWithoutOwnProcKeepsFiles() throws Exception {
        List<String> container = Namespaces.unshared("--pid", "--fork", "--kill-child");
        container.addAll(List.of(
                "sh",
                "-c",
                "echo $0 2>/dev/null >/proc/sys/kernel/ns_last_pid; sleep 600 | \"$@\" & read line; \"$@\"",
                "" + unusedNumbers()));
        try (ToldProcess processes = publish(container)) {
            Path first = published(processes.answer());
            processes.tell("go on");
            Path second = published(processes.answer());
            assertThat(files()).contains(first, second);
        }
    }

    @Test
    void interruptedThreadGetsRing() throws IOException {
        RingEnd two = open();
        Thread.currentThread().interrupt();
        try {
            RingEnd one = open();
            one.connect(two, 0);
            assertThat(one.isConnected()).isTrue();
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        } finally {
            Thread.interrupted();
        }
    }

    @Test
    void oneCopyNeedsWritableDirectory() throws IOException {
        Path file = Files.createFile(temporary.resolve("file"));
        System.setProperty("java.io.tmpdir", file.toString());
        assertThatThrownBy(this::open).isInstanceOf(IOException.class).hasMessageContaining(file.toString());
        assertThat(OneCopy.problem(kernel.calls())).contains(file.toString());
    }
}
