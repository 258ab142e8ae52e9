/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.testsupport.program;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;

/** Compiles and runs the first program of a page of the documentation, as it stands there. Arguments: the page, and a folder. */
public final class ProgramOfPage {
    private static final Pattern PROGRAM = Pattern.compile("```java\n(.*?public class (\\w+).*?)```", Pattern.DOTALL);

    private ProgramOfPage() {}

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new IllegalStateException(what);
        }
    }

    /** Does so. */
    public static void main(String... args) throws Exception {
        Matcher program = PROGRAM.matcher(Files.readString(Path.of(args[0])));
        require(program.find(), args[0] + " has no program");
        Path folder = Path.of(args[1]);
        Path source = Files.writeString(folder.resolve(program.group(2) + ".java"), program.group(1));
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
        require(compiled == 0, "javac does not take it");
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
            loader.loadClass(program.group(2)).getMethod("main", String[].class).invoke(null, (Object) new String[0]);
        }
    }
}
