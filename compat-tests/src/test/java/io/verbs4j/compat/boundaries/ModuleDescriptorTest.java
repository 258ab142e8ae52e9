/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.boundaries;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.compat.built.BuiltModules;
import io.verbs4j.compat.built.JarContent;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The module descriptors match the expected text, and the services files on the class path match the descriptors. */
class ModuleDescriptorTest {
    private static final String SERVICES = "META-INF/services/";

    /** A service of an optional module. A module that provides it could not be resolved without that module. */
    private static final String CLASS_PATH_ALONE = "io.vertx.core.spi.VertxServiceProvider";

    static Set<String> modules() {
        return BuiltModules.locations().keySet();
    }

    @Test
    void modulesAreFound() {
        assertThat(modules()).contains(BuiltModules.SPI, BuiltModules.CORE, BuiltModules.RXE, BuiltModules.TOOLS);
    }

    /** A changed descriptor changes a boundary: the expected text must change with it, which shows in review. */
    @ParameterizedTest
    @MethodSource("modules")
    void descriptorMatchesExpectedText(String module) throws IOException {
        String file = module + ".txt";
        try (InputStream in = getClass().getResourceAsStream(file)) {
            assertThat(in)
                    .as("src/test/resources/io/verbs4j/compat/boundaries/%s, for a module on the class path", file)
                    .isNotNull();
            String expected = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            assertThat(describe(BuiltModules.descriptor(module)))
                    .as("module-info of %s, against %s", module, file)
                    .isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @MethodSource("modules")
    void servicesFilesMatchDescriptor(String module) {
        Path location = BuiltModules.location(module);
        Map<String, Set<String>> provided = BuiltModules.descriptor(module).provides().stream()
                .collect(Collectors.toMap(
                        ModuleDescriptor.Provides::service,
                        provides -> new TreeSet<>(provides.providers()),
                        (a, b) -> a,
                        TreeMap::new));
        Map<String, Set<String>> registered = registered(JarContent.of(location));
        registered.remove(CLASS_PATH_ALONE);
        assertThat(registered)
                .as("META-INF/services against the provides of module-info, in %s", location)
                .isEqualTo(provided);
    }

    @Test
    void providerIsRegistered() {
        assertThat(registered(JarContent.of(BuiltModules.location(BuiltModules.RXE))))
                .containsExactly(
                        Map.entry("io.verbs4j.rdmacore.NativeClaim", Set.of("io.verbs4j.provider.rxe.KernelDevices")),
                        Map.entry("io.verbs4j.spi.VerbsProvider", Set.of("io.verbs4j.provider.rxe.RxeProvider")));
    }

    private static Map<String, Set<String>> registered(JarContent jar) {
        Map<String, Set<String>> services = new TreeMap<>();
        for (String name : jar.names()) {
            if (name.startsWith(SERVICES)) {
                Set<String> providers = jar.text(name)
                        .lines()
                        .map(line -> line.replaceFirst("#.*", "").strip())
                        .filter(line -> !line.isEmpty())
                        .collect(Collectors.toCollection(TreeSet::new));
                services.put(name.substring(SERVICES.length()), providers);
            }
        }
        return services;
    }

    /** Describes a module as {@code jar --describe-module} does, without what differs between a folder and a jar. */
    private static String describe(ModuleDescriptor module) {
        Stream<String> lines = Stream.of(
                        lines("requires", module.requires(), r -> words(r.modifiers(), r.name())),
                        lines("exports", module.exports(), e -> e.source() + to(e.targets())),
                        lines("opens", module.opens(), o -> o.source() + to(o.targets())),
                        lines("uses", module.uses(), service -> service),
                        lines(
                                "provides",
                                module.provides(),
                                p -> p.service() + " with " + String.join(", ", p.providers())))
                .flatMap(List::stream);
        return (module.isOpen() ? "open module " : "module ") + module.name() + "\n"
                + lines.map(line -> line + "\n").collect(Collectors.joining());
    }

    private static <T> List<String> lines(String keyword, Set<T> directives, Function<T, String> text) {
        return directives.stream()
                .map(directive -> keyword + " " + text.apply(directive))
                .sorted()
                .toList();
    }

    private static String words(Set<ModuleDescriptor.Requires.Modifier> modifiers, String name) {
        return modifiers.stream()
                .sorted()
                .map(modifier -> modifier.name().toLowerCase(Locale.ROOT) + " ")
                .collect(Collectors.joining("", "", name));
    }

    private static String to(Set<String> targets) {
        return targets.isEmpty() ? "" : " to " + String.join(", ", new TreeSet<>(targets));
    }
}
