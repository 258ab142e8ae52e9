/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.copy;

import io.verbs4j.tools.text.Printable;
import io.verbs4j.tools.text.Progress;
import java.util.Locale;

/** The progress of a sender: bytes, percent, rate and remaining time; also events on the way. */
final class CopyProgress implements AutoCloseable {
    private static final long RATE_NANOS = 500_000_000L;

    private final Progress progress;
    private final boolean quiet;
    private String name = "";
    private long total;
    private long rateAt;
    private long rateBytes;
    private double rate;

    /**
     * Creates a display.
     *
     * @param progress where it is shown
     * @param quiet whether it only reports failures
     */
    CopyProgress(Progress progress, boolean quiet) {
        this.progress = progress;
        this.quiet = quiet;
    }

    /** Starts a file, or the rest of it. */
    void begin(String file, long bytes, long done) {
        name = Printable.of(file);
        total = bytes;
        rateAt = System.nanoTime();
        rateBytes = done;
        rate = 0;
    }

    /** Reports how many bytes the receiver has. */
    void at(long done) {
        long now = System.nanoTime();
        if (now - rateAt >= RATE_NANOS) {
            double last = (done - rateBytes) * 1e9 / (now - rateAt);
            rate = rate == 0 ? last : 0.7 * rate + 0.3 * last;
            rateAt = now;
            rateBytes = done;
        }
        progress.at(() -> text(done), total == 0 ? 1 : (double) done / total);
    }

    private String text(long done) {
        String far = name + "  " + megabytes(done) + " of " + megabytes(total) + " MB";
        return rate <= 0
                ? far
                : String.format(Locale.ROOT, "%s, %.1f MB/s, %s left", far, rate / 1e6, time((total - done) / rate));
    }

    /** Reports how many of the bytes that the receiver already has were checked. */
    void checking(long done, long bytes) {
        progress.at(
                () -> name + "  checking " + megabytes(bytes) + " MB that the receiver has",
                bytes == 0 ? 1 : (double) done / bytes);
    }

    private static String megabytes(long bytes) {
        return String.format(Locale.ROOT, "%.1f", bytes / 1e6);
    }

    private static String time(double seconds) {
        long s = (long) Math.ceil(Math.min(seconds, 1e9));
        return s < 60
                ? s + " s"
                : s < 3600
                        ? String.format(Locale.ROOT, "%d:%02d min", s / 60, s % 60)
                        : String.format(Locale.ROOT, "%d:%02d h", s / 3600, s / 60 % 60);
    }

    /** Reports an event that is not a failure. */
    void note(String text) {
        if (!quiet) {
            say(text);
        }
    }

    /** Reports a failure. */
    void say(String text) {
        progress.close();
        System.err.println("verbs: " + Printable.of(text));
    }

    @Override
    public void close() {
        progress.close();
    }
}
