/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.base;

import java.io.IOException;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * Identifies a process. Reads Linux's files where possible: {@link ProcessHandle} loads a hundred more classes, which
 * would delay the first message, and derives start times from the wall clock, which may be set.
 *
 * @param pid the process number
 * @param began when the process started, to distinguish it from others with the same number
 */
public record OwnProcess(long pid, String began) {
    /** Indexes of fields after the program's name; see proc_pid_stat(5). */
    private static final int STATE = 0;

    private static final int THREADS = 17;
    private static final int START_TIME = 19;

    /** Read once, because Linux needs a third of a millisecond to produce the file. */
    private static final OwnProcess THIS = look();

    /** {@return this process} */
    public static OwnProcess find() {
        return THIS;
    }

    /** Not the generated method: with that, the JDK would keep this class's class loader alive. */
    @Override
    public boolean equals(Object other) {
        return other instanceof OwnProcess process && pid == process.pid && began.equals(process.began);
    }

    @Override
    public int hashCode() {
        return Objects.hash(pid, began);
    }

    private static OwnProcess look() {
        try {
            return of(ProcFile.read("/proc/self/stat"));
        } catch (IOException e) {
            ProcessHandle me = ProcessHandle.current();
            return new OwnProcess(me.pid(), began(me));
        }
    }

    /** {@return whether this process still runs and the number was not reused, as far as the system shows} */
    public boolean isAlive() {
        if (equals(THIS)) {
            return true;
        }
        try {
            String stat = ProcFile.read("/proc/" + pid + "/stat");
            String[] fields = fields(stat);
            String state = fields[STATE];
            // While a process is being killed, its first thread may have ended before the others.
            boolean ended = "X".equals(state) || "Z".equals(state) && Integer.parseInt(fields[THREADS]) <= 1;
            return of(stat).equals(this) && !ended;
        } catch (IOException e) {
            Optional<ProcessHandle> process = ProcessHandle.of(pid);
            // A Linux without /proc shows no process, not even this one: then every process counts as running.
            return process.isPresent()
                    ? began(process.get()).equals(began)
                    : ProcessHandle.of(THIS.pid).isEmpty();
        }
    }

    private static String began(ProcessHandle process) {
        return process.info().startInstant().map(Instant::toString).orElse("-");
    }

    /** Parses Linux's line: {@code pid (name) fields}; the name may contain any character. */
    static OwnProcess of(String stat) {
        long pid = Long.parseLong(stat.substring(0, stat.indexOf(' ')));
        return new OwnProcess(pid, fields(stat)[START_TIME]);
    }

    private static String[] fields(String stat) {
        return stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    }
}
