/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;

/**
 * Who writes and reads the queues.
 *
 * @param java whether Java does; else libmlx5
 * @param builds whether that is asked by {@code ibv_wr_*}, which it has another code for; else by {@code ibv_post_send}
 * @param singleThreaded whether the program says that no two threads use one queue at a time, so that there are no locks
 */
record DataPath(boolean java, boolean builds, boolean singleThreaded) {
    /** Property: {@code java}, {@code native} or {@code native-wr}. */
    static final String PATH = "io.verbs4j.mlx5.path";

    /** Property: {@code true} or {@code false}. */
    static final String SINGLE_THREADED = "io.verbs4j.mlx5.single-threaded";

    /** As the properties say. Where they are not there: Java on x86-64, whose fences are known to reach a device. */
    static DataPath ofProperties() {
        String path = System.getProperty(PATH, fencesReachDevices() ? "java" : "native");
        if (!path.equals("java") && !path.equals("native") && !path.equals("native-wr")) {
            throw new VerbsException(
                    Errno.EINVAL,
                    "open_device",
                    "-D" + PATH + "=" + path + ": it is \"java\", \"native\" or \"native-wr\"");
        }
        if (path.equals("java") && !fencesReachDevices()) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    "open_device",
                    "-D" + PATH + "=java: on this processor Java has no fence that reaches a device; leave it out");
        }
        return new DataPath(path.equals("java"), path.equals("native-wr"), Boolean.getBoolean(SINGLE_THREADED));
    }

    /**
     * Whether stores to a doorbell register may be combined with others, and leave the processor late. Only where the program's
     * environment tells libmlx5 to keep off BlueFlame are the registers in a page that is not cached.
     *
     * @param halfSize of the register; 0 where it takes a doorbell and nothing more
     */
    boolean combines(int halfSize) {
        return halfSize != 0 || !isSet("MLX5_SHUT_UP_BF", "0");
    }

    /** Whether single requests with inline data are copied to a doorbell register that takes them, if nobody says otherwise. */
    boolean blueFlame() {
        return !isSet("MLX5_SHUT_UP_BF", "0");
    }

    /** Whether all single requests are, with or without inline data. */
    boolean prefersBlueFlame() {
        return isSet("MLX5_POST_SEND_PREFER_BF", "1");
    }

    private static boolean isSet(String variable, String otherwise) {
        return !System.getenv().getOrDefault(variable, otherwise).equals("0");
    }

    private static boolean fencesReachDevices() {
        return "amd64".equals(System.getProperty("os.arch"));
    }
}
