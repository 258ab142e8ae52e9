/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.sim;

/** Cases of a program for a simulated device. */
public final class Cases {
    private Cases() {}

    /** Runs a case. */
    public interface Body {
        void run(String name) throws Exception;
    }

    /**
     * Runs cases one after another, and prints "done" and the name of each. A test starts the program by
     * {@code DeviceSim.runCases}.
     *
     * @param names the names, with commas between them
     */
    public static void run(String names, Body body) {
        for (String name : names.split(",", -1)) {
            try {
                body.run(name);
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException(name, e);
            }
            System.out.println("done " + name);
        }
    }
}
