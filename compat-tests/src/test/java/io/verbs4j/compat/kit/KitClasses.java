/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.compat.built.TestClasses;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The kits among a module's tests. Rules are methods with bodies, which a kit could override. */
public final class KitClasses {
    private KitClasses() {}

    /** Requires the kits in the module of a test to be at least these, and to override no rule. */
    public static void requireNoRuleOverridden(Class<?> test, String... names) throws IOException {
        List<Class<?>> kits = beside(test);
        List<String> all = KitVerificationTest.rules().stream()
                .map(Method::getName)
                .sorted()
                .toList();

        assertThat(kits).extracting(Class::getSimpleName).contains(names);
        assertThat(kits).allSatisfy(kit -> assertThat(rules(kit)).isEqualTo(all));
    }

    private static List<Class<?>> beside(Class<?> test) throws IOException {
        Path classes = TestClasses.location(test);
        try (Stream<Path> files = Files.walk(classes)) {
            return files.map(file -> classes.relativize(file).toString())
                    .filter(name -> name.endsWith("Kit.class"))
                    .map(name -> name.replace(File.separatorChar, '.').replace(".class", ""))
                    .<Class<?>>map(KitClasses::load)
                    .filter(ProviderKit.class::isAssignableFrom)
                    .toList();
        }
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name, false, KitClasses.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    private static List<String> rules(Class<?> kit) {
        return Arrays.stream(kit.getMethods())
                .filter(method -> method.isAnnotationPresent(Rule.class))
                .filter(method -> method.getDeclaringClass().isInterface())
                .map(Method::getName)
                .sorted()
                .toList();
    }
}
