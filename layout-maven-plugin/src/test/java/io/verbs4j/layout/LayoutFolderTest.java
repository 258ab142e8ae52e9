/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Generates classes from a folder of tables. */
class LayoutFolderTest {
    private static final String TABLE = """
            package p.layout
            header a/b.h
            struct one OneLayout  # The first.
                size 8
                  0 u64 a
            struct two TwoLayout @20
                size 8 16@24 !aarch64
                size 24 aarch64
                  0 u32 a.b  # In seconds.
                  8 u64 c    @24 aarch64
                     # Not before 24,
                     # and not everywhere.
            """;

    @TempDir
    Path folder;

    private Path tables;
    private Path sources;

    @BeforeEach
    void writeTable() throws IOException {
        tables = Files.createDirectory(folder.resolve("tables"));
        sources = folder.resolve("sources");
        Files.writeString(tables.resolve("b.layout"), TABLE);
        Files.writeString(tables.resolve("README"), "no table");
    }

    private Path source(String name) {
        return sources.resolve("p/layout/" + name + ".java");
    }

    /** An archive of sources stores the modes of files, and must be the same with any umask. */
    @Test
    void modesDoNotDependOnUmask() throws IOException, LayoutException {
        LayoutFolder.generate(tables, sources);
        PosixFileAttributeView view = Files.getFileAttributeView(source("OneLayout"), PosixFileAttributeView.class);
        assumeTrue(view != null, "files have no modes here");
        view.setPermissions(PosixFilePermissions.fromString("rw-------"));

        LayoutFolder.generate(tables, sources);

        assertThat(PosixFilePermissions.toString(view.readAttributes().permissions()))
                .isEqualTo("rw-r--r--");
    }

    @Test
    void eachStructBecomesAClass() throws IOException, LayoutException {
        LayoutFolder.generate(tables, sources);

        assertThat(source("OneLayout")).hasContent("""
                /* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
                // Generated from b.layout.
                package p.layout;

                import io.verbs4j.rdmacore.layout.CField;
                import io.verbs4j.rdmacore.layout.CSize;
                import io.verbs4j.rdmacore.layout.CStruct;

                /** {@code struct one}: The first. */
                @CStruct(value = "struct one", header = "a/b.h")
                public final class OneLayout {
                    @CSize(size = 8)
                    public static final int SIZEOF = 8;

                    @CField(value = "a", size = 8)
                    public static final int A = 0;

                    private OneLayout() {}
                }
                """);
        assertThat(source("TwoLayout")).hasContent("""
                /* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
                // Generated from b.layout.
                package p.layout;

                import io.verbs4j.rdmacore.layout.CField;
                import io.verbs4j.rdmacore.layout.CIf;
                import io.verbs4j.rdmacore.layout.CSize;
                import io.verbs4j.rdmacore.layout.CStruct;

                /** {@code struct two}. */
                @CStruct(value = "struct two", header = "a/b.h", since = 20)
                public final class TwoLayout {
                    @CIf("!defined(__aarch64__)")
                    @CSize(size = 8)
                    @CSize(size = 16, since = 24)
                    public static final int SIZEOF = 16;

                    @CIf("defined(__aarch64__)")
                    @CSize(size = 24)
                    public static final int SIZEOF_AARCH64 = 24;

                    /** In seconds. */
                    @CField(value = "a.b", size = 4)
                    public static final int A_B = 0;

                    /**
                     * Not before 24,
                     * and not everywhere.
                     */
                    @CIf("defined(__aarch64__)")
                    @CField(value = "c", size = 8, since = 24)
                    public static final int C_AARCH64 = 8;

                    private TwoLayout() {}
                }
                """);
    }

    @Test
    void unchangedClassIsLeftAlone() throws IOException, LayoutException {
        LayoutFolder.generate(tables, sources);
        FileTime longAgo = FileTime.fromMillis(1_000_000);
        Files.setLastModifiedTime(source("OneLayout"), longAgo);
        Files.setLastModifiedTime(source("TwoLayout"), longAgo);
        Files.writeString(tables.resolve("b.layout"), TABLE.replace("8 u64 c", "16 u64 c"));

        LayoutFolder.generate(tables, sources);

        assertThat(Files.getLastModifiedTime(source("OneLayout"))).isEqualTo(longAgo);
        assertThat(Files.getLastModifiedTime(source("TwoLayout"))).isGreaterThan(longAgo);
        assertThat(source("TwoLayout")).content().contains("C_AARCH64 = 16;");
    }

    @Test
    void classWithoutAStructIsDeleted() throws IOException, LayoutException {
        LayoutFolder.generate(tables, sources);
        Files.writeString(tables.resolve("b.layout"), TABLE.substring(0, TABLE.indexOf("struct two")));

        LayoutFolder.generate(tables, sources);

        assertThat(source("OneLayout")).exists();
        assertThat(source("TwoLayout")).doesNotExist();
    }

    @Test
    void mistakesOfAllTablesNameFileAndLine() throws IOException {
        Files.writeString(tables.resolve("a.layout"), TABLE.replace("a/b.h", "a.h"));
        Files.writeString(
                tables.resolve("c.layout"), "package p\nheader c.h\nstruct c CLayout\n    size 4\n  0 int c\n");

        assertThatThrownBy(() -> LayoutFolder.generate(tables, sources))
                .isInstanceOf(LayoutException.class)
                .hasMessage(String.join(
                        "\n",
                        tables.resolve("b.layout") + ":3: class OneLayout is also in another table",
                        tables.resolve("b.layout") + ":6: class TwoLayout is also in another table",
                        tables.resolve("c.layout") + ":5: unknown type 'int'"));
        assertThat(sources).doesNotExist();
    }

    @Test
    void folderWithoutATableFails() {
        Path empty = folder.resolve("none");
        assertThatThrownBy(() -> LayoutFolder.generate(empty, sources))
                .isInstanceOf(LayoutException.class)
                .hasMessage(empty + ": no tables found");
    }

    @Test
    void descriptorDescribesTheGoal() throws IOException {
        String descriptor;
        try (InputStream resource = GenerateMojo.class.getResourceAsStream("/META-INF/maven/plugin.xml")) {
            descriptor = new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        }
        List<String> parameters = Pattern.compile("<parameter>\\s*<name>(\\w+)</name>\\s*<type>([\\w.]+)</type>")
                .matcher(descriptor)
                .results()
                .map(match -> match.group(2) + " " + match.group(1))
                .toList();
        assertThat(descriptor).contains("<implementation>" + GenerateMojo.class.getName() + "</implementation>");
        assertThat(parameters)
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(GenerateMojo.class.getDeclaredFields())
                        .filter(field -> !field.isSynthetic())
                        .map(LayoutFolderTest::declaration)
                        .toList());
        assertThat(descriptor).doesNotContain("@project").contains("${project.build.directory}");
    }

    private static String declaration(Field field) {
        return field.getType().getName() + " " + field.getName();
    }
}
