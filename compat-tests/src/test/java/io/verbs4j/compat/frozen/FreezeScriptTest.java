/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.frozen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbs4j.compat.built.BuiltModules;
import io.verbs4j.compat.built.JarContent;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.program.Program;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code compat-tests/freeze} in a small repository whose build hands out prepared jars. */
class FreezeScriptTest {
    private static final String BUILD = """
            #!/bin/sh
            for module in verbs-spi verbs-core provider-rxe $(cat requires 2>/dev/null) $(cat promises 2>/dev/null); do
              mkdir -p "$module/target"
              cp "jars/$module.jar" "$module/target/$module-$(cat version).jar"
            done
            """;

    @TempDir
    Path scratch;

    private Path repository;
    private Path frozen;
    private Path jdk;

    private record Run(int status, String text) {}

    @BeforeAll
    static void findTools() {
        for (String tool : List.of("bash", "git", "sha256sum", "unzip")) {
            assumeTrue(Program.isOnPath(tool), "no " + tool + " on the PATH");
        }
    }

    @BeforeEach
    void makeRepository() throws Exception {
        repository = scratch.resolve("repository");
        frozen = repository.resolve("compat-tests/frozen");
        Files.createDirectories(frozen.getParent());
        Path script = Path.of(System.getProperty("basedir", ""), "freeze");
        executable(repository.resolve("compat-tests/freeze"), Files.readString(script));
        executable(repository.resolve("mvnw"), BUILD);
        Files.writeString(repository.resolve("version"), "1.0.0");
        header(1);
        JarContent.of(BuiltModules.location(BuiltModules.CORE)).writeTo(repository.resolve("jars/verbs-core.jar"));
        JarContent.of(BuiltModules.location(BuiltModules.RXE)).writeTo(repository.resolve("jars/provider-rxe.jar"));
        JarContent.of(BuiltModules.location(BuiltModules.NATIVES)).writeTo(repository.resolve("jars/verbs-native.jar"));
        JarContent.of(BuiltModules.location(BuiltModules.RDMA_CORE))
                .writeTo(repository.resolve("jars/verbs-rdma-core.jar"));
        Files.writeString(repository.resolve(".gitignore"), "target/\n");
        require(
                "verbs-native verbs-rdma-core",
                "requires io.verbs4j.natives;\n    requires transitive io.verbs4j.rdmacore;");

        jdk = scratch.resolve("jdk");
        jdk("17.0.9+9");
        Path javap = Path.of(System.getProperty("java.home"), "bin", "javap");
        executable(jdk.resolve("bin/javap"), "#!/bin/sh\nexec " + javap + " \"$@\"\n");

        git("init", "--quiet");
        commit("first");
    }

    private void header(int level) {
        JarContent.of(BuiltModules.location(BuiltModules.SPI))
                .edit(
                        "io/verbs4j/VerbsLevel",
                        node -> node.fields.stream()
                                .filter(field -> field.name.equals("CURRENT"))
                                .forEach(field -> field.value = level))
                .writeTo(repository.resolve("jars/verbs-spi.jar"));
    }

    /** Adds a requirement to the provider's source, and lets the build make that module. */
    private void require(String artifact, String line) throws IOException {
        Files.writeString(repository.resolve("requires"), artifact);
        Path module = repository.resolve("provider-rxe/src/main/java/module-info.java");
        Files.createDirectories(module.getParent());
        Files.writeString(module, "module io.verbs4j.provider.rxe {\n    " + line + "\n}\n");
    }

    private void jdk(String version) throws IOException {
        String properties = "    java.runtime.version = " + version + "\\n    java.vendor = Somebody\\n";
        executable(jdk.resolve("bin/java"), "#!/bin/sh\nprintf '" + properties + "' >&2\n");
    }

    private static void executable(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private Run run(String... command) throws IOException, InterruptedException {
        Path output = Files.createTempFile(scratch, "output", ".txt");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(repository.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        // Ignores the surrounding git: its settings, and the repository of this build.
        builder.environment().keySet().removeIf(name -> name.startsWith("GIT_"));
        builder.environment().put("GIT_CONFIG_GLOBAL", "/dev/null");
        builder.environment().put("GIT_CONFIG_NOSYSTEM", "1");
        builder.environment().put("JAVA_HOME", jdk.toString());
        Process process = builder.start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS))
                    .as("ended: %s", Arrays.toString(command))
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Run(process.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
    }

    private void git(String... arguments) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of("git", "-c", "user.name=test", "-c", "user.email=test@example.invalid"));
        command.addAll(List.of(arguments));
        Run run = run(command.toArray(String[]::new));
        assertThat(run.status()).as(run.text()).isZero();
    }

    private void commit(String message) throws IOException, InterruptedException {
        git("add", "--all");
        git("commit", "--quiet", "-m", message);
    }

    private Run freeze(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("bash", "compat-tests/freeze"));
        command.addAll(List.of(arguments));
        return run(command.toArray(String[]::new));
    }

    private void assertRefused(Run run, String... words) {
        assertThat(run.status()).as(run.text()).isEqualTo(1);
        assertThat(run.text()).contains(words);
    }

    private void assertDone(Run run, String words) {
        assertThat(run.status()).as(run.text()).isZero();
        assertThat(run.text()).contains(words);
    }

    private List<String> problems() {
        return new FrozenFolder(frozen).problems();
    }

    @Test
    void freezesAndVerifies() throws Exception {
        assertDone(freeze("1"), "level 1 is frozen once this is committed");
        assertThat(problems()).isEmpty();
        assertThat(frozen.resolve("level-1/verbs-core-1.0.0.jar"))
                .hasSameBinaryContentAs(repository.resolve("jars/verbs-core.jar"));
        assertThat(Files.readString(frozen.resolve("level-1/PROVENANCE")))
                .matches("level=1\nrelease=1.0.0\ncommit=[0-9a-f]{40}\ndate=\\S+\njdk=17.0.9\\+9 \\(Somebody\\)\n");
        commit("freeze");
        Files.writeString(repository.resolve("version"), "1.1.0");
        commit("later work");
        assertDone(freeze("--verify", "1"), "builds the frozen jars byte by byte");
    }

    @Test
    @Full
    void keepsModulesRequiredByFrozenJars() throws Exception {
        freeze("1");
        Path jar = frozen.resolve("level-1/required/verbs-rdma-core-1.0.0.jar");
        assertThat(jar).hasSameBinaryContentAs(repository.resolve("jars/verbs-rdma-core.jar"));
        assertThat(frozen.resolve("level-1/required/verbs-native-1.0.0.jar"))
                .hasSameBinaryContentAs(repository.resolve("jars/verbs-native.jar"));
        commit("freeze");
        JarContent.of(jar).put("added.txt", new byte[0]).writeTo(jar);
        assertRefused(freeze("--verify", "1"), "level-1/required do not match its SHA256SUMS");
    }

    /**
     * For levels that were frozen without these modules: the frozen jars stay as they are, and the same build must
     * reproduce them.
     */
    @Test
    @Full
    void keepsRequiredModulesOfReleasedLevelLater() throws Exception {
        freeze("1");
        assertRefused(freeze("--required", "1"), "level 1 already has its required modules");
        run("rm", "-r", frozen.resolve("level-1/required").toString());
        freeze("--release", "1");
        commit("release without");
        assertThat(problems()).hasSize(2).allMatch(problem -> problem.endsWith("compat-tests/freeze --required 1"));
        assertDone(freeze("--required", "1"), "commit this to keep the modules that level 1 requires: git add");
        assertThat(problems()).isEmpty();
    }

    @Test
    @Full
    void keepsOnlyRequiredModules() throws Exception {
        require("", "requires static io.verbs4j.rdmacore;");
        commit("require nothing");
        freeze("1");
        assertThat(frozen.resolve("level-1/required")).doesNotExist();
        assertRefused(freeze("--required", "1"), "require no modules that are not frozen");
    }

    /** The gate compares later builds with these modules. A level whose commit has none of them is verified without. */
    @Test
    @Full
    void keepsPromisedModules() throws Exception {
        freeze("1");
        commit("freeze");
        for (String module : FrozenLevel.PROMISED) {
            Files.createDirectories(repository.resolve(module));
            Files.writeString(repository.resolve(module).resolve("pom.xml"), "");
            JarContent.of(BuiltModules.location(BuiltModules.CORE))
                    .put(module + ".txt", new byte[0])
                    .writeTo(repository.resolve("jars/" + module + ".jar"));
        }
        Files.writeString(repository.resolve("promises"), String.join(" ", FrozenLevel.PROMISED));
        header(2);
        commit("second");
        assertDone(freeze("2"), "level 2 is frozen");
        Path promised = frozen.resolve("level-2/promised");
        for (String module : FrozenLevel.PROMISED) {
            assertThat(promised.resolve(module + "-1.0.0.jar"))
                    .hasSameBinaryContentAs(repository.resolve("jars/" + module + ".jar"));
        }
        commit("freeze again");
        assertDone(freeze("--verify", "1"), "builds the frozen jars byte by byte");
        assertDone(freeze("--verify", "2"), "builds the frozen jars byte by byte");
        Path jar = promised.resolve("verbs-cm-1.0.0.jar");
        JarContent.of(jar).put("added.txt", new byte[0]).writeTo(jar);
        assertRefused(freeze("--verify", "2"), "level-2/promised do not match its SHA256SUMS");
        run("bash", "-c", "cd " + promised + " && sha256sum *.jar > SHA256SUMS");
        assertRefused(freeze("--verify", "2"), "verbs-cm-1.0.0.jar differs", "added.txt");
    }

    @Test
    void refusesUncommittedChanges() throws Exception {
        Files.writeString(repository.resolve("version"), "1.0.1");
        Files.writeString(repository.resolve("forgotten.txt"), "");
        assertRefused(freeze("1"), "the work tree has uncommitted changes", "version", "forgotten.txt");
        assertThat(frozen).doesNotExist();
    }

    @Test
    @Full
    void freezesAgainOnlyWithReason() throws Exception {
        freeze("1");
        commit("freeze");
        assertRefused(freeze("1"), "level 1 is already frozen", "--refreeze \"why\"");
        assertRefused(freeze("1", "--refreeze", " "), "requires a reason, not empty and of one line");
        assertRefused(freeze("1", "--refreeze"), "--refreeze requires a reason");
        assertRefused(freeze("2", "--refreeze", "why"), "level 2 is not frozen yet: omit --refreeze");

        JarContent.of(repository.resolve("jars/verbs-core.jar"))
                .put("mended.txt", new byte[0])
                .writeTo(repository.resolve("jars/verbs-core.jar"));
        commit("mend");
        assertDone(freeze("1", "--refreeze", "close() was wrong"), "level 1 is frozen");
        commit("refreeze");
        assertDone(freeze("1", "--refreeze", "and once more"), "level 1 is frozen");
        assertThat(problems()).isEmpty();
        List<String> reasons = Files.readAllLines(frozen.resolve("level-1/REFREEZES"));
        assertThat(reasons).hasSize(2);
        assertThat(reasons.get(0)).endsWith(": close() was wrong");
        assertThat(reasons.get(1)).endsWith(": and once more");
        assertThat(JarContent.of(new FrozenLevel(1, frozen.resolve("level-1")).jar("verbs-core"))
                        .names())
                .contains("mended.txt");
    }

    @Test
    @Full
    void releasedLevelCannotBeRefrozen() throws Exception {
        assertRefused(freeze("--release", "1"), "level 1 is not frozen");
        freeze("1");
        assertDone(freeze("--release", "1"), "level 1 is released");
        commit("release");
        assertThat(problems()).isEmpty();
        assertRefused(freeze("1", "--refreeze", "why not"), "level 1 is released", "A fix needs a new level");
        assertRefused(freeze("--release", "1"), "already");
    }

    @Test
    @Full
    void releasedLevelIsReopenedOnlyForGraveReason() throws Exception {
        freeze("1");
        commit("freeze");
        assertRefused(freeze("1", "--reopen", "attack: a hostile packet"), "level 1 is not released", "--refreeze");
        freeze("--release", "1");
        commit("release");
        assertRefused(freeze("1", "--reopen", "a typo"), "data lost", "attack", "later level impossible");
        assertRefused(freeze("1", "--reopen", "attack: "), "data lost");

        JarContent.of(repository.resolve("jars/verbs-core.jar"))
                .put("mended.txt", new byte[0])
                .writeTo(repository.resolve("jars/verbs-core.jar"));
        commit("mend");
        assertDone(freeze("1", "--reopen", "attack: a hostile packet"), "no longer released");
        assertThat(Files.readString(frozen.resolve("level-1/REFREEZES"))).contains(": attack: a hostile packet");
        assertThat(Released.in(frozen).contains(1)).isFalse();
        commit("reopen");
        assertDone(freeze("--release", "1"), "level 1 is released");
        assertThat(problems()).isEmpty();
    }

    @Test
    @Full
    void levelsAreFrozenInOrder() throws Exception {
        assertRefused(freeze("2"), "level 1 is not frozen yet: levels are frozen in order");
        freeze("1");
        commit("freeze");
        assertRefused(freeze("2"), "VerbsLevel.CURRENT is 1 in this commit: level 2 can't be frozen from it");
        header(2);
        Files.writeString(repository.resolve("version"), "1.1.0");
        commit("level 2");
        assertDone(freeze("2"), "level 2 is frozen");
        assertThat(problems()).isEmpty();
    }

    @Test
    @Full
    void refusesUnrepeatableBuild() throws Exception {
        executable(repository.resolve("mvnw"), BUILD + "pwd >> verbs-core/target/verbs-core-1.0.0.jar\n");
        commit("not repeatable");
        assertRefused(freeze("1"), "verbs-core-1.0.0.jar differs", "fix that before freezing");
        assertThat(frozen).doesNotExist();
    }

    @Test
    @Full
    void refusesFailedBuildOrUnexpectedJars() throws Exception {
        executable(repository.resolve("mvnw"), BUILD + "exit 3\n");
        commit("fails");
        assertRefused(freeze("1"), "does not build");
        executable(repository.resolve("mvnw"), BUILD + "cp jars/verbs-core.jar verbs-core/target/verbs-core-2.jar\n");
        commit("makes another");
        assertRefused(freeze("1"), "one jar of verbs-core: verbs-core/target/verbs-core-1.0.0.jar verbs-core/target/");
    }

    @Test
    @Full
    void refusesSnapshotVersion() throws Exception {
        Files.writeString(repository.resolve("version"), "1.0.0-SNAPSHOT");
        commit("snapshot");
        assertRefused(freeze("1"), "the version in pom.xml is 1.0.0-SNAPSHOT");
    }

    @Test
    void refusesAnotherJdk() throws Exception {
        jdk("25.0.1+8");
        assertRefused(freeze("1"), "the JDK is 25.0.1+8 (Somebody): level jars must be built with JDK 17");
    }

    @Test
    @Full
    void verifyFindsChangesSinceFreeze() throws Exception {
        assertRefused(freeze("--verify", "1"), "level 1 is not frozen");
        freeze("1");
        Path level = frozen.resolve("level-1");
        Path jar = level.resolve("provider-rxe-1.0.0.jar");
        JarContent.of(jar).put("added.txt", new byte[0]).writeTo(jar);
        assertRefused(freeze("--verify", "1"), "do not match its SHA256SUMS");

        run("bash", "-c", "cd " + level + " && sha256sum *.jar > SHA256SUMS");
        assertRefused(
                freeze("--verify", "1"),
                "provider-rxe-1.0.0.jar differs",
                "added.txt",
                "is not what commit",
                "17.0.9+9");

        Path provenance = level.resolve("PROVENANCE");
        Files.writeString(
                provenance, Files.readString(provenance).replaceFirst("commit=.*", "commit=" + "1".repeat(40)));
        assertRefused(freeze("--verify", "1"), "commit 1111", "is not in this repository");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "01", "-1", "one", "1 2", "99999", "../1"})
    @Full
    void refusesInvalidLevel(String level) throws Exception {
        Run run = freeze(level);
        assertThat(run.status()).as(run.text()).isIn(1, 2);
        assertThat(run.text()).containsAnyOf("is not a level", "usage:");
    }

    @Test
    void printsUsage() throws Exception {
        for (String[] arguments : new String[][] {{}, {"--help"}, {"1", "2"}, {"--verify", "--release", "1"}}) {
            Run run = freeze(arguments);
            assertThat(run.status()).as(run.text()).isEqualTo(2);
            assertThat(run.text()).startsWith("usage: compat-tests/freeze LEVEL");
        }
    }
}
