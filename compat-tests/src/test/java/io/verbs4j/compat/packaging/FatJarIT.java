/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.jna.Native;
import io.verbs4j.compat.built.BuiltModules;
import io.verbs4j.compat.services.ChildJvm;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.program.DeviceSim;
import io.verbs4j.testsupport.program.Jdk;
import io.verbs4j.tools.Main;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * One jar with a program and three providers, whose services files are merged, half merged or lost: the report names
 * the cause, and its remedies work.
 */
@Full
class FatJarIT {
    private static final String MLX5 = "io.verbs4j.provider.mlx5.Mlx5Provider";
    private static final String GENERIC = "io.verbs4j.rdmacore.RdmaCoreProvider";
    private static final String RXE = "io.verbs4j.provider.rxe.RxeProvider";
    private static final String RXE_CLAIM = "io.verbs4j.provider.rxe.KernelDevices";
    private static final String LOST = "its class is on the path, but no file " + FatJar.PROVIDERS + " names it";
    private static final String REMEDY = "must merge both services files, io.verbs4j.spi.VerbsProvider and"
            + " io.verbs4j.rdmacore.NativeClaim (maven-shade-plugin: ServicesResourceTransformer); or put the"
            + " provider's own jar on the path";
    private static final int SECONDS = 120;

    private static final Path MLX5_JAR = BuiltModules.location("io.verbs4j.provider.mlx5");
    private static final Path GENERIC_JAR = BuiltModules.location(BuiltModules.RDMA_CORE);
    private static final Path RXE_JAR = BuiltModules.location(BuiltModules.RXE);
    private static final List<Path> MLX5_FIRST = List.of(MLX5_JAR, GENERIC_JAR, RXE_JAR);
    private static final List<Path> RXE_FIRST = List.of(RXE_JAR, GENERIC_JAR, MLX5_JAR);
    private static final Set<String> BOTH = Set.of(FatJar.PROVIDERS, FatJar.CLAIMS);

    private static final Jdk JDK = Jdk.own();

    @TempDir
    static Path scratch;

    private static Path program;

    @BeforeAll
    static void compile() {
        program = PackagedProgram.compile(scratch);
    }

    private static Path fat(Set<String> merged, List<Path> providers, String... manifest) throws IOException {
        List<Path> parts = new ArrayList<>(List.of(program));
        parts.addAll(PackagedProgram.library());
        parts.addAll(providers);
        parts.add(BuiltModules.location(BuiltModules.NATIVES));
        List.of(Main.class, CommandLine.class, Histogram.class, Native.class)
                .forEach(type -> parts.add(PackagedProgram.location(type)));
        List<String> lines = new ArrayList<>(List.of("Main-Class: " + PackagedProgram.MAIN));
        lines.addAll(List.of(manifest));
        return FatJar.of(Files.createTempFile(scratch, "all", ".jar"), lines, merged, parts);
    }

    private static String run(Jdk jdk, List<String> arguments) throws InterruptedException {
        ChildJvm jvm = ChildJvm.run(jdk, scratch, arguments);
        assertThat(jvm.status()).as("%s", jvm).isZero();
        return String.join("\n", jvm.out()) + "\n" + jvm.err();
    }

    private static String run(Path... path) throws InterruptedException {
        return run(JDK, List.of("-cp", path(path), PackagedProgram.MAIN));
    }

    private static String path(Path... path) {
        return String.join(
                File.pathSeparator, List.of(path).stream().map(Path::toString).toList());
    }

    /** {@return the lines about a provider: its row in the table, and the reason below} */
    private static String of(String provider, String report) {
        List<String> lines = report.lines().toList();
        List<String> found = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).contains(" " + provider + " ")) {
                found.add(lines.get(i) + (i + 1 < lines.size() ? lines.get(i + 1) : ""));
            }
        }
        return String.join("\n", found);
    }

    @Test
    void mergedServicesFilesKeepAllProviders() throws Exception {
        Path jar = fat(BOTH, MLX5_FIRST);
        String said = run(JDK, PackagingPage.arguments("java -jar", Map.of("all.jar", jar.toString())));

        assertThat(said).contains(MLX5, GENERIC, RXE, "connected by rxe_emb0").doesNotContain("services");
    }

    @Test
    void unregisteredProvidersAreNamed() throws Exception {
        Path jar = fat(Set.of(), MLX5_FIRST);
        String said = run(jar);

        assertThat(of(MLX5, said)).contains(" yes ").doesNotContain(LOST);
        assertThat(of(GENERIC, said)).contains(" no ", LOST, REMEDY, jar.toString());
        assertThat(of(RXE, said)).contains(" no ", LOST, REMEDY, jar.toString());
        assertThat(said).contains("failed: get_device: ENODEV").doesNotContain("connected");
        ChildJvm tool = ChildJvm.run(JDK, scratch, List.of("-cp", jar.toString(), Main.class.getName(), "devices"));
        assertThat(tool.status()).as("%s", tool).isEqualTo(3); // no device found
        assertThat(of(RXE, tool.err())).contains(LOST, REMEDY);

        assertThat(run(jar, RXE_JAR, GENERIC_JAR))
                .as("the remedy")
                .contains("connected by rxe_emb0")
                .doesNotContain("services");
    }

    @Test
    void mergingOnlyClaimsNamesUnregisteredProviders() throws Exception {
        String said = run(fat(Set.of(FatJar.CLAIMS), RXE_FIRST));

        assertThat(of(MLX5, said)).contains(" no ", LOST);
        assertThat(said).contains("connected by rxe_emb0");
    }

    @Test
    void providersWithoutTheirClaimsAreNamed() throws Exception {
        Path jar = fat(Set.of(FatJar.PROVIDERS), MLX5_FIRST);
        String said = run(jar);

        assertThat(of(RXE, said))
                .contains("no file " + FatJar.CLAIMS + " names " + RXE_CLAIM)
                .contains("the generic provider takes its devices first", REMEDY);
        assertThat(of(MLX5, said)).doesNotContain("services");
        assertThat(said).contains("connected by rxe_emb0");
        assertThat(run(jar, RXE_JAR)).as("the remedy").doesNotContain("services");
    }

    /** The same with a simulated device. */
    @Test
    void genericProviderTakesUnclaimedDevice() throws Exception {
        DeviceSim.require();
        DeviceSim devices = DeviceSim.with("--quiet", "--vendors", "mlx5");
        Path jar = fat(Set.of(FatJar.PROVIDERS), RXE_FIRST);
        String said = devices(devices, jar);

        assertThat(said)
                .contains("no file " + FatJar.CLAIMS + " names " + MLX5, REMEDY)
                .contains("its device mlx5_0 was left out: provider 'rdma-core' (" + GENERIC + ")");
        assertThat(devices(devices, jar, MLX5_JAR))
                .as("the remedy")
                .contains("mlx5_0")
                .doesNotContain("left out", "services");
        assertThat(devices(devices, fat(BOTH, RXE_FIRST)))
                .as("the other remedy")
                .contains("mlx5_0")
                .doesNotContain("left out", "services");
    }

    private static String devices(DeviceSim devices, Path... path) throws IOException, InterruptedException {
        return devices.run(
                        List.of(JDK.java().toString(), "-Xmx256m", "-cp", path(path), Main.class.getName(), "devices"),
                        SECONDS)
                .text();
    }

    @Test
    void manifestAllowsNativeAccess() throws Exception {
        Optional<Jdk> newer =
                Jdk.all().stream().filter(jdk -> jdk.feature() == 25).findFirst();
        assumeTrue(newer.isPresent(), "no JDK 25 here, and older ones do not warn: set JAVA25_HOME");
        String line = PackagingPage.lines().stream()
                .filter(text -> text.startsWith("Enable-Native-Access"))
                .findFirst()
                .orElseThrow();
        Path jar = fat(BOTH, RXE_FIRST, line);

        assertThat(run(newer.get(), PackagingPage.arguments("java -jar", Map.of("all.jar", jar.toString()))))
                .contains("connected by rxe_emb0")
                .doesNotContain("WARNING");
        assertThat(run(newer.get(), List.of("-cp", jar.toString(), PackagedProgram.MAIN)))
                .as("the manifest of a jar on the class path is ignored")
                .contains("connected by rxe_emb0", "WARNING");
    }
}
