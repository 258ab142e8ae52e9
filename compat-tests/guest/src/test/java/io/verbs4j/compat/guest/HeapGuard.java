/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.guest;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The library of {@code heap-guard.c}, which ends a process that writes to its heap illegally. */
final class HeapGuard {
    /** The value for processes without a guard. */
    static final String NONE = "none";

    private HeapGuard() {}

    /** Compiles the library; skips the test if there is no compiler. */
    static Path compile(Path folder) {
        Path library = folder.resolve("heap-guard.so");
        String source = Guest.script("heap-guard.c");
        List<String> gcc = new ArrayList<>(List.of("gcc", "-O1", "-Wall", "-Wextra", "-Werror"));
        gcc.addAll(List.of("-shared", "-fPIC", "-fno-builtin", "-o", library.toString(), source, "-lpthread"));
        Guest.compile(gcc);
        return library;
    }
}
