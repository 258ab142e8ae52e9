/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.port;

import java.lang.System.Logger;
import java.util.concurrent.atomic.AtomicBoolean;

/** Tells of what should not have happened, the first time; where there is no memory to tell it, later. Never throws. */
public final class Mishaps {
    private static final Logger LOG = System.getLogger(Mishaps.class.getName());

    private final AtomicBoolean told = new AtomicBoolean();
    private final String what;

    /** What is told. */
    public Mishaps(String what) {
        this.what = what;
    }

    /** It has happened. */
    public void note(Throwable cause) {
        if (told.get() || !told.compareAndSet(false, true)) {
            return;
        }
        try {
            LOG.log(Logger.Level.ERROR, what, cause);
        } catch (Throwable e) { // whoever notes something has more to do after it
            told.set(false);
        }
    }
}
