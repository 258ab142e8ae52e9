/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbs4j.testsupport.Patience;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PcapWriterTest {
    private static final long NANOS = 1_700_000_000_123_456_789L;
    private static final int FILE_HEADER = 24;
    private static final int RECORD_HEADER = 16;
    private static final long LIMIT = 1 << 30;

    @TempDir
    Path folder;

    private final ByteBuffer packet = ByteBuffer.allocateDirect(256);
    private final int length = TestPackets.send(packet, 0, 40, new SplittableRandom(10)) + Icrc.LENGTH;

    @Test
    void fileHasPcapLayout() throws IOException {
        Path file = folder.resolve("a.pcap");
        try (PcapWriter writer = new PcapWriter(file, LIMIT)) {
            v4(writer);
            v6(writer);
            assertThat(writer.written()).isEqualTo(2);
        }
        ByteBuffer b = ByteBuffer.wrap(Files.readAllBytes(file));
        assertThat(b.getInt(0)).isEqualTo(0xa1b23c4d);
        assertThat(b.getInt(20)).isEqualTo(101);
        assertThat(b.getInt(FILE_HEADER)).isEqualTo(1_700_000_000);
        assertThat(b.getInt(FILE_HEADER + 4)).isEqualTo(123_456_789);
        assertThat(b.getInt(FILE_HEADER + 8)).isEqualTo(28 + length);
        int ip = FILE_HEADER + RECORD_HEADER;
        assertThat(b.get(ip)).isEqualTo((byte) 0x45);
        assertThat(b.getShort(ip + 4)).isEqualTo((short) 0xbeef);
        int second = ip + 28 + length;
        assertThat(b.get(second + RECORD_HEADER)).isEqualTo((byte) 0x60);
        assertThat(b.capacity()).isEqualTo(second + RECORD_HEADER + 48 + length);
    }

    /** The headers of the published packets have the checksums that their publisher found. */
    @Test
    void checksumsMatchPublishedPackets() throws IOException {
        for (String name : new String[] {"published-uc-ipv4", "published-uc-ipv6"}) {
            byte[] golden = GoldenPacket.bytes(name);
            boolean ipv4 = golden[0] == 0x45;
            int headers = ipv4 ? 28 : 48;
            ByteBuffer g = GoldenPacket.direct(golden);
            Path file = folder.resolve(name);
            try (PcapWriter writer = new PcapWriter(file, LIMIT)) {
                long srcHigh = ipv4 ? 0 : g.getLong(8);
                long srcLow = ipv4 ? 0xffff_c0a8_0007L : g.getLong(16);
                long dstHigh = ipv4 ? 0 : g.getLong(24);
                long dstLow = ipv4 ? 0xffff_c0a8_0007L : g.getLong(32);
                int payload = golden.length - headers;
                writer.write(0, g, headers, payload, srcHigh, srcLow, dstHigh, dstLow, 49152, 4791, 1144);
            }
            ByteBuffer b = ByteBuffer.wrap(Files.readAllBytes(file));
            int ip = FILE_HEADER + RECORD_HEADER;
            assertThat(b.getShort(ip + headers - 2)).isEqualTo(g.getShort(headers - 2));
            if (ipv4) {
                // Theirs has TOS 1, one more in the sum and one less in its complement.
                assertThat(b.getShort(ip + 10)).isEqualTo((short) (g.getShort(10) + 1));
            }
        }
    }

    @Test
    void packetIsInFileWithinSecond() {
        Path file = folder.resolve("flushed.pcap");
        try (PcapWriter writer = new PcapWriter(file, LIMIT)) {
            v4(writer);
            assertTimeoutPreemptively(Duration.ofSeconds(Patience.SECONDS), () -> {
                while (Files.size(file) < FILE_HEADER + RECORD_HEADER + 28 + length) {
                    Thread.sleep(20);
                }
            });
        }
    }

    @Test
    void packetIsInFileAtExitOfJvm() throws Exception {
        Path file = folder.resolve("exit.pcap");
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process process = new ProcessBuilder(
                        java, "-cp", System.getProperty("java.class.path"), Exit.class.getName(), file.toString())
                .inheritIO()
                .start();
        assertThat(process.waitFor()).isEqualTo(3);
        assertThat(Files.size(file)).isEqualTo(FILE_HEADER + RECORD_HEADER + 28 + Packet.MIN_LENGTH);
    }

    /** Exits without closing its capture. */
    static final class Exit {
        private Exit() {}

        public static void main(String[] args) {
            PcapWriter writer = new PcapWriter(Path.of(args[0]), LIMIT);
            ByteBuffer b = ByteBuffer.allocate(Packet.MIN_LENGTH);
            writer.write(0, b, 0, Packet.MIN_LENGTH, 0, TestPackets.V4_A, 0, TestPackets.V4_B, 1, 4791, 0);
            System.exit(3);
        }
    }

    @Test
    void threadsWriteConcurrently() throws Exception {
        Path file = folder.resolve("threads.pcap");
        int each = 20_000;
        try (PcapWriter writer = new PcapWriter(file, LIMIT)) {
            Thread[] threads = new Thread[4];
            for (int i = 0; i < threads.length; i++) {
                threads[i] = new Thread(() -> {
                    for (int n = 0; n < each; n++) {
                        v4(writer);
                    }
                });
                threads[i].start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
        }
        assertThat(Files.size(file)).isEqualTo(FILE_HEADER + 4L * each * (RECORD_HEADER + 28 + length));
    }

    /** Two files within the limit hold the newest packets, and begin with a file header. */
    @Test
    void fullFileBecomesEarlierOne() throws IOException {
        Path file = folder.resolve("limited.pcap");
        Path earlier = folder.resolve("limited.pcap.1");
        int record = RECORD_HEADER + 28 + length;
        long limit = FILE_HEADER + 10L * record + PcapFormat.MAX_OVERHEAD;
        try (PcapWriter writer = new PcapWriter(file, limit)) {
            for (int i = 0; i < 10; i++) {
                v4(writer);
            }
            writer.flush();
            assertThat(Files.size(file)).isEqualTo(FILE_HEADER + 10L * record);
            assertThat(earlier).doesNotExist();
            for (int i = 0; i < 1000; i++) {
                v4(writer);
                if (i % 100 == 50) {
                    writer.flush();
                    assertThat(Files.size(file) + Files.size(earlier)).isLessThanOrEqualTo(2 * limit);
                }
            }
            v4(writer);
            v4(writer);
            v4(writer);
            assertThat(writer.written()).isEqualTo(1013);
            assertThat(writer.dropped()).isZero();
        }
        assertThat(Files.size(file)).isEqualTo(FILE_HEADER + 3L * record);
        assertThat(Files.size(earlier)).isEqualTo(FILE_HEADER + 10L * record);
        assertThat(ByteBuffer.wrap(Files.readAllBytes(file)).getInt(0)).isEqualTo(0xa1b23c4d);
        try (var files = Files.list(folder)) {
            assertThat(files).containsExactlyInAnyOrder(file, earlier);
        }
    }

    @Test
    void packetAboveLimitIsWritten() throws IOException {
        Path file = folder.resolve("tiny.pcap");
        try (PcapWriter writer = new PcapWriter(file, 1)) {
            v4(writer);
            v4(writer);
            assertThat(writer.written()).isEqualTo(2);
        }
        assertThat(Files.size(file)).isEqualTo(FILE_HEADER + RECORD_HEADER + 28 + length);
    }

    @Test
    void interruptedCallerLosesNothing() throws IOException {
        Path file = folder.resolve("interrupted.pcap");
        try (PcapWriter writer = new PcapWriter(file, LIMIT)) {
            Thread.currentThread().interrupt();
            v4(writer);
            writer.flush();
            assertThat(Thread.interrupted()).isTrue();
            v4(writer);
            assertThat(writer.dropped()).isZero();
        }
        assertThat(Files.size(file)).isEqualTo(FILE_HEADER + 2L * (RECORD_HEADER + 28 + length));
    }

    @Test
    void unopenableFileIsReportedAndCounted() {
        try (PcapWriter writer = new PcapWriter(folder.resolve("no/such/folder/a.pcap"), LIMIT)) {
            v4(writer);
            v6(writer);
            writer.flush();
            assertThat(writer.dropped()).isEqualTo(2);
            assertThat(writer.written()).isZero();
        }
    }

    @Test
    void fullDiskIsReportedAndCounted() {
        Path full = Path.of("/dev/full");
        assumeTrue(Files.isWritable(full), "no /dev/full on this system");
        try (PcapWriter writer = new PcapWriter(full, LIMIT)) {
            v4(writer);
            writer.flush();
            v4(writer);
            assertThat(writer.dropped()).isEqualTo(2);
            assertThat(writer.written()).isZero();
        }
    }

    @Test
    void impossibleArgumentsAndWritesAfterCloseAreCounted() {
        PcapWriter writer = new PcapWriter(folder.resolve("closed.pcap"), LIMIT);
        writer.write(0, packet, 250, 20, 0, 0, 0, 0, 0, 0, 0);
        writer.write(0, packet, -1, 20, 0, 0, 0, 0, 0, 0, 0);
        writer.write(0, packet, 0, -1, 0, 0, 0, 0, 0, 0, 0);
        writer.close();
        writer.close();
        v4(writer);
        writer.flush();
        assertThat(writer.dropped()).isEqualTo(4);
    }

    private void v4(PcapWriter writer) {
        writer.write(NANOS, packet, 0, length, 0, TestPackets.V4_A, 0, TestPackets.V4_B, 49152, 4791, 0xbeef);
    }

    private void v6(PcapWriter writer) {
        writer.write(
                NANOS,
                packet,
                0,
                length,
                TestPackets.V6_HIGH_A,
                TestPackets.V6_LOW_A,
                TestPackets.V6_HIGH_B,
                TestPackets.V6_LOW_B,
                49152,
                4791,
                0);
    }
}
