/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.text;

import java.io.PrintStream;
import java.util.Locale;
import java.util.function.Supplier;

/** Shows the progress of long work: a bar if standard error is a terminal, otherwise a line now and then. */
public final class Progress implements AutoCloseable {
    private static final long BAR_NANOS = 100_000_000L;
    private static final long LINE_NANOS = 5_000_000_000L;
    private static final int BAR_WIDTH = 30;

    private final PrintStream out;
    private final boolean terminal;
    private long next = System.nanoTime();
    private int shown;

    /**
     * Creates a display.
     *
     * @param out where it is shown
     * @param terminal whether that is a terminal
     */
    public Progress(PrintStream out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
        next += terminal ? BAR_NANOS : LINE_NANOS;
    }

    /** {@return a display on standard error} */
    public static Progress onStandardError() {
        return new Progress(System.err, Terminal.isStandardError());
    }

    /** {@return a display that shows nothing} */
    public static Progress none() {
        return new Progress(null, false);
    }

    /**
     * Reports progress; cheap enough to be called often.
     *
     * @param what the work, for people
     * @param fraction how much of it is done, 0 to 1
     */
    public void at(String what, double fraction) {
        if (isDue()) {
            show(what, fraction);
        }
    }

    /**
     * Like {@link #at(String, double)}, for a text that takes time to build: it is built only when it is shown.
     *
     * @param what builds the text
     * @param fraction how much of the work is done, 0 to 1
     */
    public void at(Supplier<String> what, double fraction) {
        if (isDue()) {
            show(what.get(), fraction);
        }
    }

    private boolean isDue() {
        if (out == null) {
            return false;
        }
        long now = System.nanoTime();
        if (now - next < 0) {
            return false;
        }
        next = now + (terminal ? BAR_NANOS : LINE_NANOS);
        return true;
    }

    private void show(String what, double fraction) {
        double clipped = Math.max(0, Math.min(1, fraction));
        String percent = String.format(Locale.ROOT, "%3.0f %%", clipped * 100);
        if (terminal) {
            int done = (int) Math.round(clipped * BAR_WIDTH);
            String line = "[" + "#".repeat(done) + ".".repeat(BAR_WIDTH - done) + "] " + percent + "  " + what;
            out.print('\r' + line + " ".repeat(Math.max(0, shown - line.length())));
            shown = line.length();
        } else {
            out.println(what + ": " + percent.trim());
        }
        out.flush();
    }

    /** Removes the bar, so that other output can be written. */
    @Override
    public void close() {
        if (shown > 0) {
            out.print('\r' + " ".repeat(shown) + '\r');
            out.flush();
            shown = 0;
        }
    }
}
