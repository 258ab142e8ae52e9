/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.compat.built.JarContent;
import io.verbs4j.testsupport.Checkout;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The sources of a module of this build, to change and compile into a jar. */
final class Sources {
    private final Map<String, String> files;

    private Sources(Map<String, String> files) {
        this.files = files;
    }

    static Sources header() {
        return of("verbs-spi");
    }

    static Sources library() {
        return of("verbs-core");
    }

    /** {@return the sources of the binding, with the layouts that its build generated} */
    static Sources binding() {
        Path target = Path.of("").toAbsolutePath().relativize(Parties.jars().getParent());
        Sources sources = of("verbs-rdma-core");
        sources.add(Checkout.path("verbs-rdma-core").resolve(target).resolve("generated-sources/layout"));
        return sources;
    }

    /** {@return sources from these texts} */
    static Sources of(Map<String, String> files) {
        return new Sources(new TreeMap<>(files));
    }

    private static Sources of(String module) {
        Sources sources = new Sources(new TreeMap<>());
        sources.add(Checkout.path(module, "src/main/java"));
        return sources;
    }

    private void add(Path root) {
        try (Stream<Path> paths = Files.walk(root)) {
            for (Path path : paths.filter(Files::isRegularFile).toList()) {
                files.put(root.relativize(path).toString(), Files.readString(path));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Changes one place; fails the test unless the text occurs exactly once. */
    Sources edit(String file, String from, String to) {
        String text = files.get(file);
        assertThat(text).as("source %s", file).isNotNull();
        assertThat(text.split(Pattern.quote(from), -1))
                .as("parts of %s around '%s'", file, from)
                .hasSize(2);
        files.put(file, text.replace(from, to));
        return this;
    }

    /** Compiles the sources into a jar. */
    Path jar(Path jar) {
        return jar(jar, List.of());
    }

    /** The same, with jars to compile against, given by this option. */
    Path jar(Path jar, String option, Path... libraries) {
        String path = Stream.of(libraries).map(Path::toString).collect(Collectors.joining(File.pathSeparator));
        return jar(jar, List.of(option, path));
    }

    private Path jar(Path jar, List<String> more) {
        Path classes = jar.resolveSibling(jar.getFileName() + "-classes");
        List<String> options =
                new ArrayList<>(List.of("--release", "17", "-proc:none", "-nowarn", "-d", classes.toString()));
        options.addAll(more);
        Compilation compilation = Compilation.compile(files, options, classes);
        assertThat(compilation.complaints()).isEmpty();
        return JarContent.of(classes).writeTo(jar);
    }
}
