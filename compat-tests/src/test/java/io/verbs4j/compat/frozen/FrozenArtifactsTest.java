/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.frozen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.compat.built.BuiltModules;
import io.verbs4j.compat.built.JarContent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The frozen levels are complete and unchanged, and any damage to a level is found. */
class FrozenArtifactsTest {
    private static final String COMMIT = "0123456789abcdef0123456789abcdef01234567";
    private static final String OTHER_COMMIT = "f".repeat(40);

    @TempDir
    Path scratch;

    private Path frozen;
    private Path level;

    /** Creates a folder with one good level from the modules of this build. */
    @BeforeEach
    void makeGoodFolder() throws IOException {
        frozen = scratch.resolve("frozen");
        level = makeLevel(1);
    }

    private Path makeLevel(int number) throws IOException {
        Path folder = Files.createDirectories(frozen.resolve("level-" + number));
        JarContent header = JarContent.of(BuiltModules.location(BuiltModules.SPI));
        header.edit(
                "io/verbs4j/VerbsLevel",
                node -> node.fields.stream()
                        .filter(field -> field.name.equals("CURRENT"))
                        .forEach(field -> field.value = number));
        header.writeTo(folder.resolve("verbs-spi-1.0.0.jar"));
        copy(BuiltModules.CORE, folder.resolve("verbs-core-1.0.0.jar"));
        copy(BuiltModules.RXE, folder.resolve("provider-rxe-1.0.0.jar"));
        provenance(folder, "level=" + number, "release=1.0.0", "commit=" + COMMIT, "date=2026-01-31T12:00:00+01:00");
        sign(folder);
        copy(BuiltModules.NATIVES, folder.resolve("required/verbs-native-1.0.0.jar"));
        copy(BuiltModules.RDMA_CORE, folder.resolve("required/verbs-rdma-core-1.0.0.jar"));
        sign(folder.resolve("required"));
        if (number >= 3) {
            Path promised = Files.createDirectories(folder.resolve("promised"));
            copy(BuiltModules.CM, promised.resolve("verbs-cm-1.0.0.jar"));
            for (String vendor : List.of("mlx5", "efa", "gaudi")) {
                copy(BuiltModules.PROVIDER_PREFIX + vendor, promised.resolve("provider-" + vendor + "-1.0.0.jar"));
            }
            sign(promised);
        }
        return folder;
    }

    private static void copy(String module, Path jar) {
        JarContent.of(BuiltModules.location(module)).writeTo(jar);
    }

    private static void provenance(Path folder, String... lines) throws IOException {
        Files.writeString(folder.resolve("PROVENANCE"), String.join("\n", lines) + "\njdk=17.0.1 (somebody)\n");
    }

    private static void sign(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            List<String> sums = files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .map(file -> Sha256.of(file) + "  " + file.getFileName())
                    .toList();
            Files.write(folder.resolve("SHA256SUMS"), sums);
        }
    }

    private List<String> problems() {
        return new FrozenFolder(frozen).problems();
    }

    @Test
    void frozenLevelsOfThisProjectAreUnchanged() {
        assertThat(FrozenFolder.ofThisProject().problems()).isEmpty();
    }

    @Test
    void goodFolderHasNoProblems() throws IOException {
        assertThat(problems()).isEmpty();
        makeLevel(2);
        assertThat(problems()).isEmpty();
        assertThat(new FrozenFolder(frozen).levels())
                .extracting(FrozenLevel::level)
                .containsExactly(1, 2);
        assertThat(new FrozenLevel(1, level).jar("verbs-core")).hasFileName("verbs-core-1.0.0.jar");
    }

    @Test
    void folderWithoutLevelsIsReported() {
        FrozenFolder none = new FrozenFolder(scratch.resolve("none"));
        assertThat(none.problems()).containsExactly(FrozenFolder.NOTHING_FROZEN);
        assertThatThrownBy(none::requireLevels)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("no level is frozen yet")
                .hasMessageContaining("compat-tests/freeze 1");
    }

    @Test
    void flippedBitIsFound() throws IOException {
        Path jar = level.resolve("verbs-core-1.0.0.jar");
        byte[] bytes = Files.readAllBytes(jar);
        bytes[bytes.length / 2] ^= 1;
        Files.write(jar, bytes);
        assertThat(problems())
                .singleElement()
                .asString()
                .startsWith("level 1: verbs-core-1.0.0.jar is not the frozen jar");
    }

    @Test
    void missingJarIsFound() throws IOException {
        Files.delete(level.resolve("provider-rxe-1.0.0.jar"));
        assertThat(problems()).containsExactly("level 1: provider-rxe-1.0.0.jar is missing");
        sign(level);
        assertThat(problems())
                .contains("level 1: provider-rxe-1.0.0.jar is missing")
                .hasSize(2);
    }

    @Test
    void extraJarIsFound() throws IOException {
        copy(BuiltModules.CORE, level.resolve("verbs-core-1.0.1.jar"));
        assertThat(problems())
                .singleElement()
                .asString()
                .startsWith("level 1: verbs-core-1.0.1.jar does not belong here");
        sign(level);
        assertThat(problems()).hasSize(2);
        Files.writeString(frozen.resolve("notes.txt"), "?");
        assertThat(problems()).contains("notes.txt: neither a level nor RELEASED; it does not belong here");
    }

    /** No program on the module path starts without it. */
    @Test
    void missingRequiredModuleIsFound() throws IOException {
        Path required = level.resolve("required");
        Files.delete(required.resolve("verbs-rdma-core-1.0.0.jar"));
        assertThat(problems())
                .singleElement()
                .asString()
                .startsWith("level 1: required/SHA256SUMS lists [verbs-native-1.0.0.jar, verbs-rdma-core-1.0.0.jar],"
                        + " expected [verbs-native-1.0.0.jar]");
        Files.delete(required.resolve("verbs-native-1.0.0.jar"));
        Files.delete(required.resolve("SHA256SUMS"));
        Files.delete(required);
        assertThat(problems())
                .containsExactly(
                        "level 1: io.verbs4j.provider.rxe requires io.verbs4j.natives, which is not frozen"
                                + " with it: compat-tests/freeze --required 1",
                        "level 1: io.verbs4j.provider.rxe requires io.verbs4j.rdmacore, which is not frozen"
                                + " with it: compat-tests/freeze --required 1");
    }

    @Test
    void changedRequiredModuleIsFound() throws IOException {
        copy(BuiltModules.CORE, level.resolve("required/verbs-rdma-core-1.0.0.jar"));
        assertThat(problems())
                .singleElement()
                .asString()
                .startsWith("level 1: verbs-rdma-core-1.0.0.jar is not the frozen jar");
    }

    /** Without them, the promises of a level could not be checked. */
    @Test
    void missingPromisedModuleIsFound() throws IOException {
        makeLevel(2);
        Path promised = makeLevel(3).resolve("promised");
        assertThat(problems()).isEmpty();
        assertThat(new FrozenLevel(3, promised.getParent()).jar("verbs-cm")).hasFileName("verbs-cm-1.0.0.jar");

        copy(BuiltModules.CORE, promised.resolve("provider-efa-1.0.0.jar"));
        assertThat(problems())
                .singleElement()
                .asString()
                .startsWith("level 3: provider-efa-1.0.0.jar is not the frozen jar");
        Files.delete(promised.resolve("provider-efa-1.0.0.jar"));
        sign(promised);
        assertThat(problems())
                .hasSize(2)
                .allMatch(line -> line.startsWith("level 3: promised"))
                .allMatch(line -> line.contains("expected [provider-efa-1.0.0.jar, provider-gaudi-1.0.0.jar,"));

        Files.createDirectory(level.resolve("promised"));
        assertThat(problems()).contains("level 1: promised does not belong here: this level is older than its content");
    }

    @Test
    void missingChecksumIsFound() throws IOException {
        Path sums = level.resolve("SHA256SUMS");
        Files.write(sums, Files.readAllLines(sums).subList(0, 2));
        assertThat(problems())
                .singleElement()
                .asString()
                .startsWith("level 1: SHA256SUMS lists [provider-rxe-1.0.0.jar, verbs-core-1.0.0.jar], expected");
        Files.delete(sums);
        assertThat(problems()).contains("level 1: SHA256SUMS is missing");
    }

    @Test
    void gapBetweenLevelsIsFound() throws IOException {
        makeLevel(3);
        assertThat(problems())
                .containsExactly("level 2 is missing: the existing levels are [1, 3], and each stays forever");
    }

    @Test
    void invalidProvenanceIsFound() throws IOException {
        provenance(level, "level=1", "release=1.0.0", "commit=HEAD", "date=2026-01-31T12:00:00Z");
        assertThat(problems())
                .containsExactly("level 1: PROVENANCE names the commit 'HEAD': expected 40 hexadecimal digits");
        provenance(level, "level=2", "release=1.0.0", "commit=" + COMMIT, "date=yesterday");
        assertThat(problems())
                .contains("level 1: PROVENANCE names level 2")
                .anyMatch(problem -> problem.contains("has the date 'yesterday'"));
        provenance(level, "level=1", "release=1.0.0", "commit=" + COMMIT);
        assertThat(problems())
                .containsExactly("level 1: PROVENANCE has the keys [level, release, commit, jdk], expected"
                        + " [level, release, commit, date, jdk]");
        Files.delete(level.resolve("PROVENANCE"));
        assertThat(problems()).contains("level 1: PROVENANCE is missing");
    }

    @Test
    void headerOfOtherLevelIsFound() throws IOException {
        Path other = makeLevel(2);
        Files.copy(
                other.resolve("verbs-spi-1.0.0.jar"),
                level.resolve("verbs-spi-1.0.0.jar"),
                StandardCopyOption.REPLACE_EXISTING);
        sign(level);
        assertThat(problems()).containsExactly("level 1: the header in it has VerbsLevel.CURRENT = 2");
    }

    @Test
    void refreezeOfOtherCommitIsFound() throws IOException {
        Path refreezes = level.resolve("REFREEZES");
        String line = "2026-01-31T12:00:00Z %s in place of %s: %s\n";
        Files.writeString(refreezes, line.formatted(COMMIT, OTHER_COMMIT, "a bug in close()"));
        assertThat(problems()).isEmpty();
        Files.writeString(refreezes, line.formatted(OTHER_COMMIT, COMMIT, "a bug in close()"));
        assertThat(problems())
                .singleElement()
                .asString()
                .startsWith("level 1: REFREEZES ends with commit " + OTHER_COMMIT);
        Files.writeString(refreezes, line.formatted(COMMIT, OTHER_COMMIT, " "));
        assertThat(problems()).singleElement().asString().startsWith("level 1: REFREEZES has the line");
    }

    @Test
    void refrozenReleasedLevelIsFound() throws IOException {
        Path released = frozen.resolve("RELEASED");
        String line = "1 1.0.0 " + Sha256.of(level.resolve("SHA256SUMS")) + "\n";
        Files.writeString(released, "# a comment\n" + line);
        assertThat(problems()).isEmpty();
        assertThat(Released.in(frozen).contains(1)).isTrue();
        assertThat(Released.in(frozen).contains(2)).isFalse();

        copy(BuiltModules.RXE, level.resolve("verbs-core-1.0.0.jar"));
        sign(level);
        assertThat(problems())
                .hasSize(2)
                .anyMatch(problem -> problem.startsWith("RELEASED: level 1 is not what was released"))
                .anyMatch(problem -> problem.startsWith("level 1: the jars do not form a consistent set of modules"));

        Files.writeString(released, line.replaceFirst("1", "7") + "8 soon\n");
        assertThat(problems())
                .contains("RELEASED: level 7 is released, but not frozen")
                .anyMatch(problem -> problem.startsWith("RELEASED: the line '8 soon' is not a level"));
    }
}
