/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.fake;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.Native;
import io.verbs4j.natives.call.NativeBinding;
import io.verbs4j.rdmacore.NativeClaim;
import io.verbs4j.rdmacore.call.Libibverbs;
import io.verbs4j.rdmacore.fake.programs.ReportProgram;
import io.verbs4j.testsupport.Patience;
import io.verbs4j.testsupport.program.Jdk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** When the native library is loaded, and the messages if it cannot be; each in its own JVM. */
class LoadingTest {
    private static final String ROW = "rdma-core ";
    private static final String NATIVE = "--enable-native-access=ALL-UNNAMED";
    private static final String UNSAFE = "--sun-misc-unsafe-memory-access=";

    @TempDir
    Path scratch;

    private ProgramRun report(int devices, String library, List<Path> more, Set<Class<?>> without)
            throws IOException, InterruptedException {
        ProgramRun run = FakeLibrary.java(
                scratch,
                Map.of("SYSFS_PATH", FakeLibrary.sysfs(scratch, devices).toString()),
                List.of("-D" + Libibverbs.LIBRARY_PROPERTY + "=" + library),
                more,
                without,
                ReportProgram.class);
        assertThat(run.status()).as(run.output()).isZero();
        assertThat(run.output()).doesNotContain("\tat ", "Exception in thread");
        return run;
    }

    @Test
    void nothingIsLoadedWithoutDevices() throws IOException, InterruptedException {
        Path library = FakeLibrary.make(scratch);
        ProgramRun run = report(0, library.toString(), List.of(), Set.of());
        assertThat(run.output()).contains("devices []", ROW);
        assertThat(run.lines()).noneMatch(line -> line.startsWith("loaded "));
        // The expected output once the library is loaded.
        run = report(1, library.toString(), List.of(), Set.of());
        assertThat(run.lines())
                .anyMatch(line -> line.startsWith("loaded ") && line.endsWith(library.toString()))
                .matches(lines -> NativeBinding.isForeign()
                        != lines.stream().anyMatch(line -> line.startsWith("loaded ") && line.contains("jna")));
    }

    @Test
    void missingLibraryIsReported() throws IOException, InterruptedException {
        ProgramRun run = report(1, "/nowhere/libibverbs.so.1", List.of(), Set.of());
        assertThat(run.output())
                .contains("devices []", ROW)
                .contains("/nowhere/libibverbs.so.1 can't be loaded")
                .contains("install rdma-core");
    }

    @Test
    void missingJnaIsReported() throws IOException, InterruptedException {
        ProgramRun run = report(1, "libibverbs.so.1", List.of(), Set.of(Native.class));
        if (NativeBinding.isForeign()) {
            assertThat(run.output()).doesNotContain("JNA is missing");
        } else {
            assertThat(run.output()).contains("devices []", ROW, "JNA is missing");
        }
    }

    @Test
    void missingJnaDoesNotMatterWithoutDevices() throws IOException, InterruptedException {
        ProgramRun run = report(0, "libibverbs.so.1", List.of(), Set.of(Native.class));
        assertThat(run.output()).contains("devices []", ROW).doesNotContain("JNA");
    }

    /** Returns the report on a JDK that can deny native access and Unsafe. */
    private String reportWhereDenied(String... options) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of(options));
        all.add("-D" + Libibverbs.LIBRARY_PROPERTY + "=" + FakeLibrary.make(scratch));
        List<String> command = Jdk.thatCanDeny().commandWithoutPermissions(all, ReportProgram.class.getName());
        ProgramRun run = ProgramRun.of(
                scratch, Map.of("SYSFS_PATH", FakeLibrary.sysfs(scratch, 1).toString()), command);
        assertThat(run.status()).as(run.output()).isZero();
        assertThat(run.output()).doesNotContain("\tat ", "bug in the provider");
        return run.output();
    }

    @Test
    void deniedUnsafeDoesNotMatter() throws IOException, InterruptedException {
        assertThat(reportWhereDenied(NATIVE, UNSAFE + "deny"))
                .contains("devices [fake0")
                .doesNotContain("WARNING");
    }

    @Test
    void deniedNativeAccessIsReported() throws IOException, InterruptedException {
        assertThat(reportWhereDenied("--illegal-native-access=deny", UNSAFE + "allow"))
                .contains("devices []", ROW, "its devices can't be listed: get_device_list:")
                .contains("native access is denied", "start it with " + NATIVE)
                .doesNotContain("JNA is missing");
    }

    @Test
    void denyingBothReportsOption() throws IOException, InterruptedException {
        assertThat(reportWhereDenied("--illegal-native-access=deny", UNSAFE + "deny"))
                .contains("devices []", ROW, "its devices can't be listed: get_device_list: EOPNOTSUPP")
                .contains("start the JVM with " + NATIVE);
    }

    /** With JNA, memory is accessible only through Unsafe. */
    @Test
    void forcedJnaReportsDeniedUnsafe() throws IOException, InterruptedException {
        assertThat(reportWhereDenied(NATIVE, UNSAFE + "deny", "-D" + NativeBinding.PROPERTY + "=jna"))
                .contains("devices []", ROW, "start the JVM with " + UNSAFE + "allow");
    }

    @Test
    void claimedDevicesAreLeftAlone() throws IOException, InterruptedException {
        String library = FakeLibrary.make(scratch).toString();
        assertThat(report(2, library, List.of(), Set.of()).output()).contains("fake0,fake1");
        Path claims = FakeLibrary.services(scratch, NativeClaim.class, Claims.Second.class.getName());
        assertThat(report(2, library, List.of(claims), Set.of()).output())
                .contains("fake0")
                .doesNotContain("fake1");
    }

    /** Claims behind a broken one are found, and unclaimed devices remain. */
    @Test
    void brokenClaimDoesNoHarm() throws IOException, InterruptedException {
        String library = FakeLibrary.make(scratch).toString();
        Path claims = FakeLibrary.services(
                scratch,
                NativeClaim.class,
                "io.verbs4j.nowhere.Claim",
                String.class.getName(),
                Claims.Unmakable.class.getName(),
                Claims.Unlinkable.class.getName(),
                Claims.Throwing.class.getName(),
                Claims.Second.class.getName());
        assertThat(report(2, library, List.of(claims), Set.of()).output())
                .contains("fake0")
                .doesNotContain("fake1");
    }

    /** Like providers, claims are found through the context class loader; an error in one does no harm. */
    @Test
    void claimsOfContextClassLoaderAreUsed() throws IOException, InterruptedException {
        String library = FakeLibrary.make(scratch).toString();
        Path claims = FakeLibrary.services(
                scratch, NativeClaim.class, Claims.OutOfMemory.class.getName(), Claims.Second.class.getName());
        ProgramRun run = FakeLibrary.java(
                scratch,
                Map.of("SYSFS_PATH", FakeLibrary.sysfs(scratch, 2).toString()),
                List.of("-D" + Libibverbs.LIBRARY_PROPERTY + "=" + library, "-Dreport.services=" + claims),
                List.of(),
                Set.of(),
                ReportProgram.class);
        assertThat(run.status()).as(run.output()).isZero();
        assertThat(run.output()).contains("fake0").doesNotContain("fake1");
    }

    /** A loader that fails for ever is abandoned. */
    @Test
    @Timeout(Patience.TEST_SECONDS)
    void brokenLoaderIsAbandoned() throws IOException, InterruptedException {
        String library = FakeLibrary.make(scratch).toString();
        ProgramRun run = FakeLibrary.java(
                scratch,
                Map.of("SYSFS_PATH", FakeLibrary.sysfs(scratch, 2).toString()),
                List.of("-D" + Libibverbs.LIBRARY_PROPERTY + "=" + library, "-Dreport.broken=true"),
                List.of(),
                Set.of(),
                ReportProgram.class);
        assertThat(run.status()).as(run.output()).isZero();
        assertThat(run.output()).contains("fake0,fake1");
    }
}
