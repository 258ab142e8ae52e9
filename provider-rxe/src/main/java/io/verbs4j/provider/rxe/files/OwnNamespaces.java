/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Names of the network and of the process ids, as containers have the same addresses and numbers. */
public final class OwnNamespaces {
    /** Where a system has no namespaces. */
    private static final String NONE = "0";

    /** That of the machine's first process. */
    private static final String FIRST_OF_PROCESSES = "4026531836";

    /** Where both numbers have changed the product's bits. */
    private static final int SCATTERED = 36;

    private static final String PROCESSES = name("pid");
    private static final String NAMES = name("net") + "-" + PROCESSES;

    private OwnNamespaces() {}

    /** {@return the two names of this process, for names of files} */
    public static String names() {
        return NAMES;
    }

    /** {@return the number of the namespace of process ids; 0 where the system has none} */
    public static long ofProcesses() {
        return Long.parseLong(PROCESSES);
    }

    /**
     * A number for a process among all that use the same network, where containers number their own from 1.
     *
     * @param pid the process's number in this process's namespace
     * @return the same number outside of containers; else one that is scattered by the container's
     */
    public static long number(long pid) {
        return number(pid, PROCESSES);
    }

    static long number(long pid, String namespace) {
        if (namespace.equals(FIRST_OF_PROCESSES) || namespace.equals(NONE) || namespace.isEmpty()) {
            return pid;
        }
        return (Long.parseLong(namespace) << Integer.SIZE ^ pid) * 0x9e3779b97f4a7c15L >>> SCATTERED;
    }

    /** The number in a text such as {@code pid:[4026531836]}. */
    private static String name(String kind) {
        try {
            String link = Files.readSymbolicLink(Path.of("/proc/self/ns", kind)).toString();
            return link.substring(link.indexOf('[') + 1, link.lastIndexOf(']'));
        } catch (IOException | UnsupportedOperationException e) {
            return NONE;
        }
    }
}
