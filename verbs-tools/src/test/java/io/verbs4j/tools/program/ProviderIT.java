/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.testsupport.Full;
import io.verbs4j.tools.base.ExitCode;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A third-party provider, in a jar that is not part of the program. */
@Full
@Tag("e2e")
class ProviderIT {
    /** Source of a provider that offers the embedded device under another name. */
    private static final String SOURCE = """
            package stranger; import io.verbs4j.*; import io.verbs4j.spi.*; import java.util.*;
            public final class Provider implements VerbsProvider {
                private static final Device MINE = new Device("mine0", 7, NodeType.CA, TransportType.IB) {};
                private static final VerbsProvider RXE = new io.verbs4j.provider.rxe.RxeProvider();
                public String name() { return "stranger"; }
                public int level() { return 1; }
                public int minimumLibraryLevel() { return 1; }
                public List<? extends Device> devices() { return List.of(MINE); }
                public ContextOps openDevice(Device d, Context c) {
                    List<? extends Device> all = RXE.devices();
                    return RXE.openDevice(all.get(all.size() - 1), c); } }
            """;

    @TempDir
    static Path folder;

    private static Path classes;
    private static Path jar;

    @BeforeAll
    static void makeJar() throws IOException {
        Path source =
                Files.writeString(Files.createDirectories(folder.resolve("src")).resolve("Provider.java"), SOURCE);
        classes = Files.createDirectories(folder.resolve("classes with blanks"));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            List<String> options = List.of(
                    "-proc:none", "-d", classes.toString(), "-classpath", System.getProperty("java.class.path"));
            assertThat(compiler.getTask(messages, files, null, options, null, files.getJavaFileObjects(source))
                            .call())
                    .as(messages.toString())
                    .isTrue();
        }
        Path services = classes.resolve("META-INF/services/io.verbs4j.spi.VerbsProvider");
        Files.createDirectories(services.getParent());
        Files.writeString(services, "stranger.Provider\n");
        jar = folder.resolve("stranger.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                Stream<Path> content = Files.walk(classes)) {
            for (Path file : content.filter(Files::isRegularFile).toList()) {
                out.putNextEntry(new JarEntry(classes.relativize(file).toString()));
                out.write(Files.readAllBytes(file));
            }
        }
    }

    @Test
    void providerOptionIsAcceptedAnywhere() {
        for (String line : List.of("devices --provider " + jar, "--provider=" + jar + " devices")) {
            assertThat(Program.run(line).succeeds().out())
                    .containsPattern("mine0 +\t0{15}7\thardware\tstranger\n")
                    .containsPattern("rxe_emb0 +\t[0-9a-f]{16}\tembedded\trxe\n");
        }
        assertThat(Program.run("devices").succeeds().out()).doesNotContain("mine0");
    }

    @Test
    void secondProcessLoadsProvider() {
        assertThat(Program.run("pingpong -d mine0 -n 100 --provider " + jar)
                        .succeeds()
                        .out())
                .contains("mine0 port 1");
        Program.run("bench write -d mine0 -n 100 --provider " + jar).succeeds();
    }

    @Test
    void hardwareDeviceIsPreferredToEmbedded() {
        // The embedded device's provider comes last, so the third-party device is chosen.
        assertThat(Program.run("pingpong -n 100 --provider " + jar).succeeds().out())
                .contains("mine0 port 1");
    }

    @Test
    void providerFolderIsAcceptedAndEmptyFolderIsRefused() throws IOException {
        Path other = Files.createDirectories(folder.resolve("other"));
        assertThat(Program.run(List.of(
                                "info",
                                "-d",
                                "mine0",
                                "--provider",
                                other.toString(),
                                "--provider",
                                classes.toString()))
                        .succeeds()
                        .out())
                .startsWith("hca_id:\tmine0\n");
        Program.run("devices --provider " + other).fails(ExitCode.USAGE, "registers no provider");
    }
}
