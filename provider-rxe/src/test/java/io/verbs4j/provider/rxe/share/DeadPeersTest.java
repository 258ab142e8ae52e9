/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Gid;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.rxe.link.SystemKernel;
import io.verbs4j.testsupport.Extent;
import io.verbs4j.testsupport.Patience;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * Resources held for peers are released when they are gone, and strangers that request connections do not keep anybody
 * from rings.
 */
@Tag("attack")
@EnabledOnOs(OS.LINUX)
@Timeout(Patience.TEST_SECONDS)
class DeadPeersTest {
    private static final int PEERS = Extent.isHours() ? 600 : 24;

    /** Range from which this test takes its addresses. */
    private static final long ASKED = 5_000_000_000L;

    private static final int ROUNDS = 10;

    private final SystemKernel kernel = new SystemKernel();
    private final List<RingEnd> ends = new ArrayList<>();

    private RingEnd open() throws IOException {
        RingEnd end = new RingEnd(kernel.calls());
        ends.add(end);
        return end;
    }

    @AfterEach
    void close() {
        ends.forEach(RingEnd::close);
        kernel.close();
    }

    private static void until(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + Patience.NANOS;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("time until the condition holds").isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    private static Gid stranger(int number) throws IOException {
        return Gid.of(InetAddress.getByAddress(new byte[] {127, 90, (byte) (number >>> 8), (byte) number}));
    }

    /** Returns the bytes of this process's memory that are in rings. */
    private static long ringBytes() {
        try (Stream<String> all = Files.lines(Path.of("/proc/self/smaps"))) {
            long[] sum = {0, 0};
            all.forEach(line -> {
                if (line.contains("-") && line.contains(" ") && !line.contains(" kB")) {
                    sum[1] = line.contains("memfd:verbs4j") ? 1 : 0;
                } else if (sum[1] != 0 && line.startsWith("Rss:")) {
                    sum[0] += Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024;
                }
            });
            return sum[0];
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static long descriptors() throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            return all.filter(DeadPeersTest::isOurs).count();
        }
    }

    private static boolean isOurs(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().contains("memfd:verbs4j");
        } catch (IOException e) {
            return false; // closed meanwhile
        }
    }

    @Test
    void ringsOfDeadPeersAreReleased() throws Exception {
        RingEnd server = open();
        long descriptors = descriptors();
        long before = ringBytes();
        for (int i = 0; i < PEERS; i++) {
            try (RingEnd client = new RingEnd(kernel.calls())) {
                client.connect(server, i);
                server.connect(client, i);
                assertThat(client.isConnected() && server.isConnected()).isTrue();
                client.send();
                server.send();
                server.poll(1);
            }
        }
        until(() -> {
            server.oneCopy.maintain();
            if (!server.oneCopy.isEmpty()) {
                server.poll(16); // like a waiting thread
            }
            return server.oneCopy.readerCount() == 0 && ringBytes() - before < RingLayout.BYTES;
        });
        for (Channel c : server.oneCopy.channels()) {
            assertThat(c.hasPeer()).isFalse();
        }
        assertThat(descriptors()).isEqualTo(descriptors);
    }

    /** Returns the number of mappings of rings or mailboxes of this process. */
    private static long mappings() {
        try (Stream<String> all = Files.lines(Path.of("/proc/self/maps"))) {
            return all.filter(line -> line.contains("memfd:verbs4j")).count();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** As many as are visited individually, and a thread that polls all the time while there is something to poll. */
    @Test
    void mappingsOfDeadPeersAreReleased() throws Exception {
        RingEnd server = new RingEnd(new Quick(kernel.calls()));
        ends.add(server);
        AtomicBoolean over = new AtomicBoolean();
        Thread polling = new Thread(() -> {
            for (int turn = 0; !over.get(); turn++) {
                if (server.oneCopy.isReceiving()) {
                    server.poll(16);
                    turn = 0;
                } else {
                    Patience.pause(turn);
                }
            }
        });
        polling.start();
        try {
            for (int round = 0; round < ROUNDS; round++) {
                comeAndGo(server);
                until(() -> {
                    System.gc();
                    return mappings() == 1; // the server's mailbox
                });
            }
        } finally {
            over.set(true);
            polling.join();
        }
    }

    /** Does not return pages, which would take long. */
    private record Quick(Kernel real) implements Kernel {
        @Override
        public long readProcess(int pid, long local, long localCount, long remote, long remoteCount) {
            return real.readProcess(pid, local, localCount, remote, remoteCount);
        }

        @Override
        public int memfd(long name, int flags) {
            return real.memfd(name, flags);
        }

        @Override
        public int open(long name, int flags) {
            return real.open(name, flags);
        }

        @Override
        public int fcntl(int fd, int command, long argument) {
            return real.fcntl(fd, command, argument);
        }

        @Override
        public int madvise(long address, long bytes, int advice) {
            return 0;
        }

        @Override
        public long pread(int fd, long buffer, long count, long offset) {
            return real.pread(fd, buffer, count, offset);
        }

        @Override
        public long pwrite(int fd, long buffer, long count, long offset) {
            return real.pwrite(fd, buffer, count, offset);
        }

        @Override
        public int close(int fd) {
            return real.close(fd);
        }

        @Override
        public int errno() {
            return real.errno();
        }
    }

    private void comeAndGo(RingEnd server) throws IOException {
        List<RingEnd> clients = new ArrayList<>();
        for (int i = 0; i <= Readers.FEW; i++) {
            RingEnd client = new RingEnd(kernel.calls());
            client.connect(server, i);
            clients.add(client);
        }
        assertThat(server.oneCopy.isNoted()).isTrue();
        clients.forEach(RingEnd::close);
        server.oneCopy.lookAfter(System.nanoTime());
        assertThat(server.oneCopy.readerCount()).isZero();
    }

    @Test
    void peerKilledWhileCopyingDelaysNobody() throws Exception {
        RingEnd server = open();
        RingEnd client = open();
        server.connect(client, 0);
        NativeMemory.putLong(server.base() + RingLayout.COPYING, 1);
        client.close();
        until(() -> {
            server.oneCopy.maintain();
            return !server.oneCopy.channels()[0].hasPeer();
        });
    }

    @Test
    void strangersKeepNobodyFromRing() throws Exception {
        RingEnd server = open();
        List<Channel> first = new ArrayList<>();
        for (int i = 0; i < Channels.MOST + 300; i++) {
            first.add(server.oneCopy.reach(stranger(i)));
        }
        assertThat(first).doesNotContainNull();
        assertThat(server.oneCopy.channelCount()).isLessThanOrEqualTo(Channels.MOST);
        assertThat(first.get(0).isDropped()).isTrue();
        assertThat(first.get(first.size() - 1).isDropped()).isFalse();
        RingEnd client = open();
        server.connect(client, 0);
        assertThat(server.isConnected()).isTrue();
        server.send();
        assertThat(client.poll(1)).isEqualTo(1);
    }

    @Test
    void unusedAddressesAreForgotten() throws Exception {
        RingEnd server = open();
        RingEnd client = open();
        server.connect(client, 0);
        for (int i = 0; i < 100; i++) {
            server.oneCopy.reach(stranger(i));
        }
        long later = System.nanoTime() + Channels.UNUSED;
        for (Channel c : server.oneCopy.channels()) {
            assertThat(c.unusedFor(later) >= Channels.UNUSED - ASKED).isEqualTo(!c.hasPeer());
        }
        server.oneCopy.lookAfter(later + ASKED);
        assertThat(server.oneCopy.channelCount()).isEqualTo(1);
        server.send();
        assertThat(client.poll(1)).isEqualTo(1);
        Channel again = server.oneCopy.reach(stranger(7));
        assertThat(again.isDropped()).isFalse();
        assertThat(server.oneCopy.channelCount()).isEqualTo(2);
    }
}
