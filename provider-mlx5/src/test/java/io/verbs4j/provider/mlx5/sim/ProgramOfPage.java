/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;

/** Compiles and runs the first program of a page of the documentation, as it stands there. Arguments: the page, and a folder. */
final class ProgramOfPage {
    private static final Pattern PROGRAM = Pattern.compile("```java\n(.*?public class (\\w+).*?)```", Pattern.DOTALL);

    private ProgramOfPage() {}

    public static void main(String... args) throws Exception {
        Matcher program = PROGRAM.matcher(Files.readString(Path.of(args[0])));
        DevxKit.require(program.find(), args[0] + " has no program");
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
        DevxKit.equal(0, compiled, "javac");
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
            loader.loadClass(program.group(2)).getMethod("main", String[].class).invoke(null, (Object) new String[0]);
        }
    }
}
