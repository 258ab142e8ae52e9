/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Checks whether the system lets processes of a user read each other; Linux's Yama or a similar module may forbid it.
 */
final class Ptrace {
    private static final Path SCOPE = Path.of("/proc/sys/kernel/yama/ptrace_scope");
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String CAPABILITIES = "CapEff:";
    private static final int CAP_SYS_PTRACE = 19;

    private Ptrace() {}

    /** Returns why processes of this user must not read each other, as far as known in advance; null if they may. */
    static String problem() {
        try {
            String scope = Files.exists(SCOPE) ? Files.readString(SCOPE).strip() : "0";
            return scope.equals("0") || !scope.equals("3") && mayTrace()
                    ? null
                    : "kernel.yama.ptrace_scope is " + scope + ": processes may not read each other";
        } catch (IOException e) {
            return null; // the first attempt shows it
        }
    }

    private static boolean mayTrace() throws IOException {
        return Files.readAllLines(STATUS).stream()
                .filter(line -> line.startsWith(CAPABILITIES))
                .anyMatch(line -> (Long.parseUnsignedLong(
                                                line.substring(CAPABILITIES.length())
                                                        .strip(),
                                                16)
                                        >>> CAP_SYS_PTRACE
                                & 1)
                        != 0);
    }
}
