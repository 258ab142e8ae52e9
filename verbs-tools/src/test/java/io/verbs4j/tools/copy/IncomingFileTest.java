/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IncomingFileTest {
    private static final int BLOCK = CopySizes.BLOCK;
    private static final long TIME = 1_500_000_000_123_456_789L;

    @TempDir
    Path folder;

    private Path target;

    @BeforeEach
    void name() {
        target = folder.resolve("name");
    }

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    private static Message.Offer offer(byte[] bytes, long time) {
        return new Message.Offer("", "name", bytes.length, time, 0640);
    }

    private static byte[] sum(byte[] bytes, int length) {
        MessageDigest digest = Checksums.sha256();
        digest.update(bytes, 0, length);
        return digest.digest();
    }

    /** Writes blocks as a session does. */
    private static void write(IncomingFile file, byte[] bytes, int from, int to) throws IOException, FileRefused {
        for (int at = from; at < to; at += BLOCK) {
            ByteBuffer block = ByteBuffer.wrap(bytes, at, Math.min(BLOCK, bytes.length - at))
                    .slice();
            boolean zeros = Checksums.isZero(block);
            file.write(at / BLOCK, block, Checksums.crc(block), zeros);
        }
    }

    private void receive(byte[] bytes, int from) throws Exception {
        try (IncomingFile file = IncomingFile.open(target, offer(bytes, TIME))) {
            assertThat(file.bytes()).isEqualTo(from);
            assertThat(file.prefix(() -> {})).isEqualTo(sum(bytes, from));
            file.begin(from);
            write(file, bytes, from, bytes.length);
            file.finish(sum(bytes, bytes.length));
        }
        assertWhole(bytes);
    }

    private void assertWhole(byte[] bytes) throws IOException {
        assertThat(Files.readAllBytes(target)).isEqualTo(bytes);
        assertThat(names()).containsExactly("name");
        assertThat(FileAttributes.mtimeNanos(target)).isEqualTo(TIME);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(target)))
                .isEqualTo("rw-r-----");
    }

    private String[] names() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.map(path -> path.getFileName().toString()).sorted().toArray(String[]::new);
        }
    }

    private void interrupted(byte[] bytes, int blocks) throws Exception {
        try (IncomingFile file = IncomingFile.open(target, offer(bytes, TIME))) {
            file.begin(0);
            write(file, bytes, 0, blocks * BLOCK);
        }
        assertThat(names()).containsExactly(".name.verbs-part", ".name.verbs-state");
        Path part = folder.resolve(".name.verbs-part"); // the source may be readable by its owner only
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(part)))
                .isEqualTo("rw-------");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK, 3 * BLOCK + 17})
    void fileOfAnySizeIsReceivedCompletely(int size) throws Exception {
        receive(random(size), 0);
    }

    @Test
    void zeroBlocksAreNotWrittenAndFileHasFullSize() throws Exception {
        byte[] bytes = new byte[6 * BLOCK + 3];
        bytes[2 * BLOCK] = 1;
        try (IncomingFile file = IncomingFile.open(target, offer(bytes, TIME))) {
            file.begin(0);
            write(file, bytes, 0, bytes.length);
            assertThat(folder.resolve(".name.verbs-part")).hasSize(3 * BLOCK);
            file.finish(sum(bytes, bytes.length));
        }
        assertWhole(bytes);
    }

    @Test
    void zeroBlockReplacesDataOfOlderPart() throws Exception {
        byte[] old = random(4 * BLOCK);
        interrupted(old, 3);
        byte[] bytes = Arrays.copyOf(old, 3 * BLOCK);
        Arrays.fill(bytes, BLOCK, 2 * BLOCK, (byte) 0);
        receive(bytes, 0);
    }

    @Test
    void interruptedFileResumesAfterGoodBlocks() throws Exception {
        byte[] bytes = random(5 * BLOCK + 3);
        interrupted(bytes, 2);
        receive(bytes, 2 * BLOCK);
    }

    @Test
    void unfinishedFileWithAllBlocksResumesAtEnd() throws Exception {
        byte[] bytes = random(2 * BLOCK + 3);
        try (IncomingFile file = IncomingFile.open(target, offer(bytes, TIME))) {
            file.begin(0);
            write(file, bytes, 0, bytes.length);
        }
        receive(bytes, bytes.length);
    }

    @Test
    void changedSourceRestartsWithReason() throws Exception {
        byte[] bytes = random(3 * BLOCK);
        interrupted(bytes, 2);
        try (IncomingFile file = IncomingFile.open(target, offer(bytes, TIME + 1))) {
            assertThat(file.bytes()).isZero();
            assertThat(file.why()).contains("has changed").contains("modification time");
        }
        try (IncomingFile file = IncomingFile.open(target, offer(random(4 * BLOCK), TIME))) {
            assertThat(file.bytes()).isZero();
            assertThat(file.why()).contains("it had " + 3 * BLOCK + " bytes and has " + 4 * BLOCK);
        }
    }

    @Test
    void damagedPartResumesBeforeDamage() throws Exception {
        byte[] bytes = random(5 * BLOCK);
        interrupted(bytes, 4);
        try (FileChannel part = FileChannel.open(folder.resolve(".name.verbs-part"), StandardOpenOption.WRITE)) {
            part.write(ByteBuffer.wrap(new byte[] {(byte) ~bytes[2 * BLOCK + 7]}), 2 * BLOCK + 7);
        }
        try (IncomingFile file = IncomingFile.open(target, offer(bytes, TIME))) {
            assertThat(file.bytes()).isEqualTo(4 * BLOCK);
            assertThat(file.prefix(() -> {})).isEqualTo(sum(bytes, 2 * BLOCK));
            assertThat(file.bytes()).isEqualTo(2 * BLOCK);
            file.begin(2 * BLOCK);
            write(file, bytes, 2 * BLOCK, bytes.length);
            file.finish(sum(bytes, bytes.length));
        }
        assertWhole(bytes);
    }

    @Test
    void truncatedPartResumesAtLastWholeBlock() throws Exception {
        byte[] bytes = random(5 * BLOCK);
        interrupted(bytes, 4);
        try (FileChannel part = FileChannel.open(folder.resolve(".name.verbs-part"), StandardOpenOption.WRITE)) {
            part.truncate(3 * BLOCK - 1);
        }
        receive(bytes, 2 * BLOCK);
    }

    @Test
    void damagedStateRestarts() throws Exception {
        byte[] bytes = random(2 * BLOCK);
        interrupted(bytes, 1);
        Files.write(folder.resolve(".name.verbs-state"), random(100));
        try (IncomingFile file = IncomingFile.open(target, offer(bytes, TIME))) {
            assertThat(file.why()).contains("another version");
            file.begin(0);
            write(file, bytes, 0, bytes.length);
            file.finish(sum(bytes, bytes.length));
        }
        assertWhole(bytes);
    }

    @Test
    void corruptBlockIsNamedAndEarlierBlocksAreKept() throws Exception {
        byte[] bytes = random(3 * BLOCK);
        try (IncomingFile file = IncomingFile.open(target, offer(bytes, TIME))) {
            file.begin(0);
            write(file, bytes, 0, BLOCK);
            ByteBuffer block = ByteBuffer.wrap(bytes, BLOCK, BLOCK).slice();
            assertThatThrownBy(() -> file.write(1, block, Checksums.crc(block) + 1, false))
                    .isInstanceOf(FileRefused.class)
                    .hasMessageContaining("block 1 (bytes 1048576 to 2097151) differs: its CRC32C is ");
        }
        receive(bytes, BLOCK);
    }

    @Test
    void wrongChecksumNamesFirstCorruptBlockAndDeletesPart() throws Exception {
        byte[] bytes = random(4 * BLOCK);
        try (IncomingFile file = IncomingFile.open(target, offer(bytes, TIME))) {
            file.begin(0);
            write(file, bytes, 0, bytes.length);
            try (FileChannel part = FileChannel.open(folder.resolve(".name.verbs-part"), StandardOpenOption.WRITE)) {
                part.write(ByteBuffer.wrap(new byte[] {(byte) ~bytes[2 * BLOCK]}), 2 * BLOCK);
            }
            assertThatThrownBy(() -> file.finish(new byte[32]))
                    .isInstanceOf(FileRefused.class)
                    .hasMessageContaining("the copy differs: its SHA-256 is ")
                    .hasMessageContaining("the first block that differs is block 2 (bytes 2097152 to 3145727)");
        }
        assertThat(names()).isEmpty();
    }

    @Test
    void existingFileOfSameSizeIsCompared() throws Exception {
        byte[] bytes = random(2 * BLOCK + 1);
        Files.write(target, bytes);
        try (IncomingFile file = IncomingFile.open(target, offer(bytes, TIME))) {
            assertThat(file.isFinished()).isTrue();
            assertThat(file.prefix(() -> {})).isEqualTo(sum(bytes, bytes.length));
            file.begin(bytes.length);
            file.finish(sum(bytes, bytes.length));
        }
        assertWhole(bytes);
    }

    @Test
    void existingFileIsKeptUntilReplacementIsComplete() throws Exception {
        byte[] old = random(2 * BLOCK + 1);
        byte[] bytes = old.clone();
        bytes[0]++;
        Files.write(target, old);
        try (IncomingFile file = IncomingFile.open(target, offer(bytes, TIME))) {
            assertThat(file.prefix(() -> {})).isNotEqualTo(sum(bytes, bytes.length));
            file.begin(0);
            write(file, bytes, 0, bytes.length);
            assertThat(Files.readAllBytes(target)).isEqualTo(old);
            file.finish(sum(bytes, bytes.length));
        }
        assertWhole(bytes);
    }

    @Test
    void fileBeingReceivedIsRefused() throws Exception {
        byte[] bytes = random(10);
        try (IncomingFile file = IncomingFile.open(target, offer(bytes, TIME))) {
            assertThatThrownBy(() -> IncomingFile.open(target, offer(bytes, TIME)))
                    .isInstanceOf(FileRefused.class)
                    .hasMessageContaining("another process is receiving this file");
            file.begin(0);
            write(file, bytes, 0, bytes.length);
            file.finish(sum(bytes, bytes.length));
        }
    }

    @Test
    void emptyPartIsDeleted() throws Exception {
        byte[] bytes = random(10);
        try (IncomingFile file = IncomingFile.open(target, offer(bytes, TIME))) {
            file.begin(0);
        }
        assertThat(names()).isEmpty();
    }

    @Test
    void existingLinkIsReplacedNotFollowed() throws Exception {
        Path elsewhere = Files.write(folder.resolve("elsewhere"), new byte[] {1});
        Files.createSymbolicLink(target, elsewhere);
        byte[] bytes = random(10);
        try (IncomingFile file = IncomingFile.open(target, offer(bytes, TIME))) {
            assertThat(file.isFinished()).isFalse();
            file.begin(0);
            write(file, bytes, 0, bytes.length);
            file.finish(sum(bytes, bytes.length));
        }
        assertThat(Files.isSymbolicLink(target)).isFalse();
        assertThat(Files.readAllBytes(target)).isEqualTo(bytes);
        assertThat(Files.readAllBytes(elsewhere)).containsExactly(1);
    }
}
