/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Names of the network and of the process ids, as containers have the same addresses and numbers. */
public final class OwnNamespaces {
    /** Where a system has no namespaces. */
    private static final String NONE = "0";

    private static final String NAMES = name("net") + "-" + name("pid");

    private OwnNamespaces() {}

    /** {@return the two names of this process, for names of files} */
    public static String names() {
        return NAMES;
    }

    private static String name(String kind) {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/ns", kind))
                    .toString()
                    .replaceAll("[^0-9]", "");
        } catch (IOException | UnsupportedOperationException e) {
            return NONE;
        }
    }
}
