/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.List;
import java.util.stream.Stream;

/** The programs and libraries that comparisons with C require, which not every machine has. */
public final class RequiredPrograms {
    private RequiredPrograms() {}

    /** Skips a test if something that both sides require is missing. */
    public static void assumeLibmlx5() throws IOException {
        for (String program : List.of("gcc", "make")) {
            assumeTrue(where(program) != null, "no " + program);
        }
        assumeTrue(
                Files.exists(Path.of("/usr/include/infiniband/mlx5dv.h")), "no headers of libibverbs (libibverbs-dev)");
        PathMatcher plugin = FileSystems.getDefault().getPathMatcher("glob:**/libibverbs/libmlx5-rdmav*.so");
        try (Stream<Path> files = Files.find(Path.of("/usr/lib"), 3, (file, a) -> plugin.matches(file))) {
            assumeTrue(files.findAny().isPresent(), "no libmlx5 (ibverbs-providers)");
        }
    }

    /** Returns the path of a program, or null. */
    static Path where(String program) {
        return Stream.of(System.getenv("PATH").split(":"))
                .map(place -> Path.of(place, program))
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
    }
}
