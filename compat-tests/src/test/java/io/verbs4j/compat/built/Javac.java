/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.built;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Compiles small programs from text. */
public final class Javac {
    private Javac() {}

    /**
     * Compiles for Java 17.
     *
     * @param sources the sources by file name, for instance {@code a/B.java}
     * @param output folder for the classes, created if missing
     * @param options more options, for instance the class path
     */
    public static void compile(Map<String, String> sources, Path output, List<String> options) {
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        if (javac == null) {
            throw new IllegalStateException("the tests run on a JRE without javac: set JAVA_HOME to a JDK");
        }
        List<JavaFileObject> units = new ArrayList<>();
        sources.forEach((name, text) -> units.add(new Source(name, text)));
        List<String> all = new ArrayList<>(List.of("--release", "17", "-proc:none", "-d", output.toString()));
        all.addAll(options);
        StringWriter messages = new StringWriter();
        try {
            Files.createDirectories(output);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make " + output, e);
        }
        if (!javac.getTask(messages, null, null, all, null, units).call()) {
            throw new IllegalStateException("javac rejects " + sources.keySet() + ":\n" + messages);
        }
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String name, String text) {
            super(URI.create("string:///" + name), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
