/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.compat.built.JarContent;
import io.verbs4j.compat.frozen.FrozenFolder;
import io.verbs4j.compat.frozen.FrozenLevel;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.tree.ClassNode;

/** The page of verbs is generated from its data, and the data match C's libraries, the API and the tests. */
class VerbPageTest {
    private static final Path ROOT = Path.of("..");
    private static final List<String> PACKAGES =
            List.of("", "core.", "cm.", "mlx5dv.", "mlx5dv.steering.", "efadv.", "hbldv.");
    private static final Pattern HBL = Pattern.compile("\\bhbldv_\\w+(?=\\()");

    private static List<VerbPage.Row> rows;

    @BeforeAll
    static void readRows() throws IOException {
        rows = VerbPage.rows(ROOT);
    }

    @Test
    void pageMatchesData() throws IOException {
        boolean made = Files.readString(ROOT.resolve(VerbPage.PAGE)).equals(VerbPage.render(rows));
        assertThat(made)
                .as("%s matches its data; if not, run in the project's folder: %s", VerbPage.PAGE, VerbPage.COMMAND)
                .isTrue();
    }

    @Test
    void eachFunctionHasOneRow() throws IOException {
        List<String> functions = rows.stream()
                .flatMap(row -> row.functions().stream().map(function -> row.library() + " " + function))
                .toList();
        assertThat(functions).doesNotHaveDuplicates();
        Set<String> listed = Symbols.all(ROOT);
        assertThat(without(listed, functions))
                .as("in symbols.tsv, but without a row")
                .isEmpty();
        assertThat(without(functions, listed))
                .as("in a row, but not in symbols.tsv")
                .isEmpty();
    }

    private static Set<String> without(Collection<String> some, Collection<String> others) {
        Set<String> rest = new TreeSet<>(some);
        rest.removeAll(others);
        return rest;
    }

    /** The stand-in library lists the functions of libhbl. */
    @Test
    void functionsOfLibhblMatchStandIn() throws IOException {
        Set<String> found = new TreeSet<>();
        try (Stream<Path> files = Files.list(ROOT.resolve("device-sim/libhbl"))) {
            for (Path file : files.filter(f -> f.toString().endsWith(".c")).toList()) {
                HBL.matcher(Files.readString(file)).results().forEach(match -> found.add(match.group()));
            }
        }
        assertThat(Symbols.of(ROOT, "libhbl", Symbols.EXPORTED)).containsExactlyElementsOf(found);
    }

    @Test
    void eachMethodExists() {
        List<String> wrong = new ArrayList<>();
        for (VerbPage.Row row : rows) {
            for (String name : row.java()) {
                if (!exists(name)) {
                    wrong.add(name + ", of " + row.functions());
                }
            }
        }
        assertThat(wrong).as("not a public method of the API").isEmpty();
    }

    private static boolean exists(String name) {
        int dot = name.indexOf('.');
        return PACKAGES.stream().anyMatch(inner -> exists(inner + name.substring(0, dot), name.substring(dot + 1)));
    }

    private static boolean exists(String type, String method) {
        try {
            return Arrays.stream(Class.forName("io.verbs4j." + type).getMethods())
                    .map(Method::getName)
                    .anyMatch(method::equals);
        } catch (ClassNotFoundException e) {
            return false; // it may be in another package
        }
    }

    /** {@return the methods in the header and library of a frozen level, by class and name} */
    private static Set<String> methods(FrozenLevel level) {
        Set<String> methods = new TreeSet<>();
        for (String artifact : List.of("verbs-spi", "verbs-core")) {
            for (ClassNode type : JarContent.of(level.jar(artifact)).classes().values()) {
                String name = type.name.substring(type.name.lastIndexOf('/') + 1);
                type.methods.forEach(method -> methods.add(name + "." + method.name));
            }
        }
        return methods;
    }

    /** A method's level is that of the first frozen level that has it. */
    @Test
    void levelsMatchFirstFrozenLevelWithMethod() throws IOException {
        List<String> wrong = new ArrayList<>();
        for (FrozenLevel frozen : FrozenFolder.ofThisProject().requireLevels()) {
            Set<String> brought = methods(frozen);
            for (VerbPage.Row row : rows) {
                if (row.level().matches("[0-9]") && !row.java().isEmpty()) {
                    boolean old = Integer.parseInt(row.level()) <= frozen.level();
                    if (brought.contains(row.java().get(0)) != old) {
                        wrong.add(row.functions() + " is of level " + row.level() + ", level " + frozen.level()
                                + (old ? " has no " : " has ") + row.java());
                    }
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void eachRigCallsItsMethods() throws IOException {
        RigSources sources = new RigSources(ROOT);
        List<String> wrong = new ArrayList<>();
        for (VerbPage.Row row : rows) {
            for (char rig :
                    VerbPage.NONE.equals(row.rigs()) ? new char[0] : row.rigs().toCharArray()) {
                assertThat(sources.knows(rig))
                        .as("a rig %s, of %s", rig, row.functions())
                        .isTrue();
                assertThat(row.java())
                        .as("methods that %s shows, of %s", rig, row.functions())
                        .isNotEmpty();
                for (String name : row.java()) {
                    if (!sources.call(rig, name.substring(name.indexOf('.') + 1))) {
                        wrong.add(rig + " " + name + ", of " + row.functions());
                    }
                }
            }
        }
        assertThat(wrong).as("methods that no source of the rig calls").isEmpty();
    }

    @Test
    void absentFunctionHasReason() {
        for (VerbPage.Row row : rows) {
            boolean absent = row.level().equals(VerbPage.ABSENT);
            assertThat(row.level()).as("level of %s", row.functions()).isIn(VerbPage.LEVELS);
            assertThat(row.java().isEmpty())
                    .as("no method for %s", row.functions())
                    .isEqualTo(absent);
            if (absent) {
                assertThat(row.remark())
                        .as("reason for %s", row.functions())
                        .isNotBlank()
                        .isNotEqualTo(VerbPage.NONE);
            }
        }
    }

    /** A method without a rig has a reason; most of these work on no device. */
    @Test
    void methodWithoutRigHasReason() {
        assertThat(rows.stream()
                        .filter(row -> !row.java().isEmpty() && VerbPage.NONE.equals(row.rigs()))
                        .filter(row -> VerbPage.NONE.equals(row.remark()))
                        .toList())
                .isEmpty();
    }
}
