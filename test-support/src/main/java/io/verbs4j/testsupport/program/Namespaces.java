/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.testsupport.program;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Namespaces of the kernel, like those of containers. */
public final class Namespaces {
    private static final int SECONDS = 20;

    private static final String ONE_LOOPBACK_ADDRESS =
            "ip link set lo up;" + " ip address del 127.0.0.1/8 dev lo;" + " ip address add 127.0.0.1/32 dev lo;";

    /** Without /proc the JVM does not find its libraries by itself. */
    private static final String NO_KERNEL_FILES = " mount -t tmpfs none /proc;"
            + " mount -t tmpfs none /sys;"
            + " export LD_LIBRARY_PATH=" + System.getProperty("java.home") + "/lib;";

    private Namespaces() {}

    /**
     * Returns the command that starts a process in its own namespaces; skips the test if they are refused.
     *
     * @param options options of {@code unshare}, of util-linux
     */
    public static List<String> unshared(String... options) throws IOException, InterruptedException {
        assumeTrue(Program.isOnPath("unshare"), "unshare is not installed (util-linux)");
        List<String> command = new ArrayList<>(List.of("unshare"));
        command.addAll(List.of(options));
        command.add("true");
        Program.Result result = Program.run(command, SECONDS);
        assumeTrue(result.status() == 0, command + " fails here: " + result.lines());
        command.remove(command.size() - 1);
        return command;
    }

    /**
     * Returns the command that starts a process on a network like that of macOS, with 127.0.0.1 and ::1 as its only
     * addresses. Skips the test if it cannot be created.
     */
    public static List<String> withOneLoopbackAddress() throws IOException, InterruptedException {
        return after(ONE_LOOPBACK_ADDRESS);
    }

    /**
     * As {@link #withOneLoopbackAddress}, and without /proc and /sys. Unlike on macOS, the running processes cannot be
     * listed. Skips the test if it cannot be created.
     */
    public static List<String> likeMacOs() throws IOException, InterruptedException {
        return after(ONE_LOOPBACK_ADDRESS + NO_KERNEL_FILES);
    }

    private static List<String> after(String script) throws IOException, InterruptedException {
        assumeTrue(Program.isOnPath("ip"), "ip is not installed (iproute2)");
        List<String> command = unshared("--map-root-user", "--net", "--mount");
        command.addAll(List.of("sh", "-e", "-c", script + " exec \"$@\"", "sh"));
        return command;
    }
}
