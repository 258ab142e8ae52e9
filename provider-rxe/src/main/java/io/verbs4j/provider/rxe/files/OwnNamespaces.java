/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Identifies the network and process id namespaces of this process: different containers may use the same addresses and
 * process numbers.
 */
public final class OwnNamespaces {
    /** Used if the system has no namespaces. */
    private static final String NONE = "0";

    /** The process id namespace of the machine's first process. */
    private static final String FIRST_OF_PROCESSES = "4026531836";

    /** Shift that keeps the bits of the product that both numbers affect. */
    private static final int SCATTERED = 36;

    private static final String PROCESSES = name("pid");
    private static final String NAMES = name("net") + "-" + PROCESSES;

    private OwnNamespaces() {}

    /** {@return the two namespaces of this process, for use in file names} */
    public static String names() {
        return NAMES;
    }

    /** {@return the number of the process id namespace; 0 if the system has none} */
    public static long ofProcesses() {
        return Long.parseLong(PROCESSES);
    }

    /**
     * Returns a number for a process that identifies it among all processes on the same network, even though containers
     * number their processes from 1.
     *
     * @param pid the process's number in this process's namespace
     * @return the same number outside containers; otherwise a hash of it and the container's namespace
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

    /** Returns the number in a text such as {@code pid:[4026531836]}. */
    private static String name(String kind) {
        try {
            String link = Files.readSymbolicLink(Path.of("/proc/self/ns", kind)).toString();
            return link.substring(link.indexOf('[') + 1, link.lastIndexOf(']'));
        } catch (IOException | UnsupportedOperationException e) {
            return NONE;
        }
    }
}
