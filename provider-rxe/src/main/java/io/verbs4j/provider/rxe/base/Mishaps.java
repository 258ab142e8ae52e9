/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.base;

import java.lang.System.Logger;

/**
 * Logs the first occurrence of a failure that should not happen. If logging fails, for instance for lack of memory, the
 * next occurrence is logged.
 */
public final class Mishaps {
    private final String what;

    private volatile boolean told;

    /** Creates a reporter with the given log message. */
    public Mishaps(String what) {
        this.what = what;
    }

    /**
     * Rethrows a {@link ThreadDeath}: stopping a thread is deliberate, so it must end even a thread that survives all
     * else.
     */
    @SuppressWarnings("removal")
    public static void passOnDeath(Throwable cause) {
        if (cause instanceof ThreadDeath death) {
            throw death;
        }
    }

    /** As {@link #note}, for a failure that a thread of the device survives; rethrows a {@link ThreadDeath}. */
    public void survive(Throwable cause) {
        passOnDeath(cause);
        note(cause);
    }

    /** Logs the failure unless one was logged before. Never throws. */
    public void note(Throwable cause) {
        if (told || !isFirst()) {
            return;
        }
        try {
            log().log(Logger.Level.ERROR, what, cause);
        } catch (Throwable e) { // the caller still has work to do
            told = false;
        }
    }

    private synchronized boolean isFirst() {
        boolean before = told;
        told = true;
        return !before;
    }

    /** Not a constant, because loading the logging classes takes longer than opening the device. */
    private static Logger log() {
        return System.getLogger(Mishaps.class.getName());
    }
}
