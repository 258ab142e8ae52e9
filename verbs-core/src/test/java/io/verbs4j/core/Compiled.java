/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.VerbsLevel;
import java.io.IOException;
import java.io.StringWriter;
import java.net.MalformedURLException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles what a test can't have among its own classes: providers that are broken, headers of another level. */
public final class Compiled {
    private static final Pattern PACKAGE = Pattern.compile("\\bpackage (\\S+);");
    private static final Pattern TYPE = Pattern.compile("\\bclass (\\w+)");

    private final Path sources;
    private final Path classes;
    private final List<Path> files = new ArrayList<>();

    public Compiled(Path directory) throws IOException {
        sources = Files.createDirectories(directory.resolve("src"));
        classes = Files.createDirectories(directory.resolve("classes"));
    }

    public static Path header() {
        return locationOf(VerbsLevel.class);
    }

    public static Path locationOf(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    public static URL url(Path path) {
        try {
            return path.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new AssertionError(e);
        }
    }

    public Path classes() {
        return classes;
    }

    public Compiled source(String text) throws IOException {
        Matcher name = TYPE.matcher(text);
        Matcher pack = PACKAGE.matcher(text);
        String file = name.find() ? name.group(1) : "module-info";
        String directory = pack.find() ? pack.group(1).replace('.', '/') : "";
        Path path = sources.resolve(directory).resolve(file + ".java");
        Files.createDirectories(path.getParent());
        files.add(Files.writeString(path, text));
        return this;
    }

    /** A provider in package {@code broken} whose body begins with what is given and may replace any method. */
    public Compiled provider(String className, String body) throws IOException {
        String text = "package broken; import io.verbs4j.*; import io.verbs4j.spi.*; import java.util.*;\n"
                + "public class " + className + " implements VerbsProvider {\n" + body + "\n";
        text += absent(body, "String name()", "return \"" + className.toLowerCase(Locale.ROOT) + "\";");
        text += absent(body, "int level()", "return 1;");
        text += absent(body, "int minimumLibraryLevel()", "return 1;");
        text += absent(body, "List<? extends Device> devices()", "return List.of();");
        text += absent(body, "ContextOps openDevice(Device device, Context context)", "return null;");
        return source(text + "}\n");
    }

    private static String absent(String body, String method, String does) {
        return body.contains(method) ? "" : "public " + method + " { " + does + " }\n";
    }

    public Compiled compile(String... options) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            List<String> all = new ArrayList<>(List.of("-proc:none", "-d", classes.toString()));
            all.addAll(List.of(options));
            boolean fine = compiler.getTask(
                            messages, manager, null, all, null, manager.getJavaFileObjectsFromPaths(files))
                    .call();
            assertThat(fine).as(messages.toString()).isTrue();
        }
        return this;
    }

    public Compiled services(String lines) throws IOException {
        Path file = classes.resolve("META-INF/services/io.verbs4j.spi.VerbsProvider");
        Files.createDirectories(file.getParent());
        Files.writeString(file, lines);
        return this;
    }

    public Compiled delete(String classFile) throws IOException {
        Files.delete(classes.resolve(classFile));
        return this;
    }
}
