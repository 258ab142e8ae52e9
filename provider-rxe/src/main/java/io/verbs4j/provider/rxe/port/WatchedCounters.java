/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.port;

import io.verbs4j.provider.rxe.files.FileKeeper;
import io.verbs4j.provider.rxe.files.WatchFolder;
import java.io.IOException;
import java.util.Map;
import java.util.function.Supplier;

/** Writes a device's counters to a file while someone of this user watches them, and removes the file afterwards. */
final class WatchedCounters implements FileKeeper.Kept {
    private final String device;
    private final Supplier<Map<String, Long>> counters;

    /** The folder, which takes a while to find. Owned by the keeper; null before it is found and after it failed. */
    private volatile WatchFolder folder;

    private boolean written;
    private boolean over;

    private WatchedCounters(String device, Supplier<Map<String, Long>> counters) {
        this.device = device;
        this.counters = counters;
    }

    /** Starts to check whether anyone watches. */
    static WatchedCounters of(String device, Supplier<Map<String, Long>> counters) {
        WatchedCounters watched = new WatchedCounters(device, counters);
        FileKeeper.keep(watched);
        return watched;
    }

    @Override
    public void refresh() {
        try {
            if (folder == null) {
                folder = WatchFolder.find();
            }
            boolean wanted = folder.isWanted();
            Map<String, Long> now = wanted ? counters.get() : null; // without the lock, because it takes the port's
            synchronized (this) {
                if (wanted && !over) {
                    folder.write(device, now);
                    written = true;
                } else if (written) {
                    folder.remove(device);
                    written = false;
                }
            }
        } catch (IOException e) {
            folder = null;
            System.getLogger(WatchedCounters.class.getName())
                    .log(System.Logger.Level.DEBUG, "counters can't be written for other processes", e);
        }
    }

    /** Removes the file, because the device is no longer in use. */
    synchronized void close() {
        over = true;
        WatchFolder at = folder;
        if (written && at != null) {
            try {
                at.remove(device);
            } catch (IOException e) {
                // a reader detects that this process has ended
            }
            written = false;
        }
    }

    @Override
    public synchronized boolean isOver() {
        return over;
    }
}
