/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.testsupport.program;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/**
 * Compiles and runs a program from a folder of sources, for instance an example's, with the class path of this JVM.
 * Arguments: that folder, a folder for classes, the class to run, and its arguments.
 */
public final class ProgramOfSources {
    private static final int OWN = 3;

    private ProgramOfSources() {}

    /** Compiles and runs the program. */
    public static void main(String... args) throws Exception {
        List<String> javac = new ArrayList<>(List.of(
                "-Xlint:all,-path,-classfile", "-Werror", "-cp", System.getProperty("java.class.path"), "-d", args[1]));
        try (Stream<Path> files = Files.walk(Path.of(args[0]))) {
            files.map(Path::toString).filter(name -> name.endsWith(".java")).forEach(javac::add);
        }
        int compiled =
                ToolProvider.getSystemJavaCompiler().run(null, System.out, System.err, javac.toArray(String[]::new));
        if (compiled != 0) {
            throw new IllegalStateException("javac rejects " + args[0]);
        }
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {Path.of(args[1]).toUri().toURL()})) {
            loader.loadClass(args[2]).getMethod("main", String[].class).invoke(null, (Object)
                    Arrays.copyOfRange(args, OWN, args.length));
        }
    }
}
