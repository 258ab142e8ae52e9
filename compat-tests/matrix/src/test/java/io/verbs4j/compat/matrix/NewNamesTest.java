/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.compat.built.BuiltModules;
import io.verbs4j.compat.built.JarContent;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The names that a level's program cannot find in an older header are exactly those that the level added. */
class NewNamesTest {
    @Test
    void level3ProgramNamesAllAdditions() throws IOException {
        List<Release> frozen = Release.frozen(Parties.frozenFolder());
        Set<String> added = added(frozen.get(1).header(), frozen.get(2).header());
        assertThat(added)
                .contains(
                        "RegMrAttrEx",
                        "slot.AdviseMr",
                        "WrOpcode.NOP",
                        "ProtectionDomain.base",
                        "CompletionQueue.poll");
        assertThat(new TreeSet<>(AppSource.ofLevel(3).symbols().get(3)))
                .as("what apps/NamesOf3.java names; each new name of the header has a line there")
                .isEqualTo(added);
    }

    @Test
    void level4ProgramNamesAllAdditions() throws IOException {
        Path level3 = Release.frozen(Parties.frozenFolder()).get(2).header();
        Set<String> added = added(level3, BuiltModules.location(BuiltModules.SPI));
        assertThat(added).contains("slot.ImportPd", "OpenAttrMask.IMPORT_FD", "ProtectionDomain.importMr");
        assertThat(new TreeSet<>(AppSource.ofLevel(4).symbols().get(4)))
                .as("what apps/NamesOf4.java names; each new name of the header has a line there")
                .isEqualTo(added);
    }

    @Test
    void namesOfEveryKindAreRead() {
        String source = """
                class Names {
                    static void all() {
                        name(Type.class);
                        name(io.verbs4j.slot.Verb.class);
                        value(Type.VALUE);
                        of(Handle.class).verb(null, (Type[]) null);
                        Handle.helper();
                        int other = 1;
                    }
                }
                """;
        assertThat(AppSource.names(source))
                .containsExactly("Type", "slot.Verb", "Type.VALUE", "Handle.verb", "Handle.helper");
    }

    /**
     * {@return the added public classes by simple name, and the added public fields and methods of older classes,
     * prefixed by their class}
     */
    private static Set<String> added(Path before, Path now) throws IOException {
        Set<String> added = new TreeSet<>();
        try (URLClassLoader old = loader(before);
                URLClassLoader present = loader(now)) {
            for (String file : JarContent.of(now).classes().keySet()) {
                String name = file.replace('/', '.');
                Class<?> type = load(present, name);
                if (Modifier.isPublic(type.getModifiers())) {
                    Class<?> older = load(old, name);
                    if (older == null) {
                        added.add(name.substring("io.verbs4j.".length()));
                    } else {
                        List<String> more = new ArrayList<>(members(type));
                        more.removeAll(members(older));
                        more.forEach(
                                member -> added.add(type.getSimpleName() + "." + member.replaceFirst("[(].*", "")));
                    }
                }
            }
        }
        return added;
    }

    private static URLClassLoader loader(Path path) throws IOException {
        return new URLClassLoader(new URL[] {path.toUri().toURL()}, ClassLoader.getPlatformClassLoader());
    }

    private static Class<?> load(ClassLoader loader, String name) {
        try {
            return Class.forName(name, false, loader);
        } catch (ClassNotFoundException e) {
            return null;
        }
    }

    private static List<String> members(Class<?> type) {
        List<String> members = new ArrayList<>();
        for (Field field : type.getDeclaredFields()) {
            if (Modifier.isPublic(field.getModifiers())) {
                members.add(field.getName());
            }
        }
        for (Method method : type.getDeclaredMethods()) {
            // The older header has it too, inherited from Object.
            boolean everywhere = method.getName().equals("toString") && method.getParameterCount() == 0;
            if (Modifier.isPublic(method.getModifiers()) && !method.isSynthetic() && !everywhere) {
                members.add(Arrays.stream(method.getParameterTypes())
                        .map(Class::getName)
                        .collect(Collectors.joining(",", method.getName() + "(", ")")));
            }
        }
        return members;
    }
}
