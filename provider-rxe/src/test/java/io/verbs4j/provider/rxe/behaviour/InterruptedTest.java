/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbs4j.AccessFlags;
import io.verbs4j.AdviseMrAdvice;
import io.verbs4j.MemoryRegion;
import io.verbs4j.RegMrAttrEx;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import io.verbs4j.core.Verbs;
import io.verbs4j.provider.rxe.DevicePorts;
import io.verbs4j.provider.rxe.memory.PageCounters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Verbs that use files work in an interrupted thread, which stays interrupted. */
class InterruptedTest {
    private static final int PAGE = 4096;

    @TempDir
    Path folder;

    private final Side a = new Side(Verbs.devices().get(0), TwoSides.BYTES);

    @BeforeEach
    void connect() {
        a.create();
        Side.connectToItself(a);
    }

    @AfterEach
    void close() {
        Thread.interrupted();
        a.close();
    }

    /** Returns the descriptor by which this process has a file open. */
    private static int descriptor(Path file) throws IOException {
        Path all = Path.of("/proc/self/fd");
        assumeTrue(Files.isDirectory(all), "no " + all);
        try (Stream<Path> open = Files.list(all)) {
            return open.filter(one -> {
                        try {
                            return Files.readSymbolicLink(one).equals(file.toRealPath());
                        } catch (IOException e) {
                            return false; // the one that lists them
                        }
                    })
                    .map(one -> Integer.parseInt(one.getFileName().toString()))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void descriptorIsRegisteredDespiteInterrupt() throws IOException {
        Path file = Files.write(folder.resolve("memory"), new byte[PAGE]);
        try (var kept = Files.newByteChannel(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            int fd = descriptor(file);
            Thread.currentThread().interrupt();
            try (MemoryRegion mr = a.pd.regMrEx(new RegMrAttrEx()
                    .fd(fd)
                    .fdOffset(0)
                    .length(PAGE)
                    .iova(0)
                    .access(Side.ALL_ACCESS & ~AccessFlags.MW_BIND))) {
                assertThat(Thread.currentThread().isInterrupted()).isTrue();
                a.post(Side.wr(WrOpcode.RDMA_WRITE, 1, a.sge(0, 100))
                        .remoteAddr(mr.addr())
                        .rkey(mr.rkey()));
                a.next(1, WcStatus.SUCCESS);
            }
            assertThat(Thread.interrupted()).isTrue();
            assertThat(kept.isOpen()).isTrue();
        }
    }

    @Test
    void adviceReadsPagesDespiteInterrupt() {
        assumeTrue(Files.isReadable(Path.of("/proc/self/pagemap")));
        a.fill(1);
        MemoryRegion mr = a.onDemand();
        PageCounters pages = DevicePorts.of(a.context.device()).keys().pages();
        long before = pages.prefetched();
        ScatterGatherElement[] all = {ScatterGatherElement.of(mr, 0, 64 * PAGE)};
        Thread.currentThread().interrupt();
        a.pd.adviseMr(AdviseMrAdvice.PREFETCH_NO_FAULT, 0, all);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(pages.prefetched() - before).isPositive();
    }
}
