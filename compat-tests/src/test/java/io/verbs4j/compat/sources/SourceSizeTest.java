/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.sources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Sources and pages of the whole tree are as narrow and as short as CONTRIBUTING.md asks, or say why not. */
class SourceSizeTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    /** What a finished level consists of, which is never changed. */
    private static final Path FROZEN = ROOT.resolve("compat-tests/frozen");

    /** Folders with what tools make. */
    private static final Set<String> MADE = Set.of("target", ".git", ".idea", ".settings", ".vscode");

    private static final String WIDE = "x".repeat(121);

    @Test
    void sourcesKeepToLimits() throws IOException {
        List<String> found = new ArrayList<>();
        List<Path> files = files(".java");
        for (Path file : files) {
            found.addAll(SourceSize.ofJava(ROOT.relativize(file).toString(), Files.readString(file)));
        }
        assertThat(files).hasSizeGreaterThan(2000);
        assertThat(found).isEmpty();
    }

    @Test
    void pagesKeepToWidth() throws IOException {
        List<String> found = new ArrayList<>();
        List<Path> files = files(".md");
        for (Path file : files) {
            found.addAll(SourceSize.ofMarkdown(ROOT.relativize(file).toString(), Files.readString(file)));
        }
        assertThat(files).hasSizeGreaterThan(30);
        assertThat(found).isEmpty();
    }

    static Stream<Arguments> tooLarge() {
        return Stream.of(
                arguments("/** " + WIDE + " */\nclass A {}\n", "A.java:1: 128 columns, more than 120"),
                arguments("class A {\n// " + WIDE + "\n}\n", "A.java:2: 124 columns, more than 120"),
                arguments("class A {\nString s = \"\"\"\n" + WIDE + "\"\"\";\n}\n", "A.java:3: 125 columns"),
                arguments(lines("class A {", 501), "A.java: split it, or write above the class \"Longer than 500"),
                arguments(lines("/** Long. */ class A {", 501), "A.java: split it"),
                arguments(lines("/** Longer than 500 lines because. */ class A {", 501), "A.java: split it"),
                arguments(lines("/** Longer than 500 lines because it is. */ class A {", 501), "A.java: split it"),
                arguments(lines("class A { // Longer than 500 lines because it is all one.", 501), "A.java: split it"),
                arguments(
                        lines("/** Longer than 500 lines because it has no end */ class A {", 501), "A.java: split it"),
                arguments(
                        lines("/** More than 30 public methods because it is all one. */ class A {", 501),
                        "A.java: split it"),
                arguments(
                        lines("/** Longer than 500 lines because it is all one thing. */ class A {", 500),
                        "A.java: remove \"Longer than 500 lines because ...\""),
                arguments(lines("", 501), "A.java: split it"),
                arguments(methods("class A {", 31), "A.java: A: split it, or write above the class \"More than 30"),
                arguments(methods("record A() {", 31), "A.java: A: split it"),
                arguments(methods("enum A { B;", 31), "A.java: A: split it"),
                arguments(
                        methods("/** Longer than 500 lines because it is all one. */ class A {", 31),
                        "A.java: A: split it"),
                arguments(
                        methods("/** More than 30 public methods because it is all one. */ class A {", 30),
                        "A.java: A: remove \"More than 30 public methods because ...\""),
                arguments(
                        "/** More than 30 public methods because it is all one. */ class A {}\n"
                                + methods("class B {", 31),
                        "A.java: B: split it"));
    }

    @ParameterizedTest
    @MethodSource("tooLarge")
    void largeSourceIsFound(String source, String expected) {
        assertThat(SourceSize.ofJava("A.java", source)).anyMatch(line -> line.startsWith(expected));
    }

    static Stream<String> smallEnough() {
        return Stream.of(
                "//" + WIDE.substring(3) + "\nclass A {}\n",
                "//" + "\uD83D\uDE00".repeat(118) + "\nclass A {}\n",
                lines("class A {", 500),
                lines("/** Longer than 500 lines because it is all one thing. */ class A {", 501),
                lines(
                        "/**\n * Text. Longer than 500\n * lines because it is\n * all of 1.5 things.\n */\nclass A {",
                        501),
                lines("/** Text. */\n// Longer than 500 lines because it\n// is all one thing.\npublic class A {", 501),
                methods("class A {", 30),
                methods("interface A {", 30),
                methods("class A { public A() {} public A(int a) {} class B { public void b() {} }", 30),
                methods("class A { void a() {} private void b() {} public int c; protected void d() {}", 30),
                methods("/** More than 30 public methods because it is all one. */ class A {", 31));
    }

    @ParameterizedTest
    @MethodSource("smallEnough")
    void smallSourceIsAccepted(String source) {
        assertThat(SourceSize.ofJava("A.java", source)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("widePages")
    void wideLineOfPageIsFound(String page) {
        assertThat(SourceSize.ofMarkdown("a.md", page))
                .singleElement()
                .asString()
                .contains("columns, more than 120");
    }

    static Stream<String> widePages() {
        return Stream.of(
                WIDE,
                "```\n" + WIDE + "\n```\n" + WIDE,
                "- [a](" + WIDE + ") and more",
                "    " + WIDE,
                "> " + WIDE,
                "see | " + WIDE);
    }

    @ParameterizedTest
    @MethodSource("narrowPages")
    void narrowPageIsAccepted(String page) {
        assertThat(SourceSize.ofMarkdown("a.md", page)).isEmpty();
    }

    static Stream<String> narrowPages() {
        return Stream.of(
                WIDE.substring(1),
                "| a | " + WIDE + " |",
                "```java\n" + WIDE + "\n```",
                "  ~~~\n" + WIDE + "\n  ~~~",
                "[a]: https://" + WIDE,
                "- [a b](" + WIDE + ")",
                "![a b](" + WIDE + ")",
                "<https://" + WIDE + ">");
    }

    /** Returns a source with that many lines. */
    private static String lines(String head, int count) {
        int more = count - (int) head.lines().count() - 1;
        return head + "\n" + "\n".repeat(more) + (head.isEmpty() ? "" : "}") + "\n";
    }

    /** Returns a source with that many public methods. */
    private static String methods(String head, int count) {
        StringBuilder source = new StringBuilder(head);
        for (int i = 0; i < count; i++) {
            source.append("public void m").append(i).append("() {}\n");
        }
        return source.append("}\n").toString();
    }

    private static List<Path> files(String end) throws IOException {
        List<Path> files = new ArrayList<>();
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                boolean isLeftOut = folder.equals(FROZEN)
                        || MADE.contains(folder.getFileName().toString());
                return isLeftOut ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (file.toString().endsWith(end)) {
                    files.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return files;
    }
}
