/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.Native;
import io.verbs4j.compat.built.BuiltModules;
import io.verbs4j.compat.matrix.Jdk;
import io.verbs4j.compat.services.ChildJvm;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.Hours;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Jars in a folder, on the class path and the module path, and run-time images of them. */
@Full
class ModulesIT {
    private static final String SLOW = "through the JDK's channels";
    private static final String NAMED = "jlink -p lib --add-modules com.example,io";
    private static final String BOUND = "jlink -p lib --add-modules com.example --bind";

    @TempDir
    static Path scratch;

    private static Path lib;

    @BeforeAll
    static void fillTheFolder() throws Exception {
        List<Path> jars = new ArrayList<>(PackagedProgram.library());
        jars.add(BuiltModules.location(BuiltModules.RDMA_CORE));
        jars.add(BuiltModules.location(BuiltModules.RXE));
        jars.add(PackagedProgram.location(Native.class));
        lib = PackagedProgram.lib(scratch, PackagedProgram.compile(scratch), jars);
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
    @MethodSource("io.verbs4j.compat.matrix.Jdk#all")
    void theClassPathHasAll(Jdk jdk) throws InterruptedException {
        String said = run(jdk, arguments("java -cp"));
        assertThat(said).contains("connected by rxe_emb0").doesNotContain(SLOW);
        assertThat(said.contains("WARNING")).as(said).isEqualTo(jdk.isFeature("25"));

        assertThat(run(jdk, arguments("java --enable-native-access=ALL")))
                .contains("connected by rxe_emb0")
                .doesNotContain("WARNING");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("io.verbs4j.compat.matrix.Jdk#all")
    void theModulePathHasAllButJna(Jdk jdk) throws InterruptedException {
        assertThat(run(jdk, arguments("java -p lib")))
                .contains("connected by rxe_emb0")
                .doesNotContain(SLOW);
        if (jdk.isFeature("25")) {
            assertThat(run(jdk, arguments("java --enable-native-access=com")))
                    .contains("connected by rxe_emb0")
                    .doesNotContain("WARNING");
        }
        List<String> without = new ArrayList<>(arguments("java -p lib"));
        assertThat(without.remove("--add-modules") && without.remove("com.sun.jna"))
                .isTrue();
        assertThat(run(jdk, without)).contains("connected by rxe_emb0").containsOnlyOnce(SLOW);
    }

    /** What {@code jlink} answers. */
    private static String jlink(int expected, List<String> arguments) {
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        int status = ToolProvider.findFirst("jlink").orElseThrow().run(out, out, arguments.toArray(String[]::new));
        out.flush();
        assertThat(status).as("%s: %s", arguments, text).isEqualTo(expected);
        return text.toString();
    }

    /** The page's command that begins so, which makes an image. */
    private static List<String> image(String begin, Path image) {
        return new ArrayList<>(
                PackagingPage.arguments(begin, Map.of("lib", lib.toString(), "image", image.toString())));
    }

    private static String runIn(Path image) throws InterruptedException {
        return run(new Jdk("of " + image, image), PackagingPage.arguments("image/bin/java", Map.of()));
    }

    @Test
    void anImageWithoutProvidersSaysHowToLinkIt() throws InterruptedException {
        Path image = scratch.resolve("without");
        List<String> arguments = image(BOUND, image);
        assertThat(arguments.remove("--bind-services")).isTrue();
        jlink(0, arguments);

        assertThat(runIn(image))
                .contains("no providers found: this run-time image has none")
                .contains("link it with jlink --bind-services, or name each: --add-modules io.verbs4j.provider.rxe")
                .contains("failed: get_device: ENODEV")
                .doesNotContain("connected");
    }

    @Test
    void anImageHasTheProvidersThatAreNamed() throws InterruptedException {
        Path image = scratch.resolve("named");
        jlink(0, image(NAMED, image));

        assertThat(runIn(image)).contains("connected by rxe_emb0").containsOnlyOnce(SLOW);
    }

    /** All services of the JDK make the image large. */
    @Test
    @Hours
    void anImageWithServicesHasTheProviders() throws InterruptedException {
        Path image = scratch.resolve("bound");
        jlink(0, image(BOUND, image));

        assertThat(runIn(image)).contains("connected by rxe_emb0").containsOnlyOnce(SLOW);
    }

    @Test
    void jlinkNamesTheProvidersThatThereAre() {
        assertThat(jlink(0, arguments("jlink -p lib --suggest")))
                .contains("io.verbs4j.provider.rxe provides io.verbs4j.spi.VerbsProvider used by io.verbs4j.core");
    }

    @Test
    void jlinkRefusesJnaWithoutADescriptor() {
        List<String> arguments = image(NAMED, scratch.resolve("refused"));
        arguments.set(arguments.indexOf("com.example,io.verbs4j.provider.rxe"), "com.example,com.sun.jna");
        assertThat(jlink(1, arguments)).contains("automatic module cannot be used with jlink: com.sun.jna");
    }
}
