/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.fake;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.natives.call.NativeBinding;
import io.verbs4j.rdmacore.call.Libibverbs;
import io.verbs4j.rdmacore.fake.programs.OpenProgram;
import io.verbs4j.rdmacore.fake.programs.ReportProgram;
import io.verbs4j.testsupport.program.Jdk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The binding on each JDK: which of its classes are loaded, and what is unavailable. */
class BindingIT {
    private static final String OURS = "io.verbs4j.natives.call.";
    private static final String MEMORY = "io.verbs4j.natives.memory.";
    private static final String UNSAFE = "sun.misc.Unsafe";

    @TempDir
    Path scratch;

    /** Returns the names of the classes loaded by a program that opened devices. */
    private List<String> loaded(Jdk jdk, String... options) throws IOException, InterruptedException {
        Path library = FakeLibrary.make(scratch);
        Path log = scratch.resolve("classes.txt");
        List<String> all = new ArrayList<>(List.of(options));
        all.add("-D" + Libibverbs.LIBRARY_PROPERTY + "=" + library);
        all.add("-Xlog:class+load=info:file=" + log + "::filesize=0");
        ProgramRun run = ProgramRun.of(
                scratch,
                Map.of(
                        "FAKE_SIZES",
                        "none,696",
                        "SYSFS_PATH",
                        FakeLibrary.sysfs(scratch, 2).toString()),
                jdk.command(all, OpenProgram.class));
        assertThat(run.status()).as(run.output()).isZero();
        assertThat(run.output()).contains("696 domain true").doesNotContain("\tat ", "WARNING");
        return Files.readAllLines(log).stream()
                .map(line -> line.replaceFirst("^(\\[[^]]*\\])+ *", "").split(" ", 2)[0])
                .filter(name -> name.startsWith("io.verbs4j.") || name.startsWith("com.sun.jna") || name.equals(UNSAFE))
                .toList();
    }

    private static void assertByJna(List<String> loaded) {
        assertThat(loaded)
                .contains("com.sun.jna.Native", OURS + "Jna", MEMORY + "UnsafeMemory", UNSAFE)
                .noneMatch(name -> name.startsWith(OURS + "Foreign"))
                .doesNotContain(OURS + "DataFunction", OURS + "CheckedFunction", MEMORY + "SegmentMemory");
    }

    @Test
    void foreignFunctionApiLoadsNeitherJnaNorUnsafe() throws IOException, InterruptedException {
        assertThat(loaded(Jdk.withForeignMemory()))
                .contains(OURS + "Foreign", OURS + "DataFunction", OURS + "CheckedFunction", MEMORY + "SegmentMemory")
                .noneMatch(name -> name.startsWith("com.sun.jna"))
                .noneMatch(name -> name.startsWith(OURS + "BoundFunction"))
                .noneMatch(name -> name.contains("/0x")
                        && !name.contains("$$Lambda")
                        && !name.contains("$$InjectedInvoker")) // hidden
                .doesNotContain(OURS + "Jna", MEMORY + "UnsafeMemory", UNSAFE);
    }

    @Test
    void jnaCanBeForced() throws IOException, InterruptedException {
        assertByJna(loaded(Jdk.withForeignMemory(), "-D" + NativeBinding.PROPERTY + "=jna"));
    }

    @Test
    void jdk17UsesJna() throws IOException, InterruptedException {
        assertByJna(loaded(Jdk.withoutForeignMemory()));
    }

    @Test
    void unavailableBindingIsReported() throws IOException, InterruptedException {
        Path library = FakeLibrary.make(scratch);
        for (String wanted : List.of("ffm", "jni")) {
            ProgramRun run = ProgramRun.of(
                    scratch,
                    Map.of("SYSFS_PATH", FakeLibrary.sysfs(scratch, 1).toString()),
                    Jdk.all()
                            .get(0)
                            .command(
                                    List.of(
                                            "-D" + NativeBinding.PROPERTY + "=" + wanted,
                                            "-D" + Libibverbs.LIBRARY_PROPERTY + "=" + library),
                                    ReportProgram.class));
            if (wanted.equals("ffm") && Jdk.all().get(0).hasForeignMemory()) {
                assertThat(run.output()).contains("fake0");
            } else {
                assertThat(run.output())
                        .contains("devices []", "-D" + NativeBinding.PROPERTY)
                        .contains(wanted.equals("ffm") ? "came with JDK 22" : "is jni; it must be ffm or jna");
            }
        }
    }
}
