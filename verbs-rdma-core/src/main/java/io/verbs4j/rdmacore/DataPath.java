/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;

/**
 * Selects the code that accesses the queues of a vendor's devices.
 *
 * @param vendor vendor name as used in properties
 * @param java whether Java accesses them; otherwise the vendor's library does
 * @param builds whether requests reach the library by {@code ibv_wr_*}, for which it has separate code; otherwise by
 *     {@code ibv_post_send} where possible
 * @param singleThreaded whether the program promises that no two threads use a queue at the same time, so that no locks
 *     are needed
 * @param chosen whether the program made the choice; otherwise it is the default
 */
public record DataPath(String vendor, boolean java, boolean builds, boolean singleThreaded, boolean chosen) {
    /** {@return the name of the property, whose values are {@code java}, {@code native} and {@code native-wr}} */
    public static String property(String vendor) {
        return "io.verbs4j." + vendor + ".path";
    }

    /**
     * Returns the path that the properties select. The default is Java on x86-64, where Java's fences are known to
     * reach a device, and native elsewhere.
     */
    public static DataPath ofProperties(String vendor) {
        String said = System.getProperty(property(vendor));
        String path = said != null ? said : fencesReachDevices() ? "java" : "native";
        if (!path.equals("java") && !path.equals("native") && !path.equals("native-wr")) {
            throw new VerbsException(
                    Errno.EINVAL,
                    "open_device",
                    "-D" + property(vendor) + "=" + path + ": must be \"java\", \"native\" or \"native-wr\"");
        }
        boolean singleThreaded = Boolean.getBoolean("io.verbs4j." + vendor + ".single-threaded");
        DataPath of = new DataPath(vendor, path.equals("java"), path.equals("native-wr"), singleThreaded, said != null);
        return fencesReachDevices() ? of : of.withoutJava("on this processor Java has no fence that reaches a device");
    }

    /**
     * Returns the path to use if Java cannot access the queues.
     *
     * @param why the reason, in words
     * @throws VerbsException {@link Errno#EOPNOTSUPP} if the program has chosen Java
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
