/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The programs of docs/netty.md are compiled and run as they stand there. */
@Timeout(120)
class DocumentedProgramsTest {
    private static final Pattern PROGRAM = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    @ParameterizedTest
    @ValueSource(strings = {"HelloGrpc", "HelloNetty"})
    void programPrintsWhatIsPromised(String name, @TempDir Path folder) throws Exception {
        String page = Files.readString(Path.of("..", "docs", "netty.md"));
        Matcher promise = Pattern.compile(name + " prints `([^`]+)`").matcher(page);
        assertThat(promise.find()).isTrue();
        String program = PROGRAM.matcher(page)
                .results()
                .map(block -> block.group(1))
                .filter(block -> block.contains("class " + name + " "))
                .findFirst()
                .orElseThrow();
        Path source = Files.writeString(folder.resolve(name + ".java"), program);
        String path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        int compiled = ToolProvider.getSystemJavaCompiler()
                .run(null, System.out, System.err, "-cp", path, "-d", folder.toString(), source.toString());
        assertThat(compiled).as("javac").isZero();

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
}
