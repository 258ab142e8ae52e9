/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.files;

import io.verbs4j.provider.rxe.base.Mishaps;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Looks after the files by which other processes find this one: one daemon thread, as long as there are any. A
 * temporary folder is cleaned of what is old, or of everything when a machine or a container starts.
 */
public final class FileKeeper {
    /** How old a file may get: cleaners remove what nobody has touched for days. */
    private static final long TOUCH_MILLIS = TimeUnit.HOURS.toMillis(1);

    private static final long PERIOD_MILLIS = TimeUnit.SECONDS.toMillis(2);

    private static final Mishaps MISHAPS = new Mishaps("the thread that looks after files goes on after a failure");
    private static final Set<Kept> KEPT = new HashSet<>();
    private static Thread keeper;

    private FileKeeper() {}

    /** Files that are looked after. Must not define {@code equals}. */
    public interface Kept {
        /** Makes again what is gone, and {@linkplain #touch touches} the rest. */
        void refresh();

        /** Whether there is nothing to look after any more. */
        boolean isOver();
    }

    /** Looks after files until that is over. */
    public static void keep(Kept files) {
        synchronized (KEPT) {
            KEPT.add(files);
            if (keeper == null) {
                keeper = new Thread(FileKeeper::run, "verbs4j files");
                keeper.setDaemon(true);
                keeper.start();
            }
        }
    }

    /**
     * Tells cleaners of temporary files that a file is in use. Its time says nothing else: nobody is taken for dead
     * because a file is old, or written tomorrow.
     */
    public static void touch(Path file) throws IOException {
        long now = Instant.now().toEpochMilli();
        if (Math.abs(now - Files.getLastModifiedTime(file).toMillis()) > TOUCH_MILLIS) {
            Files.setLastModifiedTime(file, FileTime.fromMillis(now));
        }
    }

    private static void run() {
        boolean more = true;
        while (more) {
            try {
                more = pass();
            } catch (Throwable e) { // such as a lack of memory: there may be some again at the next pass
                MISHAPS.survive(e);
            }
        }
    }

    /** Waits, then looks after all; answers whether there is more to do. */
    private static boolean pass() {
        List<Kept> all;
        synchronized (KEPT) {
            try {
                KEPT.wait(PERIOD_MILLIS);
            } catch (InterruptedException e) {
                // nobody is told to interrupt it
            }
            KEPT.removeIf(Kept::isOver); // first: to look after what is over may not even be possible any more
            if (KEPT.isEmpty()) {
                keeper = null;
                return false;
            }
            all = new ArrayList<>(KEPT);
        }
        for (Kept files : all) {
            refresh(files);
        }
        return true;
    }

    private static void refresh(Kept files) {
        try {
            files.refresh();
        } catch (RuntimeException e) {
            System.getLogger(FileKeeper.class.getName())
                    .log(System.Logger.Level.DEBUG, "files are not looked after", e);
        }
    }
}
