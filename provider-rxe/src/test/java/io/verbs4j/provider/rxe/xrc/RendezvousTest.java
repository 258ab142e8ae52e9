/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.xrc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.XrcDomain;
import io.verbs4j.XrcdInitAttr;
import io.verbs4j.XrcdOpenFlags;
import io.verbs4j.core.Verbs;
import io.verbs4j.provider.rxe.base.Interrupts;
import io.verbs4j.provider.rxe.base.LateException;
import io.verbs4j.provider.rxe.files.UserFolder;
import io.verbs4j.provider.rxe.xrc.programs.LockHolderProgram;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.Patience;
import io.verbs4j.testsupport.program.Jdk;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
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

/** How processes find each other, when processes are stopped, are killed, or leave their files to others. */
@Tag("attack")
@Timeout(Patience.TEST_SECONDS)
class RendezvousTest {
    private static final long SHORT = TimeUnit.MILLISECONDS.toNanos(100);
    private static final String DEVICE = "device";
    private static final int FILES = 500;
    private static final int FAILURES = 50;

    @TempDir
    Path folder;

    private final String temporary = System.getProperty("java.io.tmpdir");
    private Context context;

    @BeforeEach
    void open() {
        System.setProperty("java.io.tmpdir", folder.toString());
        context = Verbs.open(Verbs.devices().get(0), VerbsLevel.CURRENT);
    }

    @AfterEach
    void close() {
        context.close();
        System.setProperty("java.io.tmpdir", temporary);
    }

    private XrcDomain open(Path file, int oflags) {
        return context.openXrcd(new XrcdInitAttr().file(file).oflags(oflags));
    }

    private static void assertErrno(int errno, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(errno));
    }

    private static Path base() throws IOException {
        return UserFolder.find().path();
    }

    /** Returns the folders of domains. */
    private static List<Path> domains() throws IOException {
        try (Stream<Path> all = Files.list(base())) {
            return all.filter(Files::isDirectory).toList();
        }
    }

    private static int descriptors() throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            return (int) all.count();
        }
    }

    @Test
    void newFileIsNotDomainOfDeletedOne() throws IOException {
        Path file = folder.resolve("file");
        try (XrcDomain old = open(file, XrcdOpenFlags.CREAT)) {
            assertThat(old.context()).isSameAs(context);
            Files.delete(file); // most file systems give its inode to the next new file
            for (int i = 0; i < FILES; i++) {
                Path other = Files.createFile(folder.resolve("file" + i));
                assertErrno(Errno.ENOENT, () -> open(other, 0));
            }
            open(file, XrcdOpenFlags.CREAT | XrcdOpenFlags.EXCL).close();
        }
    }

    @Test
    void fileIsReleasedWithDomain() throws IOException {
        Path file = folder.resolve("file");
        open(file, XrcdOpenFlags.CREAT).close();
        int before = descriptors();
        for (int i = 0; i < FAILURES; i++) {
            XrcDomain first = open(file, XrcdOpenFlags.CREAT);
            XrcDomain second = open(file, 0);
            assertErrno(Errno.EEXIST, () -> open(file, XrcdOpenFlags.CREAT | XrcdOpenFlags.EXCL));
            first.close();
            second.close();
            assertErrno(Errno.ENOENT, () -> open(file, 0));
        }
        assertThat(descriptors()).isLessThan(before + FAILURES / 2); // an accepting thread may hold one slightly longer
        assertThat(domains()).isEmpty();
    }

    @Test
    void failedBindLeaksNothing() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        Path longer = Files.createDirectories(folder.resolve("x".repeat(100)));
        System.setProperty("java.io.tmpdir", longer.toString());
        assertErrno(Errno.EINVAL, () -> open(file, XrcdOpenFlags.CREAT));
        int before = descriptors();
        for (int i = 0; i < FAILURES; i++) {
            assertErrno(Errno.EINVAL, () -> open(file, XrcdOpenFlags.CREAT));
        }
        assertThat(descriptors()).isLessThan(before + FAILURES / 2);
        assertThat(domains()).isEmpty();
    }

    private static ToldProcess holdLock() throws IOException {
        List<String> command = new ArrayList<>(Jdk.own().command(List.of("-Xmx32m"), LockHolderProgram.class));
        command.add(base().resolve("lock").toString());
        ToldProcess holder = new ToldProcess(command);
        assertThat(holder.answer()).isEqualTo("locked");
        return holder;
    }

    @Test
    @Full
    void waitForLockIsLimited() throws IOException {
        Path file = folder.resolve("file");
        XrcDomain before = open(file, XrcdOpenFlags.CREAT);
        try (ToldProcess holder = holdLock()) {
            assertThat(holder.process.isAlive()).isTrue();
            assertThatThrownBy(() -> Rendezvous.join("other", DEVICE, exists -> {}, SHORT))
                    .isInstanceOf(LateException.class)
                    .hasMessageContaining("is it stopped?");
            assertErrno(Errno.ETIMEDOUT, () -> open(folder.resolve("another"), XrcdOpenFlags.CREAT));
            before.close(); // waits only for a while
        }
        assertThat(domains()).isNotEmpty(); // not without the lock
        open(folder.resolve("another"), XrcdOpenFlags.CREAT).close();
        assertThat(domains()).isEmpty();
    }

    /** Cleaners of temporary files do this: a lock on the old file would exclude nobody. */
    @Test
    void lockOnDeletedFileIsNoLock() throws Exception {
        Path lock = base().resolve("lock");
        ToldProcess holder = holdLock();
        CompletableFuture<Boolean> seen = new CompletableFuture<>();
        Thread waits = new Thread(() -> {
            try {
                Rendezvous.join("other", DEVICE, exists -> seen.complete(Files.exists(lock)))
                        .close();
            } catch (IOException | RuntimeException e) {
                seen.completeExceptionally(e);
            }
        });
        waits.start();
        while (waits.getState() != Thread.State.TIMED_WAITING) { // between two attempts to lock the opened file
            TimeUnit.MILLISECONDS.sleep(1);
        }
        Files.delete(lock);
        holder.close();
        assertThat(seen.get()).isTrue();
        waits.join();
    }

    @Test
    void interruptEndsWaitForLock() throws Exception {
        try (ToldProcess holder = holdLock()) {
            Thread caller = Thread.currentThread();
            Thread interrupter = new Thread(() -> {
                try {
                    TimeUnit.MILLISECONDS.sleep(300);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                caller.interrupt();
            });
            interrupter.start();
            assertErrno(Errno.EINTR, () -> open(folder.resolve("file"), XrcdOpenFlags.CREAT));
            assertThat(Thread.interrupted()).isTrue();
            assertThat(holder.process.isAlive()).isTrue();
            interrupter.join();
        }
    }

    @Test
    void interruptedThreadCloses() throws IOException {
        XrcDomain domain = open(folder.resolve("file"), XrcdOpenFlags.CREAT);
        assertThat(domains()).hasSize(1);
        Thread.currentThread().interrupt();
        domain.close();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(domains()).isEmpty();
    }

    @Test
    void foldersOfDeadProcessesAreRemoved() throws Exception {
        try (ToldProcess killed = new ToldProcess(XrcChildProgram.command(folder.resolve("domain")))) {
            assertThat(killed.ask("about")).isNotNull();
            killed.kill();
        }
        Path dead = Files.createDirectory(base().resolve("dead-domain"));
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(dead.resolve("123")));
        } // leaves the file
        assertThat(dead.resolve("123")).exists();
        assertThat(domains()).hasSize(2);
        try (XrcDomain domain = open(folder.resolve("file"), XrcdOpenFlags.CREAT)) {
            assertThat(domain.context()).isSameAs(context);
            assertThat(domains()).hasSize(1);
        }
        assertThat(domains()).isEmpty();
    }

    /** Immediately, since the files may be recreated at any time. */
    private void deleteAll() throws IOException {
        Path gone = Files.move(base(), folder.resolve("gone"));
        try (Stream<Path> all = Files.walk(gone)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }

    private static Rendezvous join(String identity) throws IOException {
        return Rendezvous.join(identity, DEVICE, exists -> {});
    }

    /** Like cleaners of temporary files. */
    @Test
    void deletedSocketIsRecreated() throws Exception {
        CompletableFuture<Boolean> visited = new CompletableFuture<>();
        Rendezvous owner = join("other");
        Thread accepts = new Thread(() -> owner.accept(channel -> {
            channel.close();
            visited.complete(true);
        }));
        accepts.start();
        deleteAll();
        assertThat(owner.socket(owner.prefix())).isNull();
        long end = System.nanoTime() + Patience.NANOS;
        for (int turn = 0; owner.socket(owner.prefix()) == null; turn++) {
            assertThat(System.nanoTime())
                    .as("time until the socket is created again")
                    .isLessThan(end);
            Patience.pause(turn);
        }
        try (Rendezvous another = join("other")) {
            assertThat(another.prefix()).isNotEqualTo(owner.prefix());
            Path socket = another.socket(owner.prefix());
            assertThat(another.others()).containsExactly(socket);
            FrameChannel.connect(socket, Patience.NANOS, Interrupts.END).close();
            assertThat(visited.get(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
        }
        owner.close();
        accepts.join();
        assertThat(domains()).isEmpty();
    }

    @Test
    void domainIsFoundAfterItsSocketWasDeleted() throws Exception {
        Path file = folder.resolve("file");
        try (XrcDomain domain = open(file, XrcdOpenFlags.CREAT)) {
            assertThat(domain.context()).isSameAs(context);
            deleteAll();
            long end = System.nanoTime() + Patience.NANOS;
            for (int turn = 0; domains().isEmpty(); turn++) {
                assertThat(System.nanoTime())
                        .as("time until the domain is found again")
                        .isLessThan(end);
                Patience.pause(turn);
            }
            try (ToldProcess child = new ToldProcess(XrcChildProgram.command(file))) {
                assertThat(child.ask("about")).isNotNull();
                try (Stream<Path> sockets = Files.list(domains().get(0))) {
                    assertThat(sockets).hasSize(2); // of one domain
                }
                child.end();
            }
        }
        assertThat(domains()).isEmpty();
    }

    @Test
    void socketOfSuccessorStays() throws IOException {
        Rendezvous owner = join("other");
        Path socket = owner.socket(owner.prefix());
        Files.delete(socket);
        try (ServerSocketChannel other = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            other.bind(UnixDomainSocketAddress.of(socket));
            owner.refresh();
            owner.close();
            assertThat(socket).exists();
        }
    }

    /** Neither setting the clock nor a file system's own clock affects which processes are considered alive. */
    @ParameterizedTest
    @ValueSource(strings = {"1970-01-01T00:00:00Z", "2100-01-01T00:00:00Z"})
    void timesOfFilesAreIgnored(String time) throws IOException {
        FileTime any = FileTime.from(Instant.parse(time));
        try (Rendezvous owner = join("other")) {
            Path socket = owner.socket(owner.prefix());
            for (Path each : List.of(socket, socket.getParent(), base())) {
                Files.setLastModifiedTime(each, any);
            }
            try (Rendezvous another = join("other")) {
                assertThat(another.others()).containsExactly(socket);
            }
            owner.refresh(); // so that cleaners do not consider it old
            assertThat(Files.getLastModifiedTime(socket)).isNotEqualTo(any);
        }
    }

    @Test
    void exitWithoutCloseLeavesNothing() throws Exception {
        try (ToldProcess child = new ToldProcess(XrcChildProgram.command(folder.resolve("domain")))) {
            assertThat(child.ask("about")).isNotNull();
            assertThat(domains()).hasSize(1);
            child.end();
        }
        assertThat(domains()).isEmpty();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void irregularFilesDoNotBlock() throws Exception {
        Path fifo = folder.resolve("fifo");
        assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor())
                .isZero();
        open(fifo, XrcdOpenFlags.CREAT).close(); // like open(2) for reading and writing
        assertErrno(Errno.EIO, () -> open(folder, XrcdOpenFlags.CREAT));
    }
}
