/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.field;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.VerbsLevel;
import io.verbs4j.compat.built.Javac;
import io.verbs4j.compat.services.ChildJvm;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.program.Jdk;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Broken providers in jars, next to a library: each is set aside or contained with its own message, and the good
 * provider beside it opens its device.
 */
@Full
class FieldFailuresIT {
    /** Tries one path after another, each in its own class loader. */
    private static final String PROGRAM = """
            package app;
            import java.net.*; import java.nio.file.*; import java.util.*;
            public final class Field {
                public static void main(String[] paths) throws Exception {
                    for (String path : paths) {
                        List<URL> urls = new ArrayList<>();
                        for (String entry : path.split(java.io.File.pathSeparator)) {
                            urls.add(Path.of(entry).toUri().toURL());
                        }
                        URL[] all = urls.toArray(URL[]::new);
                        ClassLoader loader = new URLClassLoader(all, ClassLoader.getPlatformClassLoader());
                        Thread.currentThread().setContextClassLoader(loader);
                        System.out.println("== next");
                        loader.loadClass("app.Trial").getMethod("main", String[].class)
                                .invoke(null, (Object) new String[0]);
                    }
                }
            }
            """;

    private static final String TRIAL = """
            package app;
            import io.verbs4j.*; import io.verbs4j.core.*; import java.util.*;
            public final class Trial {
                public static void main(String[] none) {
                    long start = System.nanoTime();
                    List<Device> devices = List.of();
                    try { devices = Verbs.devices(); }
                    catch (VerbsException e) {
                        System.out.println("devices " + e.getMessage().replace('\\n', ' '));
                        try { System.out.println("default " + Verbs.defaultDevice()); }
                        catch (VerbsException f) {
                            System.out.println("default " + f.getMessage().replace('\\n', ' '));
                        }
                    }
                    if (System.nanoTime() - start > 600_000_000L) System.out.println("slow: waited for");
                    Verbs.report().entries().forEach(e -> System.out.println(e.toString().replace('\\n', ' ')));
                    devices.stream().filter(d -> d.name().equals("broken0")).forEach(Trial::use);
                    devices.stream().filter(d -> d.name().equals("good0")).forEach(d -> {
                        try (Context c = Verbs.open(d, VerbsLevel.CURRENT)) {
                            c.allocPd().close();
                            System.out.println("good0 works");
                        } catch (VerbsException e) { System.out.println("good0 " + e.getMessage()); }
                    });
                }
                static void use(Device device) {
                    String verb = "open_device";
                    try (Context c = Verbs.open(device, VerbsLevel.CURRENT)) {
                        verb = "alloc_pd";
                        step(verb, c::allocPd);
                        verb = "open_xrcd";
                        step(verb, () -> c.openXrcd(new XrcdInitAttr().file(null).oflags(XrcdOpenFlags.CREAT)));
                    } catch (VerbsException e) {
                        System.out.println(verb + " " + Errno.name(e.errno()) + " " + e.getMessage());
                    }
                }
                static void step(String verb, Runnable body) {
                    try { body.run(); System.out.println(verb + " works"); }
                    catch (VerbsException e) {
                        System.out.println(verb + " " + Errno.name(e.errno()) + " " + e.getMessage());
                    }
                }
            }
            """;

    private static final String GOOD = """
            package good; import io.verbs4j.*; import io.verbs4j.spi.*; import java.util.*;
            public class Provider implements VerbsProvider {
                static final Device DEVICE = new Device("good0", 1, 1, 0) {};
                public String name() { return "good"; } public int level() { return 1; }
                public int minimumLibraryLevel() { return 1; }
                public List<? extends Device> devices() { return List.of(DEVICE); }
                public ContextOps openDevice(Device d, Context c) { return new ContextOps() {
                    public ProtectionDomain allocPd() { return new ProtectionDomain(c) {}; }
                    public void deallocPd(ProtectionDomain pd) {} }; } }
            """;

    private static final Jdk JDK = Jdk.own();

    @TempDir
    static Path scratch;

    private static Path jars;
    private static Path good;
    private static Path trial;
    private static final List<List<String>> SAID = new ArrayList<>();

    static List<Kind> kinds() {
        return Kinds.all();
    }

    @BeforeAll
    static void tryThemAll() throws Exception {
        jars = Path.of(System.getProperty("verbs4j.jars"));
        String library = path(jars.resolve("verbs-spi.jar"), jars.resolve("verbs-core.jar"));
        trial = scratch.resolve("trial");
        Javac.compile(Map.of("app/Trial.java", TRIAL, "app/Field.java", PROGRAM), trial, List.of("-cp", library));
        Path classes = scratch.resolve("good");
        Javac.compile(Map.of("good/Provider.java", GOOD), classes, List.of("-cp", library));
        Path services = classes.resolve("META-INF/services/io.verbs4j.spi.VerbsProvider");
        Files.createDirectories(services.getParent());
        Files.writeString(services, "good.Provider\n");
        good = classes;

        List<String> arguments = new ArrayList<>(List.of("-cp", trial.toString()));
        arguments.add("-Dfield.foreign=" + foreignLibrary());
        arguments.add("-Dfield.garbage=" + Files.writeString(scratch.resolve("garbage.so"), "no library"));
        arguments.add("app.Field");
        for (Kind kind : kinds()) {
            Path folder = Files.createDirectories(scratch.resolve(kind.name.replaceAll("\\W", "-")));
            Path jar = kind.jar(folder, jars.resolve("verbs-spi.jar"));
            arguments.add(path(trial, jars.resolve("verbs-spi.jar"), jars.resolve("verbs-core.jar"), good, jar));
        }
        ChildJvm jvm = ChildJvm.run(JDK, scratch, arguments);
        assertThat(jvm.status()).as("%s", jvm).isZero();
        for (String line : jvm.out()) {
            if (line.equals("== next")) {
                SAID.add(new ArrayList<>());
            } else {
                SAID.get(SAID.size() - 1).add(line);
            }
        }
        for (int i = 0; i < SAID.size(); i++) {
            System.out.printf("%-36s %s%n", kinds().get(i).name, decisive(i));
        }
    }

    /** Returns an ELF file whose header names a foreign machine. */
    private static Path foreignLibrary() throws IOException {
        byte[] elf = new byte[256];
        byte[] start = {0x7f, 'E', 'L', 'F', 2, 1, 1};
        System.arraycopy(start, 0, elf, 0, start.length);
        elf[16] = 3; // a shared object
        elf[18] = 0x16; // for a mainframe
        elf[20] = 1;
        elf[52] = 64;
        return Files.write(scratch.resolve("foreign.so"), elf);
    }

    private static String path(Path... entries) {
        return String.join(
                File.pathSeparator, Arrays.stream(entries).map(Path::toString).toList());
    }

    /** {@return the line about the broken provider} */
    private static String decisive(int index) {
        List<String> words = kinds().get(index).words;
        return SAID.get(index).stream()
                .filter(line -> words.stream().anyMatch(line::contains))
                .findFirst()
                .orElse("-");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("kinds")
    void brokenProviderIsReportedAndGoodOneWorks(Kind kind) {
        int index = kinds().stream().map(k -> k.name).toList().indexOf(kind.name);
        List<String> said = SAID.get(index);

        assertThat(String.join("\n", said)).contains(kind.words);
        assertThat(said).contains("good0 works");
    }

    @Test
    void kindsAreManyAndDistinct() {
        assertThat(kinds().stream().map(k -> k.name))
                .hasSizeGreaterThanOrEqualTo(30)
                .doesNotHaveDuplicates();
        assertThat(SAID).hasSameSizeAs(kinds());
    }

    private static ChildJvm onClassPath(Path... entries) throws InterruptedException {
        return ChildJvm.run(JDK, scratch, List.of("-cp", path(entries), "app.Trial"));
    }

    @Test
    void truncatedJarOnClassPathIsNamed() throws Exception {
        Path whole = jars.resolve("provider-rxe.jar");
        byte[] bytes = Files.readAllBytes(whole);
        Path cut = Files.write(scratch.resolve("cut-provider.jar"), Arrays.copyOf(bytes, bytes.length / 2));

        ChildJvm jvm = onClassPath(trial, jars.resolve("verbs-spi.jar"), jars.resolve("verbs-core.jar"), cut, good);

        assertThat(String.join("\n", jvm.out()))
                .as("%s", jvm)
                .contains("cut-provider.jar", "can't be read as a jar", "download it again", "good0 works");
    }

    /** Maven's nearest-wins resolution can put an older header below a newer program and library. */
    @Test
    void everyEntryPointReportsHeaderOlderThanLibrary() throws Exception {
        Path old = Path.of("frozen/level-1/verbs-spi-1.0.0.jar").toAbsolutePath();
        Path library = jars.resolve("verbs-core.jar");

        ChildJvm jvm = onClassPath(trial, old, jars.resolve("verbs-spi.jar"), library, good);

        String diagnosis = "EPROTO: the library (verbs-core from " + library + ") was compiled for level "
                + VerbsLevel.CURRENT + ", but the loaded header"
                + " (verbs-spi) is level 1, from " + old
                + "; put verbs-spi of at least level " + VerbsLevel.CURRENT + " before it on"
                + " the path, or align the versions of the io.verbs4j jars";
        assertThat(jvm.out())
                .as("%s", jvm)
                .contains("devices get_device_list: " + diagnosis, "default get_device: " + diagnosis);
    }

    /** The provider is set aside, which would otherwise leave the program with an empty list. */
    @Test
    void programIsToldOfHeaderOlderThanProvider() throws Exception {
        Path old = Path.of("frozen/level-1/verbs-spi-1.0.0.jar").toAbsolutePath();
        Path library = Path.of("frozen/level-1/verbs-core-1.0.0.jar").toAbsolutePath();
        Path provider = jars.resolve("provider-rxe.jar");
        Path natives = jars.resolve("verbs-native.jar");
        Path binding = jars.resolve("verbs-rdma-core.jar");

        ChildJvm jvm = onClassPath(trial, old, library, provider, natives, binding);

        assertThat(jvm.status()).as("%s", jvm).isZero();
        for (String way : List.of("devices get_device_list", "default get_device")) {
            assertThat(jvm.out())
                    .as("%s", jvm)
                    .anySatisfy(line -> assertThat(line)
                            .startsWith(
                                    way + ": EPROTO: there is no device, because the header (verbs-spi) is older than"
                                            + " a provider")
                            .contains("RxeProvider", provider.toString(), "is of level 1, from " + old)
                            .contains("before it on the path, or align the versions of the io.verbs4j jars"));
        }
        // If another provider has a device, the program continues and only the report mentions it.
        jvm = onClassPath(trial, old, library, provider, natives, binding, good);
        assertThat(String.join("\n", jvm.out())).as("%s", jvm).contains("set aside", "RxeProvider", "good0");
    }

    /** An older provider has a method whose name the header has taken since: the newest header must not be blamed. */
    @Test
    void providerOlderThanNewestHeaderIsBlamed() throws Exception {
        Path header = jars.resolve("verbs-spi.jar");
        Path classes = scratch.resolve("taken");
        String provider = GOOD.replace("package good;", "package taken;")
                .replace("\"good0\", 1, 1, 0) {}", "\"taken0\", 1, 1, 0) { public long guid() { return 7; } }")
                .replace("return \"good\"", "return \"taken\"");
        // Compiled against a header that lacks the method.
        String device =
                "package io.verbs4j; public class Device { protected Device(String n, long g, int t, int p) {} }";
        Javac.compile(
                Map.of("taken/Provider.java", provider, "io/verbs4j/Device.java", device),
                classes,
                List.of("-cp", header.toString()));
        Files.delete(classes.resolve("io/verbs4j/Device.class"));
        Path services = classes.resolve("META-INF/services/io.verbs4j.spi.VerbsProvider");
        Files.createDirectories(services.getParent());
        Files.writeString(services, "taken.Provider\n");

        ChildJvm jvm = onClassPath(trial, header, jars.resolve("verbs-core.jar"), classes, good);

        assertThat(String.join("\n", jvm.out()))
                .as("%s", jvm)
                .contains("taken.Provider from " + classes, "overrides final method io.verbs4j.Device.guid")
                .contains("the provider was built for an older header (verbs-spi) than the loaded one")
                .contains(
                        "which is level " + VerbsLevel.CURRENT + ", from " + header,
                        "use a newer release of the provider")
                .contains("the header is not at fault", "good0 works")
                .doesNotContain("put the newest", "built for a newer one");
    }
}
