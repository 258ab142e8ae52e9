/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.VerbsLevel;
import io.verbs4j.testsupport.Patience;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The entry points, in class loaders of their own: each test has a library that has found nothing yet. */
@Timeout(Patience.TEST_SECONDS)
class VerbsTest {
    @TempDir
    Path directory;

    private Compiled program;

    @BeforeEach
    void compileProgramAndProvider() throws IOException {
        program = new Compiled(directory.resolve("program"));
        program.provider("Toy", """
                static final Device DEVICE = new Device("toy0", 1, 1, 0) {};
                public List<? extends Device> devices() { return List.of(DEVICE); }
                public ContextOps openDevice(Device device, Context context) {
                  return new ContextOps() { @Override public int numCompVectors() { return 42; } }; }""");
        program.services("broken.Toy\n");
        program.source("""
                package program; import io.verbs4j.*; import io.verbs4j.core.*;
                public class Main implements java.util.concurrent.Callable<String> {
                  public String call() { StringBuilder out = new StringBuilder(); out.append(Verbs.level());
                    for (Device d : Verbs.devices()) {
                      try (Context c = Verbs.open(d, VerbsLevel.CURRENT)) {
                        out.append(' ').append(d).append(' ').append(c.numCompVectors()); } }
                    return out + "\\n" + Verbs.report(); } }""");
    }

    private static String classPath() {
        return Compiled.header() + System.getProperty("path.separator") + Compiled.locationOf(Verbs.class);
    }

    /** Runs the program in a world of its own; what is first comes before the header. */
    private String run(Path... first) throws Exception {
        URL[] urls = Stream.concat(
                        Arrays.stream(first),
                        Stream.of(Compiled.header(), Compiled.locationOf(Verbs.class), program.classes()))
                .map(Compiled::url)
                .toArray(URL[]::new);
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader())) {
            thread.setContextClassLoader(loader);
            Callable<?> main = (Callable<?>)
                    loader.loadClass("program.Main").getConstructor().newInstance();
            return (String) main.call();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Test
    void programFindsAndOpensItsDevice() throws Exception {
        program.compile("-classpath", classPath());

        assertThat(run())
                .startsWith("4 toy0 42\n")
                .contains("toy", "broken.Toy", "yes", program.classes().toString());
    }

    @Test
    void propertyExcludesProvider() throws Exception {
        program.compile("-classpath", classPath());
        System.setProperty("io.verbs4j.exclude", "broken.*");
        try {
            assertThat(run()).startsWith("4\n").contains("broken.Toy", "excluded by the system property");
        } finally {
            System.clearProperty("io.verbs4j.exclude");
        }
    }

    @Test
    void libraryLoaderIsSearchedWithoutContextLoader() throws Exception {
        program.compile("-classpath", classPath());
        Background<String> run = Background.call(() -> {
            URL[] urls = Stream.of(Compiled.header(), Compiled.locationOf(Verbs.class), program.classes())
                    .map(Compiled::url)
                    .toArray(URL[]::new);
            Thread.currentThread().setContextClassLoader(null);
            try (URLClassLoader loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader())) {
                return (String) ((Callable<?>) loader.loadClass("program.Main")
                                .getConstructor()
                                .newInstance())
                        .call();
            }
        });

        assertThat(run.result()).startsWith("4 toy0 42\n");
    }

    /** A header that differs in its level alone. */
    private Path header(String name, int current, int runtime) throws IOException {
        Compiled header = new Compiled(directory.resolve(name));
        header.source("package io.verbs4j; public final class VerbsLevel {\n"
                + "  public static final int BASE = 1; public static final int CURRENT = " + current + ";\n"
                + "  public static int runtime() { return " + runtime + "; } }");
        return header.compile().classes();
    }

    @Test
    void programCompiledForNewerHeaderFailsWithRemedy() throws Exception {
        Path newer = header("newer", 5, 5);
        program.compile("-classpath", newer + System.getProperty("path.separator") + classPath());

        Throwable thrown = failure();

        assertThat(thrown.getClass().getName()).isEqualTo("io.verbs4j.VerbsException");
        assertThat(thrown)
                .hasMessageContaining("open_device: EPROTO")
                .hasMessageContaining("the program was compiled for level 5")
                .hasMessageContaining("is level 4, from " + Compiled.header())
                .hasMessageContaining("at least level 5");
        assertThat(run(newer)).as("with the newer header first").startsWith("4 toy0 42\n");
    }

    /** By each way to a device: a program that lists them must not be left with an empty list. */
    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "open(new io.verbs4j.Device(\"x\", 1, 1, 0) {}, io.verbs4j.VerbsLevel.BASE)",
                "devices()",
                "defaultDevice()",
                "device(\"toy0\")"
            })
    void libraryCompiledForNewerHeaderFailsWithRemedy(String way) throws Exception {
        Path older = header("older", 1, 1);
        program.provider("Unused", "");
        program.source("""
                package program; public class Main implements java.util.concurrent.Callable<String> {
                  public String call() { return "" + io.verbs4j.core.Verbs.WAY; } }""".replace("WAY", way));
        program.compile("-classpath", classPath());

        Throwable thrown = failure(older);

        assertThat(thrown)
                .hasMessageContaining("EPROTO")
                .hasMessageContaining("the library (verbs-core from " + Compiled.locationOf(Verbs.class)
                        + ") was compiled for level 4")
                .hasMessageContaining("is level 1, from " + older);
    }

    private Throwable failure(Path... first) throws Exception {
        try {
            return new AssertionError("no failure but " + run(first));
        } catch (InvocationTargetException e) {
            return e.getCause();
        } catch (RuntimeException e) {
            return e;
        }
    }

    @Test
    void levelIsFour() {
        assertThat(Verbs.level()).isEqualTo(4);
        assertThat(VerbsLevel.runtime()).isGreaterThanOrEqualTo(Verbs.level());
    }

    /** Frozen for ever: what is exported may neither shrink nor grow. */
    @Test
    void exportedSurfaceIsFrozen() throws IOException {
        Path classes = Compiled.locationOf(Verbs.class);
        assertThat(Files.isDirectory(classes)).isTrue();
        try (Stream<Path> files = Files.list(classes.resolve("io/verbs4j/core"))) {
            Set<String> exported = files.map(file -> file.getFileName().toString())
                    .filter(file -> file.endsWith(".class") && !file.startsWith("package-info"))
                    .map(file -> load("io.verbs4j.core." + file.substring(0, file.length() - ".class".length())))
                    .filter(type -> Modifier.isPublic(type.getModifiers()))
                    .map(Class::getSimpleName)
                    .collect(Collectors.toSet());
            assertThat(exported).containsExactlyInAnyOrder("Verbs", "ProviderReport", "Entry");
        }
        assertThat(surface(Verbs.class))
                .containsExactlyInAnyOrder(
                        "static List devices()",
                        "static Context open(Device, int)",
                        "static Context open(Device, int, OpenAttr)",
                        "static Device device(String)",
                        "static Device defaultDevice()",
                        "static ProviderReport report()",
                        "static int level()");
        assertThat(surface(ProviderReport.class)).containsExactlyInAnyOrder("List entries()", "String toString()");
        assertThat(surface(ProviderReport.Entry.class))
                .containsExactlyInAnyOrder(
                        "String name()",
                        "String className()",
                        "String location()",
                        "int level()",
                        "int minimumLibraryLevel()",
                        "boolean used()",
                        "String reason()",
                        "List deviceNames()",
                        "String toString()");
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name, false, VerbsTest.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    private static List<String> surface(Class<?> type) {
        assertThat(Modifier.isFinal(type.getModifiers())).isTrue();
        assertThat(type.getConstructors()).isEmpty();
        assertThat(type.getFields()).isEmpty();
        return Arrays.stream(type.getDeclaredMethods())
                .filter(method ->
                        Modifier.isPublic(method.getModifiers()) || Modifier.isProtected(method.getModifiers()))
                .map(VerbsTest::signature)
                .toList();
    }

    private static String signature(Method method) {
        String parameters = Arrays.stream(method.getParameterTypes())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(", "));
        return (Modifier.isStatic(method.getModifiers()) ? "static " : "")
                + method.getReturnType().getSimpleName() + " " + method.getName() + "(" + parameters + ")";
    }
}
