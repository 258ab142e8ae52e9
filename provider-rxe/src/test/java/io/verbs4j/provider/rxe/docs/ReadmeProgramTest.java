/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.docs;

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
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Programs of the documentation are compiled and run as they stand there. */
class ReadmeProgramTest {
    static final Pattern PROGRAM = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern PROMISE = Pattern.compile("It prints `([^`]+)`");

    @ParameterizedTest
    @CsvSource({
        "README.md, HelloVerbs",
        "docs/xrc.md, HelloXrc",
        "docs/ud.md, HelloUd",
        "docs/srq.md, HelloSrq",
        "docs/completions.md, HelloTime",
        "docs/memory.md, HelloWindow"
    })
    void theProgramPrintsWhatIsPromised(String file, String name, @TempDir Path folder) throws Exception {
        String readme = Files.readString(Path.of("..", file));
        Matcher program = PROGRAM.matcher(readme);
        Matcher promise = PROMISE.matcher(readme);
        assertThat(program.find() && promise.find())
                .as(file + " has a program and a promise")
                .isTrue();
        Path source = Files.writeString(folder.resolve(name + ".java"), program.group(1));
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
