/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.VerbsLevel;
import io.verbs4j.core.Compiled;
import io.verbs4j.core.base.Origin;
import io.verbs4j.core.base.ProviderIdentity;
import io.verbs4j.testsupport.Patience;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Providers that are broken in one way or another, loaded by ServiceLoader in earnest. */
@Timeout(Patience.TEST_SECONDS)
class DiscoveryTest {
    private static final ExcludeList NOTHING = new ExcludeList(null);

    @TempDir
    static Path directory;

    private static Path classes;
    private static final List<URLClassLoader> LOADERS = new ArrayList<>();

    @BeforeAll
    static void compileProviders() throws IOException {
        Compiled all = new Compiled(directory);
        all.provider("Good", "");
        all.provider("Better", "");
        all.provider("Throws", "public Throws() { throw new IllegalStateException(\"oops\"); }");
        all.provider("ThrowsInStatic", "static { if (true) throw new IllegalStateException(\"static oops\"); }");
        all.provider("NeedsNative", "public NeedsNative() { System.loadLibrary(\"verbs4j-does-not-exist\"); }");
        all.provider("OutOfMemory", "public OutOfMemory() { throw new OutOfMemoryError(\"for the test\"); }");
        all.provider("Internal", "public Internal() { throw new InternalError(\"oops\"); }");
        all.provider("Unknown", "public String name() { throw new UnknownError(\"oops\"); }");
        all.provider("Deep", "public Deep() { down(0); } int down(int i) { return down(i + 1) + 1; }");
        all.provider("Private", "private Private() {}");
        all.provider("NameNull", "public String name() { return null; }");
        all.provider("NameUpper", "public String name() { return \"Mlx5\"; }");
        all.provider("NameEmpty", "public String name() { return \"\"; }");
        all.provider("NameThrows", "public String name() { throw new IllegalStateException(\"oops\"); }");
        all.provider("LevelZero", "public int level() { return 0; }");
        all.provider("LevelThrows", "public int level() { throw new AssertionError(\"oops\"); }");
        all.provider("MinimumZero", "public int minimumLibraryLevel() { return 0; }");
        all.provider("MinimumAboveLevel", "public int minimumLibraryLevel() { return 2; }");
        all.provider(
                "MinimumThrows", "public int minimumLibraryLevel() { throw new IllegalStateException(\"oops\"); }");
        all.provider("Newer", "public int level() { return 5; } public int minimumLibraryLevel() { return 5; }");
        all.provider("NewerHeader", "public int level() { return 5; }");
        all.provider("SameName", "public String name() { return \"good\"; }");
        all.provider(
                "DevicesThrow",
                "public List<? extends Device> devices() { throw new IllegalStateException(\"oops\"); }");
        all.source("package broken; public class Base {}");
        all.source("package broken; public class Missing {}");
        all.source("package broken; public class NotAProvider {}");
        all.source("""
                package broken; import io.verbs4j.*; import io.verbs4j.spi.*; import java.util.*;
                public class NeedsBase extends Base implements VerbsProvider {
                  public String name() { return "needs-base"; } public int level() { return 1; }
                  public int minimumLibraryLevel() { return 1; }
                  public List<? extends Device> devices() { return List.of(); }
                  public ContextOps openDevice(Device d, Context c) { return null; } }""");
        all.source("package io.verbs4j.spi; public class LaterProvider {}");
        all.source("""
                package broken; import io.verbs4j.*; import io.verbs4j.spi.*; import java.util.*;
                public class NeedsHeader extends LaterProvider implements VerbsProvider {
                  public String name() { return "needs-header"; } public int level() { return 9; }
                  public int minimumLibraryLevel() { return 1; }
                  public List<? extends Device> devices() { return List.of(); }
                  public ContextOps openDevice(Device d, Context c) { return null; } }""");
        all.compile("-classpath", Compiled.header().toString());
        all.delete("io/verbs4j/spi/LaterProvider.class");
        all.delete("broken/Base.class").delete("broken/Missing.class");
        classes = all.classes();
    }

    @AfterAll
    static void closeLoaders() throws IOException {
        for (URLClassLoader loader : LOADERS) {
            loader.close();
        }
    }

    /** A directory with nothing but a registration of these classes. */
    private static URL registration(String... lines) {
        try {
            Path root = Files.createTempDirectory(directory, "services");
            Path file = root.resolve("META-INF/services/io.verbs4j.spi.VerbsProvider");
            Files.createDirectories(file.getParent());
            Files.write(file, List.of(lines));
            return Compiled.url(root);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static URLClassLoader loader(ClassLoader parent, URL... urls) {
        URLClassLoader loader = new URLClassLoader(urls, parent);
        LOADERS.add(loader);
        return loader;
    }

    /** What is found where these classes are registered. */
    private static List<DiscoveredProvider> discover(ExcludeList excluded, String... classNames) {
        ClassLoader own = DiscoveryTest.class.getClassLoader();
        return Discovery.run(
                excluded, TimeLimit.ofProperty(), loader(own, Compiled.url(classes), registration(classNames)), own);
    }

    private static List<String> names(List<DiscoveredProvider> found) {
        return found.stream()
                .map(f -> f.identity().className() + (f.usable() ? " used" : " aside"))
                .toList();
    }

    @Test
    void providersAreFoundInRegistrationOrder() {
        List<DiscoveredProvider> found = discover(NOTHING, "broken.Better", "broken.Good");

        assertThat(names(found)).containsExactly("broken.Better used", "broken.Good used");
        ProviderIdentity identity = found.get(1).identity();
        assertThat(identity.name()).isEqualTo("good");
        assertThat(identity.level()).isEqualTo(1);
        assertThat(identity.minimumLibraryLevel()).isEqualTo(1);
        assertThat(identity.location()).isEqualTo(classes.toString());
        assertThat(found.get(1).reason()).isEmpty();
        assertThat(found.get(1).provider().name()).isEqualTo("good");
    }

    static Stream<Arguments> broken() {
        return Stream.of(
                Arguments.of("broken.DoesNotExist", List.of("loading it", "not found", "fix or")),
                Arguments.of("broken.Throws", List.of("its constructor", "IllegalStateException: oops", "fix or")),
                Arguments.of("broken.ThrowsInStatic", List.of("its constructor", "static oops")),
                Arguments.of(
                        "broken.NeedsNative", List.of("its constructor", "verbs4j-does-not-exist", "native library")),
                Arguments.of("broken.Deep", List.of("its constructor", "StackOverflowError")),
                Arguments.of(
                        "broken.OutOfMemory",
                        List.of("its constructor", "OutOfMemoryError: for the test", "more memory")),
                Arguments.of("broken.Internal", List.of("its constructor", "InternalError: oops", "fix or")),
                Arguments.of("broken.Unknown", List.of("name()", "UnknownError: oops", "fix or")),
                Arguments.of("broken.Private", List.of("loading it", "public constructor without arguments")),
                Arguments.of("broken.NotAProvider", List.of("loading it", "not a subtype")),
                Arguments.of(
                        "broken.NeedsBase",
                        List.of("loading it", "NoClassDefFoundError: broken/Base", "put its dependencies on the path")),
                Arguments.of(
                        "broken.NeedsHeader",
                        List.of(
                                "NoClassDefFoundError: io/verbs4j/spi/LaterProvider",
                                "the loaded header (verbs-spi) is level " + VerbsLevel.runtime(),
                                "built for a newer one",
                                "Put the newest verbs-spi before it")),
                Arguments.of("broken.NameNull", List.of("its name is null")),
                Arguments.of("broken.NameUpper", List.of("its name is 'Mlx5'", "lower-case")),
                Arguments.of("broken.NameEmpty", List.of("its name is ''")),
                Arguments.of("broken.NameThrows", List.of("name()", "oops")),
                Arguments.of("broken.LevelZero", List.of("level 0", "from level 1")),
                Arguments.of("broken.LevelThrows", List.of("level()", "AssertionError: oops")),
                Arguments.of("broken.MinimumZero", List.of("minimumLibraryLevel is 0")),
                Arguments.of("broken.MinimumAboveLevel", List.of("minimumLibraryLevel is 2", "1 to its level, 1")),
                Arguments.of("broken.MinimumThrows", List.of("minimumLibraryLevel()", "oops")),
                Arguments.of(
                        "broken.Newer", List.of("library too old: needs level 5", "is level 4", "newer verbs-core")),
                Arguments.of(
                        "broken.NewerHeader",
                        List.of("written for level 5", "is level 4", Origin.of(VerbsLevel.class), "at least level 5")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("broken")
    void brokenProviderIsSetAsideAndOthersWork(String className, List<String> reason) {
        List<DiscoveredProvider> found = discover(NOTHING, "broken.Good", className, "broken.Better");

        assertThat(names(found))
                .containsExactlyInAnyOrder("broken.Good used", className + " aside", "broken.Better used");
        DiscoveredProvider aside =
                found.stream().filter(f -> !f.usable()).findFirst().orElseThrow();
        assertThat(aside.reason()).contains(reason);
        assertThat(aside.identity().location()).isNotEqualTo(Origin.UNKNOWN);
    }

    @Test
    void providerThatFailsLaterIsReported() {
        List<DiscoveredProvider> found = discover(NOTHING, "broken.DevicesThrow", "broken.Good");

        Report report = new Library(() -> found, TimeLimit::ofProperty).report();

        assertThat(report.entries().get(0).identity().name()).isEqualTo("devicesthrow");
        assertThat(report.entries().get(0).used()).isFalse();
        assertThat(report.entries().get(0).reason()).contains("devices()", "oops");
        assertThat(report.entries().get(1).used()).isTrue();
    }

    @Test
    void allBrokenProvidersAreNamed() {
        String[] all = Stream.concat(broken().map(a -> (String) a.get()[0]), Stream.of("broken.Good"))
                .toArray(String[]::new);

        List<DiscoveredProvider> found = discover(NOTHING, all);

        assertThat(found.stream().map(f -> f.identity().className()))
                .containsExactlyInAnyOrder(all)
                .hasSize(all.length);
    }

    @Test
    void firstOfTwoProvidersWithSameNameIsUsed() {
        List<DiscoveredProvider> found = discover(NOTHING, "broken.Good", "broken.SameName");

        assertThat(names(found)).containsExactly("broken.Good used", "broken.SameName aside");
        assertThat(found.get(1).reason()).contains("'good'", "broken.Good from " + classes, "io.verbs4j.exclude");
        assertThat(names(discover(NOTHING, "broken.SameName", "broken.Good")))
                .containsExactly("broken.SameName used", "broken.Good aside");
    }

    @Test
    void excludedProviderIsNotCreated() {
        ExcludeList list = new ExcludeList("broken.OutOfMemory,broken.Good");

        List<DiscoveredProvider> found = discover(list, "broken.OutOfMemory", "broken.Good", "broken.SameName");

        assertThat(names(found))
                .containsExactly("broken.OutOfMemory aside", "broken.Good aside", "broken.SameName used");
        assertThat(found.get(0).reason()).contains("excluded by the system property io.verbs4j.exclude");
        assertThat(found.get(0).identity().name()).isEqualTo("?");
    }

    @Test
    void unloadableExcludedProviderIsReportedAsExcluded() {
        List<DiscoveredProvider> found =
                discover(new ExcludeList("broken.*"), "broken.NeedsBase", "broken.DoesNotExist");

        assertThat(names(found)).containsExactly("broken.NeedsBase aside", "broken.DoesNotExist aside");
        assertThat(found).allSatisfy(f -> assertThat(f.reason()).contains("excluded"));
    }

    @Test
    void invalidRegistrationIsReported() {
        List<DiscoveredProvider> found = discover(NOTHING, "no class name");

        assertThat(found).hasSize(1);
        assertThat(found.get(0).identity().className()).isEqualTo("?");
        assertThat(found.get(0).reason()).contains("META-INF/services", "Illegal");
    }

    @Test
    void endlesslyFailingLoaderIsGivenUp() {
        ClassLoader broken = new ClassLoader(DiscoveryTest.class.getClassLoader()) {
            @Override
            public Enumeration<URL> getResources(String name) throws IOException {
                throw new IOException("the disk is gone");
            }
        };

        List<DiscoveredProvider> found =
                Discovery.run(NOTHING, TimeLimit.ofProperty(), broken, DiscoveryTest.class.getClassLoader());

        assertThat(found).hasSizeLessThan(5);
        assertThat(found.get(0).reason()).contains("the disk is gone");
        assertThat(found.get(found.size() - 1).reason()).contains("stopped after 64 errors");
    }

    @Test
    void lastProviderIsFoundAfterManyMissingOnes() {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < 1500; i++) {
            lines.add("broken.Missing" + i);
        }
        lines.add("broken.Good");

        List<DiscoveredProvider> found = discover(NOTHING, lines.toArray(String[]::new));

        assertThat(names(found)).contains("broken.Good used", "broken.Missing0 aside", "broken.Missing999 aside");
        assertThat(found.get(found.size() - 1).reason()).startsWith("500 more could not be loaded");
        assertThat(found).hasSize(1002);
    }

    @Test
    void bothLoadersAreSearchedWithoutDuplicates() {
        ClassLoader own = DiscoveryTest.class.getClassLoader();
        ClassLoader common = loader(own, Compiled.url(classes));
        ClassLoader first = loader(common, registration("broken.Good", "broken.DoesNotExist"));
        ClassLoader second = loader(common, registration("broken.Good", "broken.Better"));

        assertThat(names(Discovery.run(NOTHING, TimeLimit.ofProperty(), first, second)))
                .containsExactly("broken.Good used", "broken.DoesNotExist aside", "broken.Better used");
        assertThat(names(Discovery.run(NOTHING, TimeLimit.ofProperty(), null, second)))
                .containsExactly("broken.Good used", "broken.Better used");
    }

    @Test
    void errorOfBothLoadersIsReportedOnce() {
        ClassLoader own = DiscoveryTest.class.getClassLoader();
        URL registration = registration("broken.DoesNotExist");

        assertThat(names(Discovery.run(
                        NOTHING, TimeLimit.ofProperty(), loader(own, registration), loader(own, registration))))
                .containsExactly("broken.DoesNotExist aside");
    }

    @Test
    void loaderBelowLibraryLoaderIsSearchedOnce() {
        int[] asked = {0};
        ClassLoader own = new ClassLoader(DiscoveryTest.class.getClassLoader()) {
            @Override
            public Enumeration<URL> getResources(String name) {
                asked[0]++;
                return Collections.emptyEnumeration();
            }
        };

        Discovery.run(NOTHING, TimeLimit.ofProperty(), loader(own, registration()), own);

        assertThat(asked[0]).isEqualTo(1);
    }

    @Test
    void jarIsReportedAsLocation() throws Exception {
        Path jar = directory.resolve("good.jar");
        try (var out = new JarOutputStream(Files.newOutputStream(jar))) {
            for (String name : List.of("broken/Good.class", "META-INF/services/io.verbs4j.spi.VerbsProvider")) {
                out.putNextEntry(new ZipEntry(name));
                byte[] registration =
                        "broken.Good # the good one\nbroken.NotInTheJar\n".getBytes(StandardCharsets.UTF_8);
                out.write(name.endsWith(".class") ? Files.readAllBytes(classes.resolve(name)) : registration);
            }
        }
        ClassLoader own = DiscoveryTest.class.getClassLoader();

        List<DiscoveredProvider> found =
                Discovery.run(NOTHING, TimeLimit.ofProperty(), loader(own, Compiled.url(jar)), own);

        assertThat(found.stream()
                        .collect(Collectors.toMap(
                                f -> f.identity().className(), f -> f.identity().location())))
                .containsEntry("broken.Good", jar.toString())
                .containsEntry("broken.NotInTheJar", jar.toString());
    }
}
