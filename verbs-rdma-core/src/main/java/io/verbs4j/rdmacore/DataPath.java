/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;

/**
 * Who writes and reads the queues of a vendor's devices.
 *
 * @param vendor as properties name it
 * @param java whether Java does; else the vendor's library
 * @param builds whether that is asked by {@code ibv_wr_*}, which it has another code for; else by {@code ibv_post_send} where that can
 * @param singleThreaded whether the program says that no two threads use one queue at a time, so that there are no locks
 * @param chosen whether the program has said who; else it is the one that is usual
 */
public record DataPath(String vendor, boolean java, boolean builds, boolean singleThreaded, boolean chosen) {
    /** The name of the property: {@code java}, {@code native} or {@code native-wr}. */
    public static String property(String vendor) {
        return "io.verbs4j." + vendor + ".path";
    }

    /** As the properties say. Where they are not there: Java on x86-64, whose fences are known to reach a device. */
    public static DataPath ofProperties(String vendor) {
        String said = System.getProperty(property(vendor));
        String path = said != null ? said : fencesReachDevices() ? "java" : "native";
        if (!path.equals("java") && !path.equals("native") && !path.equals("native-wr")) {
            throw new VerbsException(
                    Errno.EINVAL,
                    "open_device",
                    "-D" + property(vendor) + "=" + path + ": it is \"java\", \"native\" or \"native-wr\"");
        }
        boolean singleThreaded = Boolean.getBoolean("io.verbs4j." + vendor + ".single-threaded");
        DataPath of = new DataPath(vendor, path.equals("java"), path.equals("native-wr"), singleThreaded, said != null);
        return fencesReachDevices() ? of : of.withoutJava("on this processor Java has no fence that reaches a device");
    }

    /**
     * The path where Java can't.
     *
     * @param why in words
     * @throws VerbsException {@link Errno#EOPNOTSUPP} where the program has chosen Java
     */
    public DataPath withoutJava(String why) {
        if (java && chosen) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP, "open_device", "-D" + property(vendor) + "=java: " + why + "; leave it out");
        }
        return new DataPath(vendor, false, builds, singleThreaded, chosen);
    }

    private static boolean fencesReachDevices() {
        return "amd64".equals(System.getProperty("os.arch"));
    }
}
