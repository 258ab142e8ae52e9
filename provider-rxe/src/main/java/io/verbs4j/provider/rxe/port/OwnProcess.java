/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.port;

import io.verbs4j.provider.rxe.memory.ProcFile;
import java.io.IOException;

/**
 * This process. As Linux tells it, where it does: {@link ProcessHandle} loads a hundred classes more, which the first message would wait for.
 *
 * @param pid its number
 * @param began when it began: processes before and after it may have had its number
 */
record OwnProcess(long pid, String began) {
    /** Which of the fields behind the program's name, see proc_pid_stat(5). */
    private static final int START_TIME = 19;

    private static final OwnProcess THIS = look();

    /** Looked at once: Linux takes a third of a millisecond to write down what it tells of a process. */
    static OwnProcess find() {
        return THIS;
    }

    private static OwnProcess look() {
        try {
            return of(ProcFile.read("/proc/self/stat"));
        } catch (IOException e) {
            ProcessHandle me = ProcessHandle.current();
            return new OwnProcess(me.pid(), me.info().startInstant().toString());
        }
    }

    /** By the line of Linux: {@code pid (name) fields}; a name can have anything in it. */
    static OwnProcess of(String stat) {
        long pid = Long.parseLong(stat.substring(0, stat.indexOf(' ')));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return new OwnProcess(pid, fields[START_TIME]);
    }
}
