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
 * Maintains the files by which other processes find this one. A daemon thread runs as long as such files exist.
 * Temporary folders are cleaned of old files, or emptied when a machine or container starts.
 */
public final class FileKeeper {
    /** Maximum age of a file: cleaners remove files that were not touched for days. */
    private static final long TOUCH_MILLIS = TimeUnit.HOURS.toMillis(1);

    private static final long PERIOD_MILLIS = TimeUnit.SECONDS.toMillis(2);

    private static final Mishaps MISHAPS = new Mishaps("the thread that maintains files continues after a failure");
    private static final Set<Kept> KEPT = new HashSet<>();
    private static Thread keeper;

    private FileKeeper() {}

    /** Files to maintain. Must not define {@code equals}. */
    public interface Kept {
        /** Recreates missing files and {@linkplain #touch touches} the others. */
        void refresh();

        /** Returns whether no files are left to maintain. */
        boolean isOver();
    }

    /** Maintains the files until {@link Kept#isOver}. */
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
     * Marks a file as in use, for cleaners of temporary files. A file's time has no other meaning: a process never
     * counts as dead because its file is old or dated in the future.
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
            } catch (Throwable e) { // such as a lack of memory, which may be over at the next pass
                MISHAPS.survive(e);
            }
        }
    }

    /** Waits, then refreshes all files; returns whether any are left to maintain. */
    private static boolean pass() {
        List<Kept> all;
        synchronized (KEPT) {
            try {
                KEPT.wait(PERIOD_MILLIS);
            } catch (InterruptedException e) {
                // nothing interrupts this thread on purpose
            }
            KEPT.removeIf(Kept::isOver); // first, because refreshing finished ones may no longer be possible
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
                    .log(System.Logger.Level.DEBUG, "files could not be maintained", e);
        }
    }
}
