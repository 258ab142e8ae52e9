/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AccessFlags;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.RegMrAttrEx;
import io.verbs4j.ReregFlags;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.Pipe;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Regions of the memory behind a descriptor. */
@WithOneCopy
class DescriptorPathsTest extends MemoryPaths {
    private static int descriptor(Path file) throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            for (Path fd : all.toList()) {
                if (Files.isSymbolicLink(fd) && Files.readSymbolicLink(fd).equals(file)) {
                    return Integer.parseInt(fd.getFileName().toString());
                }
            }
        }
        throw new AssertionError("no open descriptor of " + file);
    }

    private static RegMrAttrEx described(int fd, long offset, long length, long iova) {
        return new RegMrAttrEx()
                .fd(fd)
                .fdOffset(offset)
                .length(length)
                .iova(iova)
                .access(Side.ALL_ACCESS);
    }

    private static void assumeDescriptors() {
        Assumptions.assumeTrue(Files.isDirectory(Path.of("/proc/self/fd")), "no /proc/self/fd");
    }

    @Test
    void descriptorsMemoryIsUsed() throws IOException {
        assumeDescriptors();
        start();
        Path file = folder.toRealPath().resolve("memory");
        Files.write(file, new byte[100_000]);
        MemoryRegion mr;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            int fd = descriptor(file);
            mr = b.opened(b.pd.regMrEx(described(fd, 5000, 90_000, 0x4000_0000L)));
            assertThat(errno(() -> b.pd.regMrEx(described(fd, 5000, 95_001, 0))))
                    .isEqualTo(Errno.EINVAL);
            assertThat(errno(() -> b.pd.regMrEx(described(fd, 100_001, 1, 0)))).isEqualTo(Errno.EINVAL);
            assertThat(errno(() -> b.pd.regMrEx(described(fd, Long.MAX_VALUE, Long.MAX_VALUE, 0))))
                    .isEqualTo(Errno.EINVAL);
            assertThat(errno(() -> b.pd.regMrEx(
                            described(fd, 0, 10, 0).access(AccessFlags.LOCAL_WRITE | AccessFlags.ON_DEMAND))))
                    .isEqualTo(Errno.EOPNOTSUPP);
            assertThat(channel.size()).as("size of the file").isEqualTo(100_000);
        }
        assertThat(mr.addr()).isEqualTo(0x4000_0000L); // after the descriptor was closed
        works(request(WrOpcode.RDMA_WRITE, mr, mr.addr() + 10, 50_000));
        byte[] written = Files.readAllBytes(file);
        assertThat(written).hasSize(100_000);
        assertThat(written[5009]).isZero();
        for (int i = 0; i < 50_000; i++) {
            assertThat(written[5010 + i]).isEqualTo(Side.pattern(1, i));
        }
        assertThat(written[55_010]).isZero();
        isRefused(request(WrOpcode.RDMA_WRITE, mr, mr.addr() + 89_999, 2), WcStatus.REM_ACCESS_ERR);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(0);
        }
        isRefused(request(WrOpcode.RDMA_WRITE, mr, mr.addr(), 50_000), WcStatus.REM_OP_ERR);
        works(a.to(Side.wr(WrOpcode.RDMA_WRITE, 1, a.sge(0, 10)), b, 0));
        assertThat(errno(() -> mr.rereg(ReregFlags.CHANGE_ACCESS, null, 0, 0, 0)))
                .isEqualTo(Errno.EOPNOTSUPP);
    }

    @Test
    void descriptorsWithoutMemoryAreRefused() throws IOException {
        assumeDescriptors();
        start();
        assertThat(errno(() -> b.pd.regMrEx(described(1 << 20, 0, 10, 0)))).isEqualTo(Errno.EBADF);
        assertThat(errno(() -> b.pd.regMrEx(described(-1, 0, 10, 0)))).isEqualTo(Errno.EINVAL);
        assertThat(errno(() -> b.pd.regMrEx(new RegMrAttrEx().fd(1).length(10).access(AccessFlags.LOCAL_WRITE))))
                .isEqualTo(Errno.EINVAL);
        Path file = folder.toRealPath().resolve("memory");
        Files.write(file, new byte[100]);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            assertThat(channel.isOpen()).isTrue();
            int fd = descriptor(file);
            assertThat(errno(() -> b.pd.regMrEx(described(fd, 0, 100, 0)))).isEqualTo(Errno.EACCES);
            b.pd.regMrEx(described(fd, 0, 100, 0).access(AccessFlags.REMOTE_READ))
                    .close();
        }
        Pipe pipe = Pipe.open();
        try (Pipe.SourceChannel source = pipe.source();
                Pipe.SinkChannel sink = pipe.sink();
                Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            assertThat(source.isOpen() && sink.isOpen()).isTrue();
            List<Integer> pipes = all.filter(fd -> linksToPipe(fd))
                    .map(fd -> Integer.parseInt(fd.getFileName().toString()))
                    .toList();
            assertThat(pipes).hasSizeGreaterThan(1);
            for (int fd : pipes) {
                assertThat(errno(() -> b.pd.regMrEx(described(fd, 0, 10, 0)))).isEqualTo(Errno.EINVAL);
            }
        }
    }

    private static boolean linksToPipe(Path fd) {
        try {
            return Files.readSymbolicLink(fd).toString().startsWith("pipe:");
        } catch (IOException e) {
            return false;
        }
    }
}
