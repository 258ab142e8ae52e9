/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.testsupport.program.Jdk;
import io.verbs4j.testsupport.program.Program;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compiles and runs programs of the documentation as they are. */
class DocumentedProgramsTest {
    static final Pattern PROGRAM = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern PROMISE = Pattern.compile("It prints `([^`]+)`");

    @ParameterizedTest
    @CsvSource({
        "docs/start/getting-started.md, HelloVerbs",
        "docs/guides/cm.md, HelloCm",
        "docs/guides/server.md, HelloLoop",
        "docs/guides/xrc.md, HelloXrc",
        "docs/guides/ud.md, HelloUd",
        "docs/guides/srq.md, HelloSrq",
        "docs/guides/completions.md, HelloTime",
        "docs/guides/memory.md, HelloWindow",
        "docs/guides/sharing.md, HelloSharing",
        "docs/guides/ethernet.md, HelloEthernet",
        "docs/guides/counters.md, HelloCounters",
        "docs/guides/tag-matching.md, HelloTags"
    })
    void programPrintsPromisedOutput(String file, String name, @TempDir Path folder) throws Exception {
        String page = Files.readString(Path.of("..", file));
        Matcher promise = PROMISE.matcher(page);
        assertThat(promise.find()).as(file + " promises an output").isTrue();
        String program = PROGRAM.matcher(page)
                .results()
                .map(block -> block.group(1))
                .filter(block -> block.contains("class " + name + " "))
                .findFirst()
                .orElseThrow();
        compile(program, name, folder);

        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
            System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
            loader.loadClass(name).getMethod("main", String[].class).invoke(null, (Object) new String[0]);
        } finally {
            System.setOut(before);
        }
        assertThat(printed.toString(StandardCharsets.UTF_8).trim()).isEqualTo(promise.group(1));
    }

    private static void compile(String text, String name, Path folder) throws IOException {
        Path source = Files.writeString(folder.resolve(name + ".java"), text);
        int compiled = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        System.out,
                        System.err,
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-d",
                        folder.toString(),
                        source.toString());
        assertThat(compiled).as("javac").isZero();
    }

    /** A server and a client, in two processes. */
    @Test
    void programPairPrintsPromisedOutput(@TempDir Path folder) throws Exception {
        String page = Files.readString(Path.of("..", "docs", "guides", "cm.md"));
        for (String name : List.of("GreetingServer", "GreetingClient")) {
            String text = PROGRAM.matcher(page)
                    .results()
                    .map(program -> program.group(1))
                    .filter(program -> program.contains("class " + name + " "))
                    .findFirst()
                    .orElseThrow();
            assertThat(text.lines().count()).as("lines of " + name).isLessThan(55);
            compile(text, name, folder);
        }
        Matcher promise = Pattern.compile("The client says `([^`]+)`").matcher(page);
        assertThat(promise.find()).isTrue();
        Process server = new ProcessBuilder(command(folder, "GreetingServer", "0"))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader said = server.inputReader()) {
            String port = said.readLine().replace("listening at port ", "");
            assertThat(Program.run(command(folder, "GreetingClient", "localhost", port), 60)
                            .text()
                            .strip())
                    .isEqualTo(promise.group(1));
            assertThat(server.waitFor(60, TimeUnit.SECONDS)).as("server ended").isTrue();
            assertThat(server.exitValue()).isZero();
        } finally {
            server.destroyForcibly().waitFor();
        }
    }

    private static List<String> command(Path folder, String... program) {
        Jdk jdk = Jdk.own();
        List<String> command = new ArrayList<>();
        command.add(jdk.java().toString());
        command.addAll(jdk.permissions());
        command.addAll(List.of("-cp", folder + File.pathSeparator + System.getProperty("java.class.path")));
        command.addAll(List.of(program));
        return command;
    }
}
