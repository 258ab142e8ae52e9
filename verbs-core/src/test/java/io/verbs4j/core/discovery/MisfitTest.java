/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.discovery;

import static io.verbs4j.core.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Errno;
import io.verbs4j.VerbsLevel;
import io.verbs4j.core.Compiled;
import io.verbs4j.core.base.HeaderCheck;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Providers that were compiled with another header than the one that is loaded: which of the two is too old is told.
 */
class MisfitTest {
    private static final String OLDER_PROVIDER = "built for an older header (verbs-spi) than the loaded one";

    @TempDir
    static Path directory;

    private static URLClassLoader loader;

    @BeforeAll
    static void compileWithAnotherHeader() throws IOException {
        Compiled all = new Compiled(directory);
        // Another header: a method that is not final yet, one that is not there any more, types and a method of later.
        all.source("""
                package io.verbs4j; public class Device {
                  protected Device(String name, long guid, int node, int transport) {}
                  public long guid() { return 0; }
                  public void later() {} }""");
        all.source("package io.verbs4j.spi; public class LaterType {}");
        all.source("package other; public class Helper { public static void helps(io.verbs4j.Device device) {} }");
        String dev = "static class Dev extends Device { Dev() { super(\"d0\", 1, 1, 0); } ";
        String none = " public List<? extends Device> devices() { ";
        all.provider("Overrides", dev + "public long guid() { return 2; } }" + none + "return List.of(new Dev()); }");
        all.provider("Lacks", dev + "}" + none + "Device d = new Dev(); d.later(); return List.of(); }");
        all.provider("NeedsLater", "public NeedsLater() { new LaterType(); }");
        all.provider("Unrelated", dev + "}" + none + "other.Helper.helps(new Dev()); return List.of(); }");
        all.provider("Good", dev + "}" + none + "return List.of(new Dev()); }");
        all.compile("-classpath", Compiled.header().toString());
        all.delete("io/verbs4j/Device.class").delete("io/verbs4j/spi/LaterType.class");
        Path changed = directory.resolve("changed");
        new Compiled(changed).source("package other; public class Helper {}").compile();
        Files.copy(
                changed.resolve("classes/other/Helper.class"),
                all.classes().resolve("other/Helper.class"),
                java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        loader = new URLClassLoader(new URL[] {Compiled.url(all.classes())}, MisfitTest.class.getClassLoader());
    }

    @AfterAll
    static void closeLoader() throws IOException {
        loader.close();
    }

    private static Library library(String... classNames) throws IOException {
        Path services = Files.createTempDirectory(directory, "services");
        Path file = services.resolve("META-INF/services/io.verbs4j.spi.VerbsProvider");
        Files.createDirectories(file.getParent());
        Files.write(file, List.of(classNames));
        try (URLClassLoader registered = new URLClassLoader(new URL[] {Compiled.url(services)}, loader)) {
            List<DiscoveredProvider> found = Discovery.run(
                    new ExcludeList(null), TimeLimit.ofProperty(), registered, MisfitTest.class.getClassLoader());
            return new Library(() -> found, TimeLimit::ofProperty);
        }
    }

    private static String reason(Library library) {
        return library.report().entries().get(0).reason();
    }

    @Test
    void providerWithNameTakenByHeaderIsOlder() throws IOException {
        Library library = library("broken.Overrides");

        assertThat(reason(library))
                .contains("IncompatibleClassChangeError", OLDER_PROVIDER, "is level " + VerbsLevel.runtime())
                .contains(Compiled.header().toString(), "use a newer release of the provider")
                .doesNotContain(HeaderCheck.REMEDY);
        assertThat(library.devices()).isEmpty(); // the header is not at fault
    }

    @Test
    void lackOfHeaderOfSameLevelIsNotItsAge() throws IOException {
        assertThat(reason(library("broken.Lacks")))
                .contains("NoSuchMethodError", "and lacks that, but is not older than the provider, which is level 1")
                .contains("built with an unreleased header", Compiled.header().toString())
                .doesNotContain(HeaderCheck.REMEDY, OLDER_PROVIDER);
    }

    @Test
    void lackOfOlderHeaderIsReported() throws IOException {
        Library library = library("broken.NeedsLater");

        assertThat(reason(library)).contains("NoClassDefFoundError", "built for a newer one", HeaderCheck.REMEDY);
        for (Runnable way :
                List.<Runnable>of(library::devices, () -> library.defaultDevice(null), () -> library.device("d0"))) {
            assertFails(
                    Errno.EPROTO,
                    way::run,
                    "the header (verbs-spi) is older than a provider",
                    "broken.NeedsLater",
                    Compiled.header().toString(),
                    "align the versions of the io.verbs4j jars");
        }
        // Where there is a device all the same, it is a matter of the report.
        assertThat(library("broken.NeedsLater", "broken.Good").devices()).hasSize(1);
    }

    @Test
    void foreignMethodWithHeaderTypesIsNotHeadersFault() throws IOException {
        assertThat(reason(library("broken.Unrelated")))
                .contains("NoSuchMethodError", "put its dependencies on the path")
                .doesNotContain("verbs-spi");
    }
}
