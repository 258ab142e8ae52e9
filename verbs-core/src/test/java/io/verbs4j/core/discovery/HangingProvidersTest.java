/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.core.Background;
import io.verbs4j.core.Compiled;
import io.verbs4j.core.Fakes;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.Patience;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Providers that do not return, found by ServiceLoader in earnest. */
@Tag("attack")
@Timeout(Patience.TEST_SECONDS)
class HangingProvidersTest {
    /** Short for those that hang, long for the good ones on a busy machine. */
    private static final TimeLimit LIMIT = new TimeLimit(4_000_000_000L);

    /** Waits for ever, whatever interrupts it, until the test ends. */
    private static final String HANG = "Released.hang();";

    private static final List<String> HANGING =
            List.of("InConstructor", "InInitialiser", "InName", "InLevel", "InDevices", "InList");

    @TempDir
    static Path directory;

    private static URLClassLoader loader;

    @BeforeAll
    static void compile() throws Exception {
        Compiled all = new Compiled(directory);
        all.source("""
                package broken; import java.util.concurrent.CountDownLatch;
                public class Released {
                  public static final CountDownLatch LATCH = new CountDownLatch(1);
                  static void hang() {
                    while (LATCH.getCount() > 0) {
                      try { LATCH.await(); } catch (InterruptedException e) { /* on and on */ } } } }""");
        all.provider(
                "Good",
                "public List<? extends Device> devices() { return List.of(new Device(\"good0\", 1, 1, 0) {}); }");
        all.provider("Ending", "");
        all.provider("InConstructor", "public InConstructor() { " + HANG + " }");
        all.provider("InInitialiser", "static { " + HANG + " }");
        all.provider("InName", "public String name() { " + HANG + " return \"in-name\"; }");
        all.provider("InLevel", "public int level() { " + HANG + " return 1; }");
        all.provider("InDevices", "public List<? extends Device> devices() { " + HANG + " return List.of(); }");
        all.provider("InList", """
                public List<? extends Device> devices() { return new AbstractList<Device>() {
                  public int size() { Released.hang(); return 0; }
                  public Device get(int i) { return null; } }; }""");
        all.provider("Endless", """
                public List<? extends Device> devices() { return new AbstractList<Device>() {
                  public int size() { return Integer.MAX_VALUE; }
                  public Device get(int i) { return new Device("endless" + i, 1, 1, 0) {}; } }; }""");
        all.provider("Loader", """
                public String name() {
                  ClassLoader loader = Thread.currentThread().getContextClassLoader();
                  if (loader == null) return "none";
                  return loader == Loader.class.getClassLoader() ? "its-own" : "another"; }""");
        for (String name : List.of("OneThread", "SameThread")) {
            all.provider(name, "public String name() { return \"t\" + Thread.currentThread().getId(); }");
        }
        all.compile("-classpath", Compiled.header().toString());
        loader = new URLClassLoader(
                new URL[] {Compiled.url(all.classes())}, HangingProvidersTest.class.getClassLoader());
    }

    @AfterAll
    static void release() throws Exception {
        ((CountDownLatch) loader.loadClass("broken.Released").getField("LATCH").get(null)).countDown();
        loader.close();
    }

    /** Providers with nothing but these registered. */
    private static List<DiscoveredProvider> discover(TimeLimit limit, String... names) throws IOException {
        ClassLoader own = HangingProvidersTest.class.getClassLoader();
        Compiled services = new Compiled(directory.resolve(String.join("-", names)));
        services.services(
                String.join("\n", Arrays.stream(names).map(n -> "broken." + n).toList()));
        try (URLClassLoader registered = new URLClassLoader(new URL[] {Compiled.url(services.classes())}, loader)) {
            return Discovery.run(new ExcludeList(null), limit, registered, own);
        }
    }

    private static Library library(String... names) {
        return new Library(
                () -> {
                    try {
                        return discover(LIMIT, names);
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                },
                () -> LIMIT);
    }

    private static List<Thread> threadsOf(String name) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(t -> t.getName().equals("verbs4j-provider-" + name))
                .toList();
    }

    @Test
    void hangingProviderIsNamedAndOthersWork() throws Exception {
        List<Background<Report>> reports = new ArrayList<>();
        for (String name : HANGING) {
            Library library = library(name, "Good");
            reports.add(Background.call(() -> {
                assertThat(library.devices()).extracting(d -> d.name()).containsExactly("good0");
                return library.report();
            }));
        }
        for (int i = 0; i < HANGING.size(); i++) {
            Report.Entry aside = reports.get(i).result().entries().get(0);
            assertThat(aside.used()).isFalse();
            assertThat(aside.identity().className()).isEqualTo("broken." + HANGING.get(i));
            assertThat(aside.identity().location())
                    .isEqualTo(directory.resolve("classes").toString());
            assertThat(aside.reason())
                    .contains("has not returned within 4 s (it is at broken.Released.hang, line ")
                    .contains("-Dio.verbs4j.exclude", "-Dio.verbs4j.provider.timeout=SECONDS")
                    .startsWith(
                            List.of("its constructor", "its constructor", "name()", "level()", "devices()", "devices()")
                                    .get(i));
        }
        // One thread each, which keeps no JVM from ending.
        for (String name : List.of("broken.InConstructor", "broken.InInitialiser", "broken.InName", "indevices")) {
            assertThat(threadsOf(name)).hasSize(1).allMatch(Thread::isDaemon);
        }
    }

    @Test
    @Full
    void hangingProviderIsNotAskedAgainUntilItReturns() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        Fakes.FakeProvider slow = new Fakes.FakeProvider("slow", new Fakes.FakeDevice("s0"));
        slow.listing(() -> {
            while (answer.getCount() > 0) {
                try {
                    answer.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
            return slow.devices;
        });
        DiscoveredProvider found = slow.found();
        Fakes.FakeProvider good = new Fakes.FakeProvider("good", new Fakes.FakeDevice("g0"));
        Library library = new Library(() -> List.of(found, good.found()), () -> LIMIT);

        assertThat(library.devices()).containsExactlyElementsOf(good.devices);
        assertThat(library.report().entries().get(0).reason()).startsWith("devices() has not returned within 4 s");
        for (int i = 0; i < 20; i++) {
            assertThat(library.devices()).containsExactlyElementsOf(good.devices);
        }
        assertThat(library.report().entries().get(0).reason())
                .startsWith("devices() has not returned from the previous call (it is at ");
        assertThat(threadsOf("slow")).hasSize(1);

        Thread asked = threadsOf("slow").get(0);
        answer.countDown();
        asked.join();
        assertThat(library.devices()).hasSize(2);
        assertThat(library.report().entries()).allMatch(Report.Entry::used);
    }

    @Test
    void endlessListIsReported() {
        Library library = library("Endless", "Good");

        assertThat(library.devices()).extracting(d -> d.name()).containsExactly("good0");
        assertThat(library.report().entries().get(0).reason()).contains("does not end");
    }

    @Test
    void providerRunsWithCallersClassLoader() throws Exception {
        Background<String> asked = Background.call(() -> {
            Thread.currentThread().setContextClassLoader(loader);
            return discover(LIMIT, "Loader").get(0).identity().name();
        });
        assertThat(asked.result()).isEqualTo("its-own");

        Background<String> without = Background.call(() -> {
            Thread.currentThread().setContextClassLoader(null);
            return discover(LIMIT, "Loader").get(0).identity().name();
        });
        assertThat(without.result()).isEqualTo("none");
    }

    @Test
    void answeringProvidersLeaveNoThread() throws InterruptedException {
        Library library = library("Ending");
        library.devices();

        for (String name : List.of("ending", "broken.Ending")) {
            for (Thread thread : threadsOf(name)) {
                thread.join(); // it has answered, and may need a moment more
            }
        }
        assertThat(library.report().entries().get(0).used()).isTrue();
    }

    @Test
    void answeringProvidersShareThread() throws Exception {
        List<DiscoveredProvider> found = discover(LIMIT, "OneThread", "SameThread");
        assertThat(found.get(1).reason())
                .startsWith("another provider has the name '"
                        + found.get(0).identity().name() + "'");

        List<Thread> asked = new ArrayList<>();
        List<DiscoveredProvider> both = new ArrayList<>();
        for (String name : List.of("one", "two")) {
            Fakes.FakeProvider provider = new Fakes.FakeProvider(name, new Fakes.FakeDevice(name + "0"));
            provider.listing(() -> {
                asked.add(Thread.currentThread());
                return provider.devices;
            });
            both.add(provider.found());
        }
        assertThat(new Library(() -> both, () -> LIMIT).devices()).hasSize(2);
        assertThat(asked).hasSize(2).containsOnly(asked.get(0)).doesNotContain(Thread.currentThread());
    }

    @Test
    void interruptIsKeptForCaller() throws Exception {
        Background<Boolean> asked = Background.call(() -> {
            Thread.currentThread().interrupt();
            assertThat(library("Good").devices()).hasSize(1);
            return Thread.interrupted();
        });

        assertThat(asked.result()).isTrue();
    }
}
