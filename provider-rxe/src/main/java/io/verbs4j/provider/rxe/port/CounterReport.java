/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.port;

import io.verbs4j.rxedv.RxeDv;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.System.Logger;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Writes the counters of a device when its last context is closed, or at the end of the JVM if contexts are still open:
 * a line {@code device counter value} for each counter that is not 0.
 *
 * <p>Each time, the file is rewritten with all devices that report to it, so that it always has the latest values.
 */
final class CounterReport {
    private static final String STANDARD_ERROR = "-";
    private static final CounterReport NONE = new CounterReport(null);
    private static final Map<String, CounterReport> REPORTS = new ConcurrentHashMap<>();

    private final String target;
    private final Map<String, RxeDv> open = new LinkedHashMap<>();
    private final Map<String, Map<String, Long>> closed = new LinkedHashMap<>();

    /**
     * Null while no device is in use, because the JVM's list of hooks would keep this class's loader from being
     * unloaded.
     */
    private Thread hook;

    private CounterReport(String target) {
        this.target = target;
    }

    /**
     * Returns the report for a target, shared by all devices; the target is a file name, - for standard error, or null
     * for none.
     */
    static CounterReport to(String target) {
        if (target == null) {
            return NONE;
        }
        return REPORTS.computeIfAbsent(target, CounterReport::new);
    }

    /** Notes that a device is in use. */
    synchronized void opened(String device, RxeDv counters) {
        if (target == null) {
            return;
        }
        if (hook == null) {
            Thread thread = new Thread(this::ended, "rxe-counters");
            try {
                Runtime.getRuntime().addShutdownHook(thread);
                hook = thread;
            } catch (IllegalStateException e) {
                return; // the JVM is shutting down
            }
        }
        open.put(device, counters);
    }

    /** Writes the counters of a device that is no longer in use. */
    synchronized void closed(String device) {
        RxeDv counters = open.remove(device);
        if (counters != null) {
            closed.put(device, counters.counters());
            write(device);
        }
        if (open.isEmpty() && hook != null) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                return; // called from the hook itself
            }
            hook = null;
        }
    }

    private synchronized void ended() {
        for (String device : open.keySet().toArray(String[]::new)) {
            closed(device);
        }
    }

    private void write(String device) {
        if (target.equals(STANDARD_ERROR)) {
            print(System.err, device);
            return;
        }
        try (PrintStream out = new PrintStream(Files.newOutputStream(Path.of(target)), false, "UTF-8")) {
            closed.keySet().forEach(each -> print(out, each));
        } catch (IOException | InvalidPathException e) {
            log().log(Logger.Level.WARNING, "counters can't be written to " + target, e); // no reason for close to fail
        }
    }

    private void print(PrintStream out, String device) {
        closed.get(device).forEach((counter, value) -> {
            if (value != 0) {
                out.println(device + " " + counter + " " + value);
            }
        });
    }

    /** Not a constant, because loading the logging classes takes longer than opening the device. */
    private static Logger log() {
        return System.getLogger(CounterReport.class.getName());
    }
}
