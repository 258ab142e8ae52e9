/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.frozen;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Requires;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A frozen level.
 *
 * @param level the number, from 1
 * @param folder the folder of its jars
 */
public record FrozenLevel(int level, Path folder) {
    /** The artefacts that every level has. */
    public static final List<String> ARTIFACTS = List.of("verbs-spi", "verbs-core", "provider-rxe");

    /** More promised artefacts, kept beside those of the level; the providers among them contain vendors' packages. */
    public static final List<String> PROMISED = List.of("verbs-cm", "provider-mlx5", "provider-efa", "provider-gaudi");

    /** The first level that keeps them. */
    private static final int FIRST_WITH_PROMISED = 3;

    /** {@return the jar of an artefact} */
    public Path jar(String artifact) {
        return jar(PROMISED.contains(artifact) ? folder.resolve(FrozenLevelCheck.PROMISED) : folder, artifact);
    }

    /** {@return the binding, which its modules require; null for level 1, which requires nothing} */
    public Path binding() {
        Path required = folder.resolve(FrozenLevelCheck.REQUIRED);
        return Files.exists(required) ? jar(required, "verbs-rdma-core") : null;
    }

    /** Whether the {@link #PROMISED} artefacts are kept with it. */
    public boolean hasPromised() {
        return level >= FIRST_WITH_PROMISED;
    }

    private static Path jar(Path folder, String artifact) {
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> jars = files.filter(file -> file.getFileName().toString().matches(artifact + "-[0-9].*\\.jar"))
                    .toList();
            if (jars.size() != 1) {
                throw new IllegalStateException(
                        "expected one jar of " + artifact + " in " + folder + ", but found " + jars);
            }
            return jars.get(0);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list " + folder, e);
        }
    }

    /** {@return descriptions of the modules of this project that its modules require and that its folder lacks} */
    List<String> missingModules() {
        ModuleFinder finder = ModuleFinder.of(folder, folder.resolve(FrozenLevelCheck.REQUIRED));
        return finder.findAll().stream()
                .map(ModuleReference::descriptor)
                .sorted()
                .flatMap(module -> missing(module, finder))
                .toList();
    }

    private static Stream<String> missing(ModuleDescriptor module, ModuleFinder finder) {
        return module.requires().stream()
                .filter(requires -> !requires.modifiers().contains(Requires.Modifier.STATIC))
                .map(Requires::name)
                .filter(name ->
                        name.startsWith("io.verbs4j.") && finder.find(name).isEmpty())
                .sorted()
                .map(name -> module.name() + " requires " + name);
    }
}
