/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.base;

import java.io.IOException;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * A process. As Linux tells it, where it does: {@link ProcessHandle} loads a hundred classes more, which the first
 * message would wait for, and reckons start times by the wall clock, which may be set.
 *
 * @param pid its number
 * @param began when it began: processes before and after it may have had its number
 */
public record OwnProcess(long pid, String began) {
    /** Which of the fields behind the program's name, see proc_pid_stat(5). */
    private static final int STATE = 0;

    private static final int THREADS = 17;
    private static final int START_TIME = 19;

    /** Looked at once: Linux takes a third of a millisecond to write down what it tells of a process. */
    private static final OwnProcess THIS = look();

    /** {@return this process} */
    public static OwnProcess find() {
        return THIS;
    }

    /** Not the generated one: by it the JDK would keep the class loader of this class. */
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

    /** {@return whether the process runs, and is not a later one with its number, as far as the system tells} */
    public boolean isAlive() {
        if (equals(THIS)) {
            return true;
        }
        try {
            String stat = ProcFile.read("/proc/" + pid + "/stat");
            String[] fields = fields(stat);
            String state = fields[STATE];
            // While one is killed, its first thread may have ended before others.
            boolean ended = "X".equals(state) || "Z".equals(state) && Integer.parseInt(fields[THREADS]) <= 1;
            return of(stat).equals(this) && !ended;
        } catch (IOException e) {
            Optional<ProcessHandle> process = ProcessHandle.of(pid);
            // A Linux without /proc tells of no process, not even of this one: then all count as running.
            return process.isPresent()
                    ? began(process.get()).equals(began)
                    : ProcessHandle.of(THIS.pid).isEmpty();
        }
    }

    private static String began(ProcessHandle process) {
        return process.info().startInstant().map(Instant::toString).orElse("-");
    }

    /** By the line of Linux: {@code pid (name) fields}; a name can have anything in it. */
    static OwnProcess of(String stat) {
        long pid = Long.parseLong(stat.substring(0, stat.indexOf(' ')));
        return new OwnProcess(pid, fields(stat)[START_TIME]);
    }

    private static String[] fields(String stat) {
        return stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    }
}
