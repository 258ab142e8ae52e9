/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.testsupport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.testsupport.PackageGraph.Pair;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PackageGraphTest {
    private static final String NAMES_NOTHING = "package c; public @interface C { Class<?>[] value() default {}; }";
    private static final String NAMES_C = "package b; public class B { public static c.C of() { return null; } }";
    private static final String FILE_OF_SOURCE = "package (\\w+);.*?(?:class|interface) (\\w+).*";
    private static final Pair BOTH = new Pair("a", "b");

    @TempDir
    Path folder;

    private PackageGraph compile(String... sources) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("-d", folder.toString()));
        for (String source : sources) {
            Path file = folder.resolve(source.replaceFirst(FILE_OF_SOURCE, "$1/$2.java"));
            Files.createDirectories(file.getParent());
            Files.writeString(file, source);
            arguments.add(file.toString());
        }
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)))
                .isZero();
        return PackageGraph.of(folder);
    }

    @Test
    void oneWayIsNoCycle() throws IOException {
        PackageGraph graph = compile(NAMES_NOTHING, NAMES_C, "package a; class A { Object o = b.B.of(); }");
        assertThat(graph.pairsInCycles()).isEmpty();
        assertThatCode(graph::checkCycles).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "b.B field;",
                "b.B[] array;",
                "Object made = new b.B();",
                "java.util.List<? extends b.B> generic;",
                "@c.C(b.B.class) int annotated;",
                "Class<?> literal = b.B[].class;",
                "int copied = b.B.CONSTANT;",
                "void parameters(int i, b.B b) {}",
                "class Inner extends b.B {}",
                "java.util.function.Supplier<Object> s = b.B::new;"
            })
    void eachKindOfReferenceClosesTheCircle(String member) throws IOException {
        PackageGraph graph = compile(
                NAMES_NOTHING,
                "package b; public class B { public static final int CONSTANT = 1; a.A a; }",
                "package a; public class A { " + member + " }");
        assertThat(graph.pairsInCycles()).containsExactly(BOTH);
    }

    @Test
    void nameInAStringIsNoReference() throws IOException {
        PackageGraph graph =
                compile("package b; public class B { a.A a; }", "package a; public class A { String s = \"Lb/B;\"; }");
        assertThat(graph.pairsInCycles()).isEmpty();
    }

    @Test
    void jarIsReadLikeFolder() throws IOException {
        compile("package b; public class B { a.A a; }", "package a; public class A { b.B b; }");
        Path jar = folder.resolve("both.jar");
        try (FileSystem files = FileSystems.newFileSystem(jar, Map.of("create", "true"))) {
            for (String name : List.of("a/A.class", "b/B.class")) {
                Files.createDirectories(files.getPath(name).getParent());
                Files.copy(folder.resolve(name), files.getPath(name));
            }
        }
        assertThat(PackageGraph.of(jar).pairsInCycles()).containsExactly(BOTH);
    }

    @Test
    void circleOfThreeIsThreePairs() throws IOException {
        PackageGraph graph = compile(
                "package c; public class C { a.A a; }",
                "package b; public class B { c.C c; }",
                "package a; public class A { b.B b; }");
        assertThat(graph.pairsInCycles()).containsExactly(BOTH, new Pair("a", "c"), new Pair("b", "c"));
    }

    @Test
    void messageNamesThePackagesAndTheClassesOfTheCircle() throws IOException {
        PackageGraph graph = compile(
                NAMES_NOTHING,
                "package b; public class B { a.A a; class Inner { a.A a; } c.C c; }",
                "package a; public class A { b.B b; }");
        assertThatThrownBy(graph::checkCycles)
                .isInstanceOf(AssertionError.class)
                .hasMessage("""
                        a and b depend on each other:
                            a -> b: A -> B
                            b -> a: B -> A, B$Inner -> A""");
    }

    @Test
    void messageNamesAtMostEightReferences() throws IOException {
        StringBuilder fields = new StringBuilder();
        for (int i = 0; i < 10; i++) {
            fields.append("class I").append(i).append(" { b.B b; }");
        }
        PackageGraph graph =
                compile("package b; public class B { a.A a; }", "package a; public class A { " + fields + " }");
        assertThatThrownBy(graph::checkCycles)
                .hasMessageContaining("A$I0 -> B")
                .hasMessageContaining("A$I7 -> B, and 2 more")
                .hasMessageNotContaining("A$I8 -> B");
    }

    @Test
    void allowedCyclePasses() throws IOException {
        PackageGraph graph = compile("package b; public class B { a.A a; }", "package a; public class A { b.B b; }");
        assertThatCode(graph.allow("for a reason", "a", "b")::checkCycles).doesNotThrowAnyException();
    }

    @Test
    void allowedCycleThatIsGoneFails() throws IOException {
        PackageGraph graph = compile(
                NAMES_NOTHING, "package b; public class B { a.A a; c.C c; }", "package a; public class A { b.B b; }");
        assertThatThrownBy(graph.allow("for a reason", "a", "b", "c")::checkCycles)
                .hasMessage("""
                        a and c no longer depend on each other; remove from the list: for a reason
                        b and c no longer depend on each other; remove from the list: for a reason""");
    }

    @Test
    void folderWithoutClassesIsRefused() {
        assertThatThrownBy(() -> PackageGraph.of(folder)).hasMessageStartingWith("no classes under ");
    }

    @Test
    void moduleIsThatOfTheClass() {
        assertThatCode(PackageGraph.ofModule(PackageGraph.class)::checkCycles).doesNotThrowAnyException();
    }
}
