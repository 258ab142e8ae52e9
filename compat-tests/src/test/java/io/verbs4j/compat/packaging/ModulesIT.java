/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.Native;
import io.verbs4j.compat.built.BuiltModules;
import io.verbs4j.compat.services.ChildJvm;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.Hours;
import io.verbs4j.testsupport.program.Jdk;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Jars in a folder, on the class path and the module path, and run-time images made from them. */
@Full
class ModulesIT {
    private static final String SLOW = "through the JDK's channels";
    private static final String CONNECTED = "connected by rxe_emb0";
    private static final String NAMED = "jlink -p lib --add-modules com.example,io";
    private static final String WITH_JNA = "jlink -p lib --add-modules com.example,com";
    private static final String BOUND = "jlink -p lib --add-modules com.example --bind";
    private static final String START = "image/bin/java -m";

    @TempDir
    static Path scratch;

    private static Path lib;

    /** Like {@link #lib}, but with JNA as a module, as the page requires for images. */
    private static Path forImages;

    @BeforeAll
    static void fillTheFolders() throws Exception {
        Path program = PackagedProgram.compile(scratch);
        List<Path> jars = new ArrayList<>(PackagedProgram.library());
        jars.add(BuiltModules.location(BuiltModules.NATIVES));
        jars.add(BuiltModules.location(BuiltModules.RDMA_CORE));
        jars.add(BuiltModules.location(BuiltModules.RXE));
        lib = PackagedProgram.lib(scratch, program, with(jars, PackagedProgram.location(Native.class)));
        Path jpms = Path.of(System.getProperty("verbs4j.modules"), "jna-jpms.jar");
        forImages = PackagedProgram.lib(scratch.resolve("images"), program, with(jars, jpms));
    }

    private static List<Path> with(List<Path> jars, Path another) {
        List<Path> all = new ArrayList<>(jars);
        all.add(another);
        return all;
    }

    private static boolean callsCItself(Jdk jdk) {
        return jdk.hasForeignMemory();
    }

    private static String run(Jdk jdk, List<String> arguments) throws InterruptedException {
        ChildJvm jvm = ChildJvm.run(jdk, scratch, arguments);
        assertThat(jvm.status()).as("%s", jvm).isZero();
        return String.join("\n", jvm.out()) + "\n" + jvm.err();
    }

    private static List<String> arguments(String begin) {
        return PackagingPage.arguments(begin, Map.of("lib", lib.toString(), "'lib/*'", lib + "/*"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("io.verbs4j.testsupport.program.Jdk#all")
    void classPathConnects(Jdk jdk) throws InterruptedException {
        String said = run(jdk, arguments("java -cp"));
        assertThat(said).contains(CONNECTED).doesNotContain(SLOW);
        assertThat(said.contains("WARNING")).as(said).isEqualTo(jdk.feature() >= 24);

        assertThat(run(jdk, arguments("java --enable-native-access=ALL")))
                .contains(CONNECTED)
                .doesNotContain("WARNING");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("io.verbs4j.testsupport.program.Jdk#all")
    void classPathWorksWithoutJnaAsDocumented(Jdk jdk) throws Exception {
        Path without = Files.createTempDirectory(scratch, "without");
        try (Stream<Path> jars = Files.list(lib)) {
            for (Path jar : jars.toList()) {
                if (!hasJna(jar)) {
                    Files.copy(jar, without.resolve(jar.getFileName()));
                }
            }
        }
        List<String> arguments = new ArrayList<>(arguments("java --enable-native-access=ALL"));
        arguments.replaceAll(word -> word.equals(lib + "/*") ? without + "/*" : word);
        assertHowItConnects(jdk, run(jdk, arguments));
    }

    private static boolean hasJna(Path jar) throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            return file.getEntry("com/sun/jna/Native.class") != null;
        }
    }

    /**
     * Requires that it works without JNA: by system calls if the JDK can make them, otherwise slowly with a warning.
     */
    private static void assertHowItConnects(Jdk jdk, String said) {
        assertThat(said).contains(CONNECTED);
        if (callsCItself(jdk)) {
            assertThat(said).doesNotContain(SLOW, "WARNING");
        } else {
            assertThat(said).containsOnlyOnce(SLOW);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("io.verbs4j.testsupport.program.Jdk#all")
    void modulePathConnectsWithoutJna(Jdk jdk) throws InterruptedException {
        assertThat(run(jdk, arguments("java -p lib --add-modules")))
                .contains(CONNECTED)
                .doesNotContain(SLOW);
        if (callsCItself(jdk)) {
            assertThat(run(jdk, arguments("java -p lib -m")))
                    .contains(CONNECTED)
                    .doesNotContain(SLOW);
            assertHowItConnects(jdk, run(jdk, arguments("java --enable-native-access=io")));
        } else {
            assertHowItConnects(jdk, run(jdk, arguments("java -p lib -m")));
        }
    }

    /** {@return the output of {@code jlink}} */
    private static String jlink(int expected, List<String> arguments) {
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        int status = ToolProvider.findFirst("jlink").orElseThrow().run(out, out, arguments.toArray(String[]::new));
        out.flush();
        assertThat(status).as("%s: %s", arguments, text).isEqualTo(expected);
        return text.toString();
    }

    /** {@return the page's command that starts with these words and creates an image} */
    private static List<String> image(String begin, Path image) {
        return new ArrayList<>(
                PackagingPage.arguments(begin, Map.of("lib", forImages.toString(), "image", image.toString())));
    }

    /** {@return the output of the program in an image, started by the page's command that starts with these words} */
    private static String runIn(Path image, String begin) throws InterruptedException {
        return run(new Jdk(Jdk.own().feature(), image), PackagingPage.arguments(begin, Map.of()));
    }

    @Test
    void imageWithoutProvidersExplainsHowToLink() throws InterruptedException {
        Path image = scratch.resolve("without");
        List<String> arguments = image(BOUND, image);
        assertThat(arguments.remove("--bind-services")).isTrue();
        jlink(0, arguments);

        assertThat(runIn(image, START))
                .contains("no providers found: this run-time image has none")
                .contains("link it with jlink --bind-services, or name each: --add-modules io.verbs4j.provider.rxe")
                .contains("failed: get_device: ENODEV")
                .doesNotContain("connected");
    }

    @Test
    void imageContainsNamedProviders() throws InterruptedException {
        Path image = scratch.resolve("named");
        jlink(0, image(NAMED, image));

        String said = runIn(image, START);
        assertThat(said).contains(CONNECTED);
        assertThat(said.contains(SLOW)).as(said).isEqualTo(Runtime.version().feature() < 22);
    }

    @Test
    void imageContainsJnaAsDocumented() throws InterruptedException {
        Path image = scratch.resolve("jna");
        jlink(0, image(WITH_JNA, image));

        assertThat(runIn(image, "image/bin/java --add-modules"))
                .contains(CONNECTED)
                .doesNotContain(SLOW);
    }

    /** Including all services of the JDK makes the image large. */
    @Test
    @Hours
    void imageWithServicesContainsProviders() throws InterruptedException {
        Path image = scratch.resolve("bound");
        jlink(0, image(BOUND, image));

        assertThat(runIn(image, START)).contains(CONNECTED);
    }

    @Test
    void jlinkSuggestsProviders() {
        assertThat(jlink(0, arguments("jlink -p lib --suggest")))
                .contains("io.verbs4j.provider.rxe provides io.verbs4j.spi.VerbsProvider used by io.verbs4j.core");
    }

    @Test
    void jlinkRefusesJnaWithoutDescriptor() {
        List<String> arguments = image(WITH_JNA, scratch.resolve("refused"));
        arguments.set(arguments.indexOf(forImages.toString()), lib.toString());
        assertThat(jlink(1, arguments)).contains("automatic module cannot be used with jlink: com.sun.jna");
    }
}
