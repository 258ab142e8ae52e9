/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.gsi;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Looks after the names that this process has published: one daemon thread, as long as there are any. A temporary
 * folder is cleaned of what is old, or of everything when a machine or a container starts.
 */
final class NameKeeper {
    /** How old a file may get: cleaners remove what nobody has touched for days. */
    static final long TOUCH_MILLIS = TimeUnit.HOURS.toMillis(1);

    private static final long PERIOD_MILLIS = TimeUnit.SECONDS.toMillis(2);

    private static final Set<LocalNames> KEPT = new HashSet<>();
    private static Thread keeper;

    private NameKeeper() {}

    static void keep(LocalNames names) {
        synchronized (KEPT) {
            KEPT.add(names);
            if (keeper == null) {
                keeper = new Thread(NameKeeper::run, "verbs4j names");
                keeper.setDaemon(true);
                keeper.start();
            }
        }
    }

    private static void run() {
        while (true) {
            List<LocalNames> all;
            synchronized (KEPT) {
                try {
                    KEPT.wait(PERIOD_MILLIS);
                } catch (InterruptedException e) {
                    // nobody is told to interrupt it
                }
                if (KEPT.isEmpty()) {
                    keeper = null;
                    return;
                }
                all = new ArrayList<>(KEPT);
            }
            for (LocalNames names : all) {
                refresh(names);
                synchronized (KEPT) {
                    if (names.isEmpty()) {
                        KEPT.remove(names);
                    }
                }
            }
        }
    }

    private static void refresh(LocalNames names) {
        try {
            names.refresh();
        } catch (RuntimeException e) {
            System.getLogger(NameKeeper.class.getName())
                    .log(System.Logger.Level.DEBUG, "names are not looked after", e);
        }
    }
}
