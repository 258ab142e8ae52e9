/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.jna.Function;
import io.verbs4j.AllocDmAttr;
import io.verbs4j.Context;
import io.verbs4j.DeviceMemory;
import io.verbs4j.Errno;
import io.verbs4j.ExportedFd;
import io.verbs4j.MemoryRegion;
import io.verbs4j.OpenAttr;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.VerbsLevel;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import io.verbs4j.core.Verbs;
import io.verbs4j.provider.rxe.xrc.ToldProcess;
import io.verbs4j.testsupport.Patience;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Processes that import from this one and are killed, stopped, or come and go. */
@EnabledOnOs(OS.LINUX)
@Timeout(Patience.TEST_SECONDS)
@Tag("attack")
class ForeignImportAttackTest {
    private static final int SIGCONT = 18;
    private static final int SIGSTOP = 19;
    private static final int ROUNDS = 10;

    private final Context context = Verbs.open(Verbs.devices().get(0), VerbsLevel.CURRENT);
    private final ProtectionDomain pd = context.allocPd();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(65_536);
    private final DeviceMemory dm = context.allocDm(new AllocDmAttr().length(64));
    private final ExportedFd fd = context.exportDevice();
    private MemoryRegion mr = pd.regMr(buffer, Side.ALL_ACCESS);
    private ToldProcess importer;

    @BeforeEach
    void start() throws IOException {
        List<String> command = new ArrayList<>(OwnerProcess.command(ImporterProgram.class));
        command.set(command.indexOf("-Xmx64m"), "-Xmx24m");
        importer = new ToldProcess(command);
        assertThat(importer.ask("hold /proc/" + ProcessHandle.current().pid() + "/fd/" + fd.fd()))
                .isEqualTo("ok");
    }

    @AfterEach
    void end() {
        importer.close();
        mr.close();
        dm.close();
        pd.close();
        fd.close();
        context.close();
    }

    private String handles() {
        return pd.exportHandle() + " " + mr.exportHandle() + " " + dm.exportHandle();
    }

    private void signal(int number) {
        int result = Function.getFunction("c", "kill").invokeInt(new Object[] {(int) importer.pid(), number});
        assertThat(result).isZero();
    }

    @Test
    void killedProcessHoldsNothing() throws Exception {
        assertThat(importer.ask("import " + handles())).isEqualTo("ok");
        assertThat(importer.ask("write")).isEqualTo("success");
        assertThat(buffer.get(0)).isEqualTo((byte) 99);
        mr.close();
        assertThat(ImportTest.errno(pd::close)).isEqualTo(Errno.EBUSY);
        assertThat(ImportTest.errno(dm::close)).isEqualTo(Errno.EBUSY);
        importer.kill();
        dm.close();
        pd.close();
    }

    @Test
    void closeDoesNotWaitForKilledWriter() throws Exception {
        assertThat(importer.ask("import " + handles())).isEqualTo("ok");
        assertThat(importer.ask("loop")).isEqualTo("begun");
        while (buffer.get(65_535) == 0) {
            Thread.sleep(1);
        }
        importer.kill();
        mr.close();
        pd.close();
    }

    @Test
    void keysCanEndDuringWrites() throws Exception {
        assertThat(importer.ask("import " + handles())).isEqualTo("ok");
        assertThat(importer.ask("loop")).isEqualTo("begun");
        while (buffer.get(65_535) == 0) {
            Thread.sleep(1);
        }
        mr.close();
        buffer.put(new byte[65_536]).clear();
        assertThat(importer.answer()).isIn("remote access error", "remote operation error");
        assertThat(buffer).as("memory after close").isEqualTo(ByteBuffer.allocate(65_536));
    }

    /**
     * Wherever the process is stopped: once the region is closed nothing is written any more; until then it cannot be
     * closed.
     */
    @Test
    void stoppedProcessWritesNothingAfterClose() throws Exception {
        int closed = 0;
        for (int i = 0; i < ROUNDS; i++) {
            assertThat(importer.ask("import " + handles())).isEqualTo("ok");
            assertThat(importer.ask("loop")).isEqualTo("begun");
            while (buffer.get(65_535) == 0) {
                Thread.sleep(1);
            }
            signal(SIGSTOP);
            int errno = ImportTest.errno(mr::close);
            assertThat(errno).isIn(0, Errno.EBUSY);
            if (errno == 0) {
                closed++;
                buffer.put(new byte[65_536]).clear();
            }
            signal(SIGCONT);
            assertThat(importer.answer()).isIn("remote access error", "remote operation error");
            mr.close(); // does nothing if it is closed already
            if (errno == 0) {
                assertThat(buffer).as("memory after close").isEqualTo(ByteBuffer.allocate(65_536));
            }
            buffer.put(new byte[65_536]).clear();
            mr = pd.regMr(buffer, Side.ALL_ACCESS);
        }
        System.out.println(closed + " of " + ROUNDS + " regions were closed while the importer was stopped");
    }

    @Test
    void thousandImportsLeaveNothing() throws Exception {
        assertThat(importer.ask("cycles 1000 " + handles())).isEqualTo("ok");
        mr.close();
        dm.close();
        pd.close();
    }

    @Test
    void forgedHandlesAreRefused() throws Exception {
        int last = Math.max(Math.max(pd.exportHandle(), mr.exportHandle()), dm.exportHandle());
        for (int forged : new int[] {0, -1, last + 1, Integer.MAX_VALUE, Integer.MIN_VALUE, mr.exportHandle()}) {
            assertThat(importer.ask("import " + forged + " " + mr.exportHandle() + " " + dm.exportHandle()))
                    .as("domain " + forged)
                    .startsWith("errno " + Errno.EINVAL);
        }
        ProtectionDomain other = context.allocPd();
        assertThat(importer.ask("import " + other.exportHandle() + " " + mr.exportHandle() + " " + dm.exportHandle()))
                .as("region of another domain")
                .startsWith("errno " + Errno.EINVAL);
        importer.kill();
        other.close();
    }

    /** The kernel reuses process numbers; here it is asked to, which only root can do. */
    @Test
    void processWithReusedPidIsNotTouched() throws Exception {
        OwnerProcess owner = new OwnerProcess();
        Process heir = null;
        try (OpenedFile file = owner.descriptor()) {
            try (Side side = new Side(owner.open(), owner.pd, owner.mr)) {
                side.create();
                Side.connectToItself(side);
                owner.kill();
                heir = heir(owner.pid());
                side.post(side.to(Side.wr(WrOpcode.RDMA_WRITE, 1, side.sge(0, 100)), side, 500));
                side.next(1, WcStatus.LOC_PROT_ERR);
                assertThat(ImportTest.errno(() -> side.pd.importMr(owner.mr))).isEqualTo(Errno.ESRCH);
                assertThat(errnoOfOpen(file)).as("second open").isEqualTo(Errno.ESRCH);
            }
            assertThat(errnoOfOpen(file))
                    .as("open after the first context closed")
                    .isEqualTo(Errno.ESRCH);
            assertThat(heir.isAlive()).isTrue();
        } finally {
            if (heir != null) {
                heir.destroyForcibly();
            }
        }
    }

    private int errnoOfOpen(OpenedFile file) {
        return ImportTest.errno(() -> Verbs.open(context.device(), VerbsLevel.CURRENT, new OpenAttr().importFd(file.fd))
                .close());
    }

    private static Process heir(long pid) throws Exception {
        Path last = Path.of("/proc/sys/kernel/ns_last_pid");
        assumeTrue(Files.isWritable(last), "only root can choose process IDs");
        for (int i = 0; i < 200; i++) {
            Files.writeString(last, Long.toString(pid - 1));
            Process started = new ProcessBuilder("sleep", "1000").start();
            if (started.pid() == pid) {
                return started;
            }
            started.destroyForcibly().waitFor();
        }
        assumeTrue(false, "the process ID was not reused");
        return null;
    }
}
