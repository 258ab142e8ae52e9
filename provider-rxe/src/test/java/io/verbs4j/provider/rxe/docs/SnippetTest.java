/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Context;
import io.verbs4j.VerbsLevel;
import io.verbs4j.core.Verbs;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lines of the documentation that are not a program, completed to one. */
class SnippetTest {
    @Test
    void askFirstSnippetCompiles(@TempDir Path folder) throws Exception {
        Matcher lines = DocumentedProgramsTest.PROGRAM.matcher(
                Files.readString(Path.of("..", "docs", "guides", "ask-first.md")));
        assertThat(lines.find()).isTrue();
        assertThat(lines.group(1)).contains("by RDMA write alone");
        String otherwise = lines.group(1).replaceFirst("// by RDMA write alone[^\n]*", "return false;");
        Path source = Files.writeString(
                folder.resolve("Ask.java"),
                "import io.verbs4j.*;\npublic class Ask {\n    public static boolean hasSend(Context context) {\n"
                        + otherwise + "        return true;\n    }\n}\n");
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

        try (URLClassLoader loader =
                        new URLClassLoader(new URL[] {folder.toUri().toURL()});
                Context context = Verbs.open(Verbs.defaultDevice(), VerbsLevel.CURRENT)) {
            assertThat(loader.loadClass("Ask")
                            .getMethod("hasSend", Context.class)
                            .invoke(null, context))
                    .as("the embedded device has SEND")
                    .isEqualTo(true);
        }
    }
}
