/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbs4j.AccessFlags;
import io.verbs4j.Errno;
import io.verbs4j.FlushLevel;
import io.verbs4j.FlushType;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ReregFlags;
import io.verbs4j.VerbsException;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Flushes of data that must survive a loss of power: the kernel's accounting shows whether the pages went to the file.
 */
class PersistentFlushTest extends TwoSides {
    private static final int SIZE = 64 << 10;
    private static final int RIGHTS = AccessFlags.LOCAL_WRITE
            | AccessFlags.REMOTE_WRITE
            | AccessFlags.FLUSH_GLOBAL
            | AccessFlags.FLUSH_PERSISTENT;

    private boolean wire;
    private Path file;

    @Override
    boolean overTheWire() {
        return wire;
    }

    @BeforeEach
    void makeFile() throws IOException {
        // Not in the directory for temporary files, which may be memory.
        file = Files.createTempFile(Path.of("target").toAbsolutePath(), "persistent", "");
    }

    @AfterEach
    void deleteFile() throws IOException {
        Files.deleteIfExists(file);
    }

    private static ByteBuffer map(Path path, FileChannel.MapMode mode) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return channel.map(mode, 0, SIZE);
        }
    }

    /** Returns how many KiB of the file's mapping are dirty, i.e. changed but not written to the file. */
    private long dirty() throws IOException {
        List<String> lines = Files.readAllLines(Path.of("/proc/self/smaps"));
        long sum = 0;
        boolean ours = false;
        for (String line : lines) {
            if (line.matches("[0-9a-f]+-[0-9a-f]+ .*")) {
                ours = line.endsWith(file.toString());
            } else if (ours && line.matches("(Shared|Private)_Dirty:.*")) {
                sum += Long.parseLong(line.replaceAll("[^0-9]", ""));
            }
        }
        return sum;
    }

    private void connected() {
        start(side -> side.access |= AccessFlags.FLUSH_GLOBAL | AccessFlags.FLUSH_PERSISTENT);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void flushedWritesAreInFile(boolean overTheWire) throws IOException {
        wire = overTheWire;
        ByteBuffer mapped = map(file, FileChannel.MapMode.READ_WRITE);
        connected();
        try (MemoryRegion mr = b.pd.regMr(mapped, RIGHTS)) {
            for (int i = 0; i < 5; i++) {
                a.fill(i + 1);
                a.post(Side.wr(WrOpcode.RDMA_WRITE, 1, a.sge(0, SIZE))
                        .remoteAddr(mr.addr())
                        .rkey(mr.rkey()));
                a.next(1, WcStatus.SUCCESS);
                a.post(Side.wr(WrOpcode.FLUSH, 2)
                        .flushType(FlushType.GLOBAL)
                        .flushLength(SIZE)
                        .remoteAddr(mr.addr())
                        .rkey(mr.rkey()));
                a.next(2, WcStatus.SUCCESS);
                assertThat(dirty()).as("dirty pages after a GLOBAL flush").isPositive();
                Thread.currentThread().interrupt(); // must not close the file
                a.post(Side.wr(WrOpcode.FLUSH, 3)
                        .flushType(FlushType.PERSISTENT)
                        .flushLevel(i % 2 == 0 ? FlushLevel.RANGE : FlushLevel.MR)
                        .flushLength(SIZE)
                        .remoteAddr(mr.addr())
                        .rkey(mr.rkey()));
                assertThat(a.next(3, WcStatus.SUCCESS).opcode()).isEqualTo(WcOpcode.FLUSH);
                assertThat(Thread.interrupted()).isTrue();
                assertThat(dirty()).isZero();
            }
        }
    }

    private void isRefused(ByteBuffer memory, String why) {
        assertThatThrownBy(() -> b.pd.regMr(memory, RIGHTS))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
                .hasMessageContaining(why);
    }

    @Test
    void volatileMemoryIsRefused() throws IOException {
        connected();
        isRefused(ByteBuffer.allocateDirect(SIZE), "not a shared mapping of a file");
        isRefused(map(file, FileChannel.MapMode.PRIVATE), "not a shared mapping of a file");
        ByteBuffer mapped = map(file, FileChannel.MapMode.READ_WRITE);
        Files.delete(file);
        isRefused(mapped, "no longer has that name");
        Files.createFile(file); // another file
        isRefused(mapped, "no longer has that name");
    }

    @Test
    void filesInMemoryAreRefused() throws IOException {
        Path shm = Path.of("/dev/shm");
        assumeTrue(
                Files.isWritable(shm) && Files.getFileStore(shm).type().equals("tmpfs"),
                "/dev/shm is not a writable tmpfs");
        connected();
        Path volatileFile = Files.createTempFile(shm, "verbs4j", "");
        try {
            isRefused(map(volatileFile, FileChannel.MapMode.READ_WRITE), "a file in memory (tmpfs)");
        } finally {
            Files.delete(volatileFile);
        }
    }

    @Test
    void persistentRegionMayNotChangeMemory() throws IOException {
        ByteBuffer mapped = map(file, FileChannel.MapMode.READ_WRITE);
        connected();
        try (MemoryRegion mr = b.pd.regMr(mapped, RIGHTS)) {
            assertThatThrownBy(() -> mr.rereg(ReregFlags.CHANGE_TRANSLATION, null, b.mr.addr(), 8192, 0))
                    .isInstanceOfSatisfying(
                            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
            mr.rereg(ReregFlags.CHANGE_ACCESS, null, 0, 0, RIGHTS & ~AccessFlags.FLUSH_PERSISTENT);
            mr.rereg(ReregFlags.CHANGE_ACCESS, null, 0, 0, RIGHTS);
            a.post(Side.wr(WrOpcode.FLUSH, 3)
                    .flushType(FlushType.PERSISTENT)
                    .flushLength(SIZE)
                    .remoteAddr(mr.addr())
                    .rkey(mr.rkey()));
            a.next(3, WcStatus.SUCCESS);
        }
    }
}
