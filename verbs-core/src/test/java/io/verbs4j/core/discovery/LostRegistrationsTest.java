/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.core.Fakes;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jars that were made one without merging their services files: what is missing is told, with the remedy. */
class LostRegistrationsTest {
    private static final String MLX5 = "io.verbs4j.provider.mlx5.Mlx5Provider";
    private static final String RXE = "io.verbs4j.provider.rxe.RxeProvider";
    private static final String RXE_CLAIM = "io.verbs4j.provider.rxe.KernelDevices";
    private static final String CLAIM = "io.verbs4j.rdmacore.NativeClaim";

    @TempDir
    Path shaded;

    private void there(String... classes) throws IOException {
        for (String name : classes) {
            Path file = shaded.resolve(name.replace('.', '/') + ".class");
            Files.createDirectories(file.getParent());
            Files.write(file, new byte[0]);
        }
    }

    private void claims(String... names) throws IOException {
        Path folder = Files.createDirectories(shaded.resolve("META-INF/services"));
        Files.write(folder.resolve(CLAIM), List.of(names));
    }

    private List<DiscoveredProvider> lost(Set<String> told, Set<String> used) throws IOException {
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {shaded.toUri().toURL()}, null)) {
            return LostRegistrations.in(loader, told, used);
        }
    }

    @Test
    void unregisteredProviderIsReported() throws IOException {
        there(MLX5, RXE, CLAIM);
        claims(MLX5, RXE_CLAIM);

        assertThat(lost(Set.of(RXE), Set.of(RXE))).singleElement().satisfies(found -> {
            assertThat(found.usable()).isFalse();
            assertThat(found.identity().className()).isEqualTo(MLX5);
            assertThat(found.identity().location()).isEqualTo(shaded.toString());
            assertThat(found.reason())
                    .contains("no file META-INF/services/io.verbs4j.spi.VerbsProvider names it")
                    .contains("must merge both services files", CLAIM, "ServicesResourceTransformer");
        });
    }

    @Test
    void providerWithoutClaimIsReported() throws IOException {
        there(MLX5, RXE, CLAIM);
        claims("# a comment", RXE_CLAIM + " # and another");

        assertThat(lost(Set.of(MLX5, RXE), Set.of(MLX5, RXE))).singleElement().satisfies(found -> {
            assertThat(found.identity().className()).isEqualTo(MLX5);
            assertThat(found.reason())
                    .contains("no file META-INF/services/" + CLAIM + " names " + MLX5)
                    .contains("the generic provider takes its devices first", "ServicesResourceTransformer");
        });
        assertThat(lost(Set.of(MLX5, RXE), Set.of(RXE)))
                .as("set aside for another reason")
                .isEmpty();
    }

    @Test
    void registeredAndAbsentProvidersAreNotReported() throws IOException {
        assertThat(lost(Set.of(), Set.of())).isEmpty();
        there(MLX5, RXE);
        assertThat(lost(Set.of(MLX5, RXE), Set.of(MLX5, RXE)))
                .as("claims are not queried")
                .isEmpty();
        there(CLAIM);
        claims(MLX5, RXE_CLAIM);
        assertThat(lost(Set.of(MLX5, RXE), Set.of(MLX5, RXE))).isEmpty();
        assertThat(LostRegistrations.in(null, Set.of(), Set.of())).isEmpty();
    }

    /** In the report of the library, through the class loader of the thread. */
    @Test
    void reportNamesLostRegistration() throws IOException {
        there(MLX5);
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {shaded.toUri().toURL()}, before)) {
            thread.setContextClassLoader(loader);
            Fakes.FakeProvider provider = new Fakes.FakeProvider("fake", new Fakes.FakeDevice("fake0"));
            Report report = new Library(() -> List.of(provider.found()), TimeLimit::ofProperty).report();
            assertThat(report.entries()).hasSize(2);
            assertThat(report.entries().get(0).used()).isTrue();
            assertThat(report.toString()).contains(MLX5, "is not found; a jar made from several jars");
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
