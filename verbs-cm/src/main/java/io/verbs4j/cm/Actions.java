/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm;

import java.lang.System.Logger.Level;

/** Runs the program's actions in threads of the library. */
final class Actions {
    private Actions() {}

    /** Runs an action unless it is null. Its exceptions are logged, because the thread has more work to do. */
    static void run(Runnable action, String what) {
        if (action == null) {
            return;
        }
        try {
            action.run();
        } catch (Throwable e) {
            log(what, e);
        }
    }

    private static void log(String what, Throwable failure) {
        try {
            System.getLogger(Actions.class.getName()).log(Level.ERROR, "the action for " + what + " failed", failure);
        } catch (Throwable e) {
            failure.addSuppressed(e); // the caller has more work to do
        }
    }
}
