/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.quirk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Outside the package {@code quirk}, the code of this module names no vendor, library or driver. Comments may, and
 * {@code module-info}, which names the modules that the packages are exported to.
 */
class VendorNamesTest {
    private static final Path SOURCES = Path.of("src/main/java");

    private static final Pattern VENDOR = Pattern.compile("(?i:mlx|mthca|nvidia|mellanox|connectx|bluefield)"
            + "|(?i:softroce|software iwarp|gaudi|habana|bnxt|irdma|erdma|cxgb|qedr|hfi1)"
            + "|hbl|Hbl|HBL|rxe|Rxe|RXE|siw|Siw|SIW|hns|Hns|HNS"
            + "|(?<![a-z])efa(?![a-z])|Efa(?![a-z])|(?<![A-Z])EFA(?![A-Z])");

    private static final Pattern STRING_OR_COMMENT =
            Pattern.compile("(\"(?:\\\\.|[^\"\\\\\n])*\")|/\\*.*?\\*/|//[^\n]*", Pattern.DOTALL);

    private static String withoutComments(String source) {
        return STRING_OR_COMMENT
                .matcher(source)
                .replaceAll(found -> found.group(1) == null ? " " : Matcher.quoteReplacement(found.group(1)));
    }

    private static List<String> vendors(String source) {
        return VENDOR.matcher(withoutComments(source))
                .results()
                .map(MatchResult::group)
                .toList();
    }

    @Test
    void genericCodeNamesNoVendor() throws IOException {
        Map<Path, List<String>> found = new TreeMap<>();
        int read = 0;
        try (Stream<Path> files = Files.walk(SOURCES)) {
            for (Path file : files.filter(VendorNamesTest::isGeneric).toList()) {
                read++;
                List<String> vendors = vendors(Files.readString(file));
                if (!vendors.isEmpty()) {
                    found.put(file, vendors);
                }
            }
        }
        assertThat(read).as("files of generic code").isGreaterThan(100);
        assertThat(found)
                .as("what holds for one driver alone is a method of Quirks, which its driver overrides")
                .isEmpty();
    }

    private static boolean isGeneric(Path file) {
        return file.toString().endsWith(".java")
                && !file.endsWith("module-info.java")
                && !file.startsWith(SOURCES.resolve("io/verbs4j/rdmacore/quirk"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "if (kernel.isMlx5()) {",
                "new Mlx5Clock(context)",
                "verb.equals(\"mlx5dv_create_qp\")",
                "boolean softRoce;",
                "kernel.isEfa()",
                "boolean efa; // null",
                "Driver.EFA",
                "Driver.RXE",
                "\"the kernel's rdma_rxe\" /* none */",
                "text.startsWith(\"Software iWARP\")",
                "\"// libmlx5\""
            })
    void nameInCodeIsFound(String code) {
        assertThat(vendors(code)).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "return 0; // as libmlx5 does",
                "/** libefa\n * and rdma_rxe */ int a;",
                "throw new VerbsException(Errno.EFAULT, verb, \"default\");",
                "IbvMw window = maxReads;"
            })
    void commentsAndOtherWordsAreNot(String code) {
        assertThat(vendors(code)).isEmpty();
    }
}
