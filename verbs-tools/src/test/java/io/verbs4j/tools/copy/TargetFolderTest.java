/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** No name sent by a sender leads out of the folder. */
class TargetFolderTest {
    @TempDir
    Path temporary;

    private Path root;
    private TargetFolder folder;

    @BeforeEach
    void make() throws Exception {
        root = Files.createDirectories(temporary.toRealPath().resolve("in"));
        Files.createDirectories(root.resolve("sub/deep"));
        Files.createDirectories(temporary.resolve("out"));
        Files.createSymbolicLink(root.resolve("outside"), Path.of("../out"));
        Files.createSymbolicLink(root.resolve("above"), Path.of(".."));
        Files.createSymbolicLink(root.resolve("within"), Path.of("sub"));
        folder = new TargetFolder(root);
    }

    @ParameterizedTest
    @CsvSource({
        "'',a,a",
        "b,a,b",
        "sub,a,sub/a",
        "sub/,a,sub/a",
        "sub/b,a,sub/b",
        "sub/deep/b,a,sub/deep/b",
        "within/b,a,sub/b",
        "..b,a,..b",
        "b.,a,b."
    })
    void pathsInsideFolderAreResolved(String path, String name, String expected) throws Exception {
        assertThat(folder.resolve(path, name)).isEqualTo(root.resolve(expected));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "..            | contains '..', which",
                "../x          | contains '..', which",
                "sub/../../x   | contains '..', which",
                "sub/..        | contains '..', which",
                "./x           | contains '.', which",
                "/etc/passwd   | begins with a slash",
                "/             | begins with a slash",
                "//            | begins with a slash",
                "sub//b        | has an empty name",
                "outside/x     | leads out of the receiver's folder through a link",
                "outside       | leads out of the receiver's folder through a link",
                "above/x       | leads out of the receiver's folder through a link",
                "a\\b          | another invalid character in a name",
                "none/x        | the receiver has no folder 'none'",
                "none/         | the receiver has no folder 'none'",
                ".x.verbs-part | is a name for incomplete files",
                ".x.verbs-state| is a name for incomplete files",
            })
    void pathsOutsideOrMissingAreRefused(String path, String why) {
        assertThatThrownBy(() -> folder.resolve(path, "name"))
                .isInstanceOf(FileRefused.class)
                .hasMessageContaining(why);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "..", ".", "a/b", "/a", "a\\b", "a\nb", "a\u0000b", "\u007f", ".x.verbs-part"})
    void fileNameWithPathOrSpecialCharactersIsRefused(String name) {
        assertThatThrownBy(() -> folder.resolve("", name)).isInstanceOf(FileRefused.class);
        assertThatThrownBy(() -> folder.resolve("sub/", name)).isInstanceOf(FileRefused.class);
    }

    @Test
    void longNamesAreRefused() throws Exception {
        assertThat(folder.resolve("", "x".repeat(242))).isEqualTo(root.resolve("x".repeat(242)));
        assertThatThrownBy(() -> folder.resolve("", "x".repeat(243))).hasMessageContaining("longer than 242 bytes");
        assertThatThrownBy(() -> folder.resolve("", "\u00e4".repeat(122)))
                .hasMessageContaining("longer than 242 bytes");
        assertThatThrownBy(() -> folder.resolve("a/".repeat(600), "b")).hasMessageContaining("longer than 1024 bytes");
    }

    @Test
    void folderCannotBeReplacedByFile() {
        assertThatThrownBy(() -> folder.resolve("sub", "deep")).hasMessageContaining("not a file that can be replaced");
    }
}
