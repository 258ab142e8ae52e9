/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbs4j.Errno;
import io.verbs4j.ExportedFd;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.rxe.memory.ExportTable.Entry;
import io.verbs4j.provider.rxe.memory.ExportTable.Kind;
import io.verbs4j.provider.rxe.memory.ForeignMemory;
import io.verbs4j.provider.rxe.memory.KeyMemory;
import io.verbs4j.provider.rxe.memory.RemoteMemory;
import io.verbs4j.testsupport.Patience;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The two sides of exported objects, both in this process: which side waits for which, and the effect of corrupt
 * contents.
 */
@EnabledOnOs(OS.LINUX)
@Timeout(Patience.TEST_SECONDS)
@Tag("attack")
class ExportedObjectsTest {
    private static final String DEVICE = "rxe_test";
    private static final int BYTES = 300_000;
    private static final int REGION = 5;
    private static final int DOMAIN = 4;

    /** No process has this number: it is beyond the limit. */
    private static final long NO_PROCESS = 0x7fff_ffff;

    private final ByteBuffer memory = ByteBuffer.allocateDirect(BYTES);
    private final long address = NativeMemory.address(memory);
    private final ByteBuffer other = ByteBuffer.allocateDirect(BYTES);
    private final long otherAddress = NativeMemory.address(other);
    private final WatchedUse watched = new WatchedUse();
    private ExportedObjects owner;
    private ExportedFd fd;
    private SharedMemory file;
    private ImportedProcess importer;

    @BeforeEach
    void share() throws IOException {
        owner = new ExportedObjects(new WatchedUse(), DEVICE);
        owner.put(DOMAIN, new Entry(Kind.DOMAIN, 0, 0, 0, 0, 0, 0, 0));
        owner.put(REGION, region(address));
        fd = owner.newDescriptor();
        file = SharedMemory.open(watched.kernel(), fd.fd(), ExportLayout.SIZE);
        importer = ImportedProcess.open(watched, fd.fd(), DEVICE);
    }

    @AfterEach
    void end() {
        importer.close();
        fd.close();
        owner.close();
    }

    private static Entry region(long at) {
        return new Entry(Kind.REGION, DOMAIN, at, 7, BYTES, 3, 0x11, 0x22);
    }

    private ForeignMemory imported() {
        return importer.find("test", REGION, Kind.REGION).memory();
    }

    private static int errno(Runnable task) {
        VerbsException e = catchThrowableOfType(VerbsException.class, task::run);
        return e == null ? 0 : e.errno();
    }

    private int errnoOfOpen(int descriptor) {
        WatchedUse use = new WatchedUse();
        int errno = errno(() -> ImportedProcess.open(use, descriptor, DEVICE).close());
        use.close();
        return errno;
    }

    @Test
    void objectsAreFoundAsExported() {
        assertThat(importer.find("test", REGION, Kind.REGION).entry()).isEqualTo(region(address));
        assertThat(errno(() -> importer.find("test", REGION, Kind.DOMAIN))).isEqualTo(Errno.EINVAL);
        assertThat(errno(() -> importer.find("test", 0, Kind.DOMAIN))).isEqualTo(Errno.EINVAL);
        owner.end("test", REGION);
        assertThat(errno(() -> importer.find("test", REGION, Kind.REGION))).isEqualTo(Errno.EINVAL);
    }

    @Test
    void exactlyTheGivenBytesAreCopied() {
        ForeignMemory there = imported();
        new Random(1).ints(BYTES).forEach(i -> other.put((byte) i));
        assertThat(there.write(otherAddress, address + 1, BYTES - 2)).isTrue();
        assertThat(memory.slice(1, BYTES - 2)).isEqualTo(other.slice(0, BYTES - 2));
        assertThat(memory.get(0)).isZero();
        assertThat(memory.get(BYTES - 1)).isZero();
        other.clear().put(new byte[BYTES]).clear();
        assertThat(there.read(address + 1, otherAddress, BYTES - 2)).isTrue();
        assertThat(other.slice(0, BYTES - 2)).isEqualTo(memory.slice(1, BYTES - 2));
        assertThat(there.copy(address, there, address + BYTES / 2, BYTES / 2)).isTrue();
        assertThat(memory.slice(BYTES / 2, BYTES / 2)).isEqualTo(memory.slice(0, BYTES / 2));
        assertThat(there.clear(address, BYTES - 1)).isTrue();
        assertThat(memory.slice(0, BYTES - 1)).isEqualTo(ByteBuffer.allocate(BYTES - 1));
        assertThat(memory.get(BYTES - 1)).isNotZero();
    }

    @Test
    void memoryOfThirdProcessIsFetched() {
        ForeignMemory there = imported();
        new Random(2).ints(BYTES).forEach(i -> other.put((byte) i));
        RemoteMemory third = new RemoteMemory() {
            @Override
            public long bytes() {
                return BYTES;
            }

            @Override
            public boolean fetch(long offset, long to, long count) {
                NativeMemory.copy(otherAddress + offset, to, count);
                return offset + count <= BYTES;
            }
        };
        assertThat(there.fetch(third, 5, address, 200_000)).isEqualTo(KeyMemory.OK);
        assertThat(memory.slice(0, 200_000)).isEqualTo(other.slice(5, 200_000));
        owner.end("test", REGION);
        assertThat(there.fetch(third, 5, address, 10)).isEqualTo(KeyMemory.GONE);
    }

    @Test
    void unmappedMemoryFailsWithoutException() {
        ForeignMemory there = imported();
        for (long nowhere : new long[] {0, 8, -1, Long.MIN_VALUE, 0x7fff_ffff_f000L}) {
            assertThat(there.read(nowhere, otherAddress, 100)).isFalse();
            assertThat(there.write(otherAddress, nowhere, 100)).isFalse();
            assertThat(there.canRead(nowhere, 100)).isFalse();
            assertThat(there.read(address, nowhere, 100))
                    .as("read into unmapped memory")
                    .isFalse();
            assertThat(there.write(nowhere, address, 100)).isFalse();
        }
    }

    /** Data read from memory that ended meanwhile may be anybody's. */
    @Test
    void readFailsWhenMemoryEndsMeanwhile() {
        ForeignMemory there = imported();
        watched.before = () -> {
            watched.before = null;
            owner.end("test", REGION);
        };
        assertThat(there.read(address, otherAddress, 100)).isFalse();
    }

    @Test
    void nothingIsTouchedAfterTheEnd() {
        ForeignMemory there = imported();
        owner.end("test", REGION);
        AtomicInteger calls = new AtomicInteger();
        watched.before = calls::incrementAndGet;
        assertThat(there.write(otherAddress, address, 100)).isFalse();
        assertThat(there.read(address, otherAddress, 100)).isFalse();
        assertThat(there.isValid()).isFalse();
        assertThat(calls).hasValue(0);
    }

    /** The owner cannot end an object during a write: it waits first, then refuses. */
    @Test
    void endIsRefusedDuringWrite() {
        ForeignMemory there = imported();
        List<Integer> answers = new ArrayList<>();
        watched.before = () -> answers.add(errno(() -> owner.end("test", REGION)));
        assertThat(there.write(otherAddress, address, 100)).isTrue();
        assertThat(answers).containsExactly(Errno.EBUSY);
        watched.before = null;
        assertThat(there.write(otherAddress, address, 100))
                .as("write after the keys ended")
                .isFalse();
        owner.end("test", REGION);
        owner.put(REGION, region(address));
        assertThat(imported().write(otherAddress, address, 100)).isTrue();
        assertThat(there.isValid())
                .as("old region after a new one took its number")
                .isFalse();
    }

    @Test
    void writeOfDeadProcessIsNotWaitedFor() {
        for (int i = 1; i < ExportLayout.IMPORTERS; i++) {
            file.put(ExportLayout.importer(i), NO_PROCESS);
            file.put(ExportLayout.importer(i) + ExportLayout.IMPORTER_BEGAN, i % 2);
            for (int place = 1; place <= ExportLayout.WRITES; place++) {
                file.put(ExportLayout.write(i, place - 1), place);
            }
            file.put(ExportLayout.hold(i, 0), (long) DOMAIN << Integer.SIZE | 1);
        }
        owner.end("test", REGION);
        owner.end("test", DOMAIN);
        try (SystemUses more = new SystemUses()) {
            for (int i = 1; i < ExportLayout.IMPORTERS; i++) {
                more.open(fd.fd());
            }
            assertThat(errnoOfOpen(fd.fd())).as("one importer too many").isEqualTo(Errno.ENOMEM);
        }
        assertThat(errnoOfOpen(fd.fd())).isZero();
    }

    /** Importers that this test closes. */
    private static final class SystemUses implements AutoCloseable {
        private final List<ImportedProcess> all = new ArrayList<>();

        void open(int descriptor) {
            all.add(ImportedProcess.open(new WatchedUse(), descriptor, DEVICE));
        }

        @Override
        public void close() {
            all.forEach(ImportedProcess::close);
        }
    }

    @Test
    void heldObjectCannotEnd() {
        ImportedProcess.Found domain = importer.find("test", DOMAIN, Kind.DOMAIN);
        assertThat(importer.hold("test", domain)).isTrue();
        assertThat(importer.hold("test", domain)).isTrue();
        assertThat(errno(() -> owner.end("test", DOMAIN))).isEqualTo(Errno.EBUSY);
        importer.release(DOMAIN);
        assertThat(errno(() -> owner.end("test", DOMAIN))).isEqualTo(Errno.EBUSY);
        assertThat(domain.memory().isValid()).as("domain after the refused end").isTrue();
        importer.release(DOMAIN);
        owner.end("test", DOMAIN);
        assertThat(importer.hold("test", domain)).isFalse();
        owner.put(DOMAIN, region(0)); // which is not held
        owner.end("test", DOMAIN);
    }

    @Test
    void tooManyHoldsAreRefused() {
        for (int i = 0; i <= ExportLayout.HOLDS; i++) {
            owner.put(100 + i, new Entry(Kind.DOMAIN, 0, 0, 0, 0, 0, 0, 0));
        }
        for (int i = 0; i < ExportLayout.HOLDS; i++) {
            assertThat(importer.hold("test", importer.find("test", 100 + i, Kind.DOMAIN)))
                    .isTrue();
        }
        ImportedProcess.Found last = importer.find("test", 100 + ExportLayout.HOLDS, Kind.DOMAIN);
        assertThat(errno(() -> importer.hold("test", last))).isEqualTo(Errno.ENOMEM);
        importer.release(100);
        assertThat(importer.hold("test", last)).isTrue();
    }

    @Test
    void numberOfObjectsIsLimited() {
        for (int i = 2; i < ExportLayout.ENTRIES; i++) {
            owner.put(100 + i, region(address));
        }
        assertThat(errno(() -> owner.put(99, region(address)))).isEqualTo(Errno.ENOMEM);
        owner.end("test", 1000);
        owner.put(99, region(address));
        assertThat(importer.find("test", 99, Kind.REGION).entry()).isEqualTo(region(address));
        assertThat(importer.find("test", 1001, Kind.REGION).entry()).isEqualTo(region(address));
    }

    @Test
    void closedImportersFreeTheirPlaces() {
        for (int i = 0; i < 3 * ExportLayout.IMPORTERS; i++) {
            assertThat(errnoOfOpen(fd.fd())).isZero();
        }
    }

    /** The creator of the file names the process to write to, which must be the creator itself. */
    @Test
    void otherProcessThanExporterIsRefused() {
        long began = file.get(ExportLayout.BEGAN);
        file.put(ExportLayout.BEGAN, began + 1);
        assertThat(errnoOfOpen(fd.fd())).as("earlier process with the same PID").isEqualTo(Errno.ESRCH);
        file.put(ExportLayout.BEGAN, began);
        long pid = file.get(ExportLayout.PID);
        for (long wrong : new long[] {NO_PROCESS, 0, -1, Long.MIN_VALUE}) {
            file.put(ExportLayout.PID, wrong);
            assertThat(errnoOfOpen(fd.fd())).as("PID " + wrong).isEqualTo(Errno.ESRCH);
        }
        file.put(
                ExportLayout.PID, ProcessHandle.current().parent().orElseThrow().pid());
        file.put(ExportLayout.BEGAN, 0);
        assertThat(errnoOfOpen(fd.fd())).as("process without the nonce").isIn(Errno.ESRCH, Errno.EACCES);
        file.put(ExportLayout.BEGAN, began);
        file.put(ExportLayout.PID, pid);
        for (int at : new int[] {ExportLayout.NONCE, ExportLayout.NONCE + 8, ExportLayout.NONCE_ADDRESS}) {
            long right = file.get(at);
            for (long wrong : new long[] {0, right ^ 2}) {
                file.put(at, wrong);
                assertThat(errnoOfOpen(fd.fd())).as("word " + at).isEqualTo(Errno.ESRCH);
            }
            file.put(at, right);
        }
        file.put(ExportLayout.NAMESPACE, 1);
        assertThat(errnoOfOpen(fd.fd())).as("namespace").isEqualTo(Errno.EACCES);
    }

    /** The creator of the file could be another user, who names a process of this user. */
    @Test
    void fileOfAnotherUserIsRefused() throws IOException {
        Path path = Path.of("/proc/self/fd/" + fd.fd());
        assumeTrue(Integer.valueOf(0).equals(Files.getAttribute(path, "unix:uid")), "only root can give files away");
        Files.setAttribute(path, "unix:uid", 61_031);
        assertThat(errnoOfOpen(fd.fd())).isEqualTo(Errno.EACCES);
        Files.setAttribute(path, "unix:uid", 0);
        assertThat(errnoOfOpen(fd.fd())).isZero();
    }

    @Test
    void invalidFilesAreRefused() throws IOException {
        try (SharedMemory small = SharedMemory.create(watched.kernel(), 4096)) {
            assertThat(errnoOfOpen(small.fd())).isEqualTo(Errno.EINVAL);
        }
        try (SharedMemory empty = SharedMemory.create(watched.kernel(), ExportLayout.SIZE)) {
            assertThat(errnoOfOpen(empty.fd())).isEqualTo(Errno.EINVAL);
        }
        WatchedUse use = new WatchedUse();
        assertThat(errno(() -> ImportedProcess.open(use, fd.fd(), "rxe_other"))).isEqualTo(Errno.EOPNOTSUPP);
        use.close();
        file.put(ExportLayout.STATE, 0);
        assertThat(errnoOfOpen(fd.fd())).isEqualTo(Errno.EOPNOTSUPP);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void corruptContentsThrowVerbsExceptionsOnly(long seed) {
        Random random = new Random(seed);
        ForeignMemory there = imported();
        for (int at = 8; at < ExportLayout.SIZE; at += 8) {
            file.put(at, random.nextInt(3) == 0 ? random.nextLong() : random.nextInt(6000));
        }
        file.put(ExportLayout.STATE, ExportLayout.OPEN);
        file.put(0, ExportLayout.MAGIC);
        assertThat(errnoOfOpen(fd.fd())).isNotZero();
        for (int number = 0; number < 50; number++) {
            int n = number;
            for (Kind kind : Kind.values()) {
                assertThat(errno(() -> importer.find("test", n, kind))).isIn(0, Errno.EINVAL);
            }
        }
        assertThatCode(() -> {
                    there.read(address, otherAddress, 100);
                    there.canRead(address, 100);
                    importer.release(DOMAIN);
                })
                .doesNotThrowAnyException();
        assertThat(errno(() -> owner.end("test", REGION))).isIn(0, Errno.EBUSY);
        for (int i = 0; i < 100; i++) {
            owner.put(200 + i, region(address));
        }
    }

    @Test
    void endOfOwnerEndsAllObjects() {
        ForeignMemory there = imported();
        owner.close();
        assertThat(there.isValid()).isFalse();
        assertThat(there.write(otherAddress, address, 10)).isFalse();
        assertThat(errno(() -> importer.find("test", REGION, Kind.REGION))).isEqualTo(Errno.ESRCH);
        assertThat(errnoOfOpen(fd.fd())).isEqualTo(Errno.EOPNOTSUPP);
    }
}
