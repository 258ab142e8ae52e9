/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.boundaries;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.lang.ArchRule;
import io.verbs4j.compat.built.BuiltModules;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

/** The modules of this build keep every boundary. */
class BoundariesTest {
    /** Each rule of {@link Boundaries}. */
    static final Map<String, ArchRule> RULES = Rules.all();

    static final Set<String> RULE_NAMES = RULES.keySet();

    private static JavaClasses classes;

    @BeforeAll
    static void readModules() {
        classes = new ClassFileImporter()
                .importLocations(BuiltModules.locations().values().stream()
                        .map(BoundariesTest::location)
                        .toList());
    }

    private static Location location(Path path) {
        return Files.isDirectory(path) ? Location.of(path) : Location.of(URI.create("jar:" + path.toUri() + "!/"));
    }

    /** Guards against an empty scan, which would keep every rule. The numbers are slightly below those of level 1. */
    @ParameterizedTest
    @CsvSource({
        BuiltModules.SPI + ", 55",
        BuiltModules.CORE + ", 30",
        BuiltModules.RXE + ", 70",
        BuiltModules.NATIVES + ", 15",
        BuiltModules.RDMA_CORE + ", 70",
        BuiltModules.TOOLS + ", 30"
    })
    void scanSeesEachModule(String module, int floor) {
        var packages = BuiltModules.descriptor(module).packages();
        assertThat(classes.stream().filter(type -> packages.contains(type.getPackageName())))
                .as("classes of %s in %s", module, BuiltModules.location(module))
                .hasSizeGreaterThanOrEqualTo(floor);
    }

    /** Checks packages by name, so that renaming a package cannot make a rule void. */
    @ParameterizedTest
    @CsvSource({
        "io.verbs4j, 50",
        "io.verbs4j.spi, 1",
        "io.verbs4j.slot, 6",
        "io.verbs4j.core, 3",
        "io.verbs4j.core.discovery, 15",
        "io.verbs4j.core.verbs, 30",
        "io.verbs4j.core.base, 6",
        "io.verbs4j.core.flight, 4",
        "io.verbs4j.tools, 5",
        "io.verbs4j.provider.rxe, 3",
        "io.verbs4j.provider.rxe.wire, 10",
        "io.verbs4j.provider.rxe.link, 10",
        "io.verbs4j.provider.rxe.qp, 3",
        "io.verbs4j.provider.rxe.port, 3",
        "io.verbs4j.provider.rxe.packet, 1",
        "io.verbs4j.rdmacore, 10",
        "io.verbs4j.rdmacore.layout, 30",
        "io.verbs4j.rdmacore.quirk.layout, 2",
        "io.verbs4j.natives.call, 6",
        "io.verbs4j.natives.memory, 4"
    })
    void scanSeesEachPackageNamedByRules(String name, int floor) {
        assertThat(classes.stream().filter(type -> type.getPackageName().equals(name)))
                .as("classes in " + name)
                .hasSizeGreaterThanOrEqualTo(floor);
    }

    @Test
    void scanSeesHandles() {
        assertThat(classes.stream()
                        .filter(type -> type.isAssignableTo("io.verbs4j.VerbsObject")
                                && type.getPackageName().equals("io.verbs4j")))
                .extracting(type -> type.getSimpleName())
                .contains("Context", "ProtectionDomain", "MemoryRegion", "QueuePair", "CompletionQueue")
                .hasSizeGreaterThanOrEqualTo(10);
    }

    @ParameterizedTest
    @FieldSource("RULE_NAMES")
    void modulesKeepBoundary(String rule) {
        RULES.get(rule).check(classes);
    }
}
