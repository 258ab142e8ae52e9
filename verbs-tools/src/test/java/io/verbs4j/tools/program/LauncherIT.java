/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the script {@code verbs} with a fake Maven and a fake Java that only record their arguments. */
@Tag("e2e")
class LauncherIT {
    @TempDir
    Path temporary;

    private Path root;
    private Path home;

    @BeforeEach
    void makeTree() throws IOException {
        Path script = Path.of("").toAbsolutePath();
        while (script != null && !Files.isExecutable(script.resolve("verbs"))) {
            script = script.getParent();
        }
        assumeTrue(script != null, "no script 'verbs' above this folder");
        root = Files.createDirectories(temporary.resolve("a tree with blanks"));
        Files.copy(script.resolve("verbs"), root.resolve("verbs"));
        executable(root.resolve("verbs"));
        write(root.resolve("pom.xml"), "<project/>");
        write(root.resolve("verbs-tools/src/main/A.java"), "class A {}");
        script(root.resolve("mvnw"), """
                echo "maven $*" >> maven.log
                sleep 0.3
                mkdir -p verbs-tools/target/quick/lib
                : > verbs-tools/target/quick/verbs-tools-1.0.0.jar
                : > verbs-tools/target/quick/lib/one.jar
                """);
        home = temporary.resolve("a jdk");
        java("17.0.9");
    }

    private void java(String version) throws IOException {
        write(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
        script(home.resolve("bin/java"), """
                for a in "$@"; do printf '<%s>' "$a"; done
                echo
                exit 7
                """);
    }

    /** Installs a fake Java that creates a class archive when asked to. */
    private void javaWithArchive(String version) throws IOException {
        java(version);
        script(home.resolve("bin/java"), """
                for a in "$@"; do
                  case $a in -XX:ArchiveClassesAtExit=*) : > "${a#*=}"; exit 0 ;; esac
                done
                for a in "$@"; do printf '<%s>' "$a"; done
                echo
                """);
    }

    private static void script(Path file, String body) throws IOException {
        write(file, "#!/bin/sh\n" + body);
        executable(file);
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private static void executable(Path file) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private record Run(int exitCode, String text) {}

    private Process start(Path script, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(script.toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(temporary.toFile()).redirectErrorStream(true);
        Map<String, String> environment = builder.environment();
        environment.put("JAVA_HOME", home.toString());
        environment.remove("VERBS4J_JAVA_OPTS");
        return builder.start();
    }

    private static Run end(Process process) throws IOException, InterruptedException {
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return new Run(process.exitValue(), text);
    }

    private Run run(String... arguments) throws IOException, InterruptedException {
        return end(start(root.resolve("verbs"), arguments));
    }

    private long builds() throws IOException {
        Path log = root.resolve("maven.log");
        return Files.exists(log) ? Files.readAllLines(log).size() : 0;
    }

    @Test
    void launcherBuildsOnceAndPassesArgumentsAndExitCode() throws Exception {
        Run first = run("pingpong", "two words", "");
        assertThat(first.exitCode()).as(first.text()).isEqualTo(7);
        assertThat(first.text())
                .startsWith("verbs: building (first run) ...\n")
                .contains("<io.verbs4j.tools.Main><pingpong><two words><>")
                .contains("/launch.1/one.jar:")
                .contains("/launch.1/verbs-tools-1.0.0.jar>");
        Run second = run("devices");
        assertThat(second.text()).startsWith("<").contains("<devices>");
        assertThat(builds()).isEqualTo(1);
    }

    @Test
    void newerSourceTriggersBuild() throws Exception {
        run();
        Thread.sleep(20);
        write(root.resolve("verbs-tools/src/main/B.java"), "class B {}");
        assertThat(run().text())
                .startsWith("verbs: building (sources changed) ...")
                .contains("launch.2");
        assertThat(run().text()).startsWith("<");
        assertThat(builds()).isEqualTo(2);
    }

    @Test
    void concurrentFirstRunsBuildOnce() throws Exception {
        List<Process> all = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            all.add(start(root.resolve("verbs"), "devices"));
        }
        for (Process process : all) {
            Run run = end(process);
            assertThat(run.exitCode()).as(run.text()).isEqualTo(7);
            assertThat(run.text()).contains("/launch.1/verbs-tools-1.0.0.jar>");
        }
        assertThat(builds()).isEqualTo(1);
    }

    @Test
    void classArchiveOfBuildIsUsed() throws Exception {
        javaWithArchive("17.0.9");
        String archive = "verbs-tools/target/launch.1/classes-17.0.9.jsa>";
        assertThat(run("devices").text())
                .containsPattern("<-XX:SharedArchiveFile=[^>]*" + archive)
                .containsPattern("<-Dio.verbs4j.tools.archive=[^>]*" + archive);

        javaWithArchive("21.0.1");
        assertThat(run("devices").text()).contains("<devices>").doesNotContain("jsa");
    }

    @Test
    void launcherWorksThroughLinks() throws Exception {
        Path bin = Files.createDirectories(temporary.resolve("my bin"));
        Files.createSymbolicLink(temporary.resolve("one"), Path.of("a tree with blanks", "verbs"));
        Files.createSymbolicLink(bin.resolve("v"), Path.of("..", "one"));
        assertThat(end(start(bin.resolve("v"), "x")).text()).contains("<x>");
    }

    @Test
    void failedBuildPrintsItsErrors() throws Exception {
        script(root.resolve("mvnw"), "echo '[ERROR] A.java: no'; exit 1\n");
        Run run = run("devices");
        assertThat(run.exitCode()).isEqualTo(3);
        assertThat(run.text()).contains("[ERROR] A.java: no").contains("the build failed: see above");
        assertThat(run.text()).doesNotContain("<devices>");
    }

    @Test
    void oldJavaIsRefused() throws Exception {
        java("11.0.2");
        Run run = run("devices");
        assertThat(run.exitCode()).isEqualTo(3);
        assertThat(run.text()).contains("java is 11.0.2").contains("Java 17 or newer is needed");
        home = temporary.resolve("nowhere");
        assertThat(run("devices").text()).contains("there is no bin/java in it");
    }

    @Test
    void newerJvmsGetFlagsForJna() throws Exception {
        assertThat(run().text()).doesNotContain("<--");
        java("23");
        assertThat(run().text())
                .contains("<--sun-misc-unsafe-memory-access=allow>")
                .doesNotContain("native-access");
        java("25.0.1");
        assertThat(run().text())
                .contains("<--sun-misc-unsafe-memory-access=allow>")
                .contains("<--enable-native-access=ALL-UNNAMED>");
    }
}
