/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.base;

import java.lang.System.Logger;

/** Tells of what should not have happened, the first time; where there is no memory to tell it, later. */
public final class Mishaps {
    private final String what;

    private volatile boolean told;

    /** What is told. */
    public Mishaps(String what) {
        this.what = what;
    }

    /** Whoever stops a thread means it: that goes through whatever else a thread of the device survives. */
    @SuppressWarnings("removal")
    public static void passOnDeath(Throwable cause) {
        if (cause instanceof ThreadDeath death) {
            throw death;
        }
    }

    /** As {@link #note}, for what a thread of the device survives; throws where it is meant to end. */
    public void survive(Throwable cause) {
        passOnDeath(cause);
        note(cause);
    }

    /** It has happened. Never throws. */
    public void note(Throwable cause) {
        if (told || !isFirst()) {
            return;
        }
        try {
            log().log(Logger.Level.ERROR, what, cause);
        } catch (Throwable e) { // whoever notes something has more to do after it
            told = false;
        }
    }

    private synchronized boolean isFirst() {
        boolean before = told;
        told = true;
        return !before;
    }

    /** Not a constant: to load what logs takes longer than to open the device. */
    private static Logger log() {
        return System.getLogger(Mishaps.class.getName());
    }
}
