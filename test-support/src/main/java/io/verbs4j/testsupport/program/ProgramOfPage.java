/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.testsupport.program;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;

/**
 * Compiles and runs a program from a page of the documentation, as it stands there. Arguments: the page, a folder, and
 * the program's class; without a class, the first program of the page.
 */
public final class ProgramOfPage {
    private static final Pattern BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final int WITH_CLASS = 3;

    private ProgramOfPage() {}

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new IllegalStateException(what);
        }
    }

    /** Compiles and runs the program. */
    public static void main(String... args) throws Exception {
        Pattern type = Pattern.compile("public class (" + (args.length < WITH_CLASS ? "\\w+" : args[2]) + ")\\b");
        String program = BLOCK.matcher(Files.readString(Path.of(args[0])))
                .results()
                .map(block -> block.group(1))
                .filter(type.asPredicate())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(args[0] + " has no program with " + type));
        Matcher declared = type.matcher(program);
        require(declared.find(), "a program has no class");
        String name = declared.group(1);
        Path folder = Path.of(args[1]);
        Path source = Files.writeString(folder.resolve(name + ".java"), program);
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
        require(compiled == 0, "javac rejects it");
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
            loader.loadClass(name).getMethod("main", String[].class).invoke(null, (Object) new String[0]);
        }
    }
}
