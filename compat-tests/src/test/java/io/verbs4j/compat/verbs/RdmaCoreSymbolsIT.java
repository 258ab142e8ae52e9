/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.program.Program;
import io.verbs4j.testsupport.program.RdmaCore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The list of C's functions matches the libraries and headers of rdma-core 65. */
@Full
class RdmaCoreSymbolsIT {
    private static final Path PROJECT = Path.of("..");
    private static final int RELEASE = 65;

    private static final Map<String, List<String>> HEADERS = Map.of(
            "libibverbs", List.of("infiniband/verbs.h"),
            "libmlx5", List.of("infiniband/mlx5dv.h"),
            "libefa", List.of("infiniband/efadv.h"),
            "librdmacm", List.of("rdma/rdma_cma.h", "rdma/rdma_verbs.h"));

    private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/", Pattern.DOTALL);
    private static final Pattern INLINE = Pattern.compile(
            "static\\s+(?:MLX5DV_ALWAYS_INLINE|inline)?[^;{}()]*?\\b(?!_)(\\w+)\\s*\\([^;{}]*\\)\\s*\\{");

    /** Helpers of other inline functions. */
    private static final Set<String> HELPERS = Set.of("verbs_get_ctx", "rdma_seterrno");

    static Stream<String> libraries() {
        return HEADERS.keySet().stream().sorted();
    }

    private static Path library(String name) throws IOException, InterruptedException {
        Path root = RdmaCore.release(RELEASE).resolve("root");
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> file.getFileName().toString().equals(name + ".so.1"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @ParameterizedTest
    @MethodSource("libraries")
    void exportedFunctionsAreListed(String name) throws IOException, InterruptedException {
        Program.Result result =
                Program.run(List.of("nm", "-D", "--defined-only", library(name).toString()), 60);
        assertThat(result.status()).as(result.text()).isZero();
        Set<String> exported = new TreeSet<>();
        for (String line : result.lines()) {
            String[] words = line.split("\\s+", -1);
            String symbol = words[words.length - 1];
            if ("T".equals(words[words.length - 2]) && !symbol.contains("PRIVATE")) {
                exported.add(symbol.substring(0, symbol.indexOf('@')));
            }
        }
        assertThat(Symbols.of(PROJECT, name, Symbols.EXPORTED)).containsExactlyElementsOf(exported);
    }

    @ParameterizedTest
    @MethodSource("libraries")
    void inlineFunctionsAreListed(String name) throws IOException, InterruptedException {
        Path headers = RdmaCore.release(RELEASE).resolve("root/usr/include");
        Set<String> inline = new TreeSet<>();
        for (String header : HEADERS.get(name)) {
            String text =
                    COMMENT.matcher(Files.readString(headers.resolve(header))).replaceAll("");
            INLINE.matcher(text).results().forEach(match -> inline.add(match.group(1)));
        }
        inline.removeAll(HELPERS);
        inline.removeAll(Symbols.of(PROJECT, name, Symbols.EXPORTED)); // used in the body of a macro
        assertThat(Symbols.of(PROJECT, name, Symbols.INLINE)).containsExactlyElementsOf(inline);
    }
}
