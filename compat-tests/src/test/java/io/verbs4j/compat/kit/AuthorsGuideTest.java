/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.VerbsLevel;
import io.verbs4j.core.Verbs;
import io.verbs4j.testsupport.program.Jdk;
import io.verbs4j.testsupport.program.Program;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The program of the authors' guide, three providers in one source, does what the page promises, with libraries of each
 * level.
 */
class AuthorsGuideTest {
    private static final Path PAGE = Path.of("..", "docs", "guides", "extending.md");
    private static final String NAME = "HelloLevels";

    @TempDir
    Path folder;

    private String page;

    private String only(String regex) {
        Matcher found = Pattern.compile(regex, Pattern.DOTALL).matcher(page);
        assertThat(found.find()).as(regex).isTrue();
        return found.group(1);
    }

    private static String place(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI())
                .toString();
    }

    /** Follows the guide: copies source and registration from the page, and compiles them. */
    @BeforeEach
    void compile() throws IOException, URISyntaxException {
        page = Files.readString(PAGE);
        Path source = Files.writeString(folder.resolve(NAME + ".java"), only("```java\n(import .*?)```"));
        int status = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        System.out,
                        System.err,
                        "-cp",
                        place(VerbsLevel.class) + File.pathSeparator + place(Verbs.class),
                        "-d",
                        folder.toString(),
                        source.toString());
        assertThat(status).as("javac").isZero();
        Path services = Files.createDirectories(folder.resolve("META-INF/services"));
        String name = only("`META-INF/services/([a-zA-Z0-9.]+)`:\n\n```\n");
        Files.writeString(services.resolve(name), only("`META-INF/services/[^\n]*\n\n```\n(.*?)```"));
    }

    private void prints(String library, String promise) throws IOException, URISyntaxException, InterruptedException {
        String path = String.join(File.pathSeparator, folder.toString(), place(VerbsLevel.class), library);
        String java = Jdk.own().java().toString();
        Program.Result result = Program.run(List.of(java, "-cp", path, NAME), 60);
        assertThat(result.text().strip()).isEqualTo(promise);
    }

    private static String frozen(String jar) {
        return Path.of("frozen", jar).toString();
    }

    @Test
    void exampleWorksWithCurrentLibrary() throws Exception {
        prints(place(Verbs.class), only("It prints `([^`]+)`"));
    }

    @Test
    void exampleWorksWithEarlierLibraries() throws Exception {
        prints(frozen("level-1/verbs-core-1.0.0.jar"), only("\\| 1\\.0\\.0 \\| `([^`]+)`"));
        prints(frozen("level-2/verbs-core-1.1.0.jar"), only("\\| 1\\.1\\.0 \\| `([^`]+)`"));
    }
}
