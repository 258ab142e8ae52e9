/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.testsupport.Patience;
import java.lang.management.ManagementFactory;
import java.lang.management.MonitorInfo;
import java.lang.management.ThreadInfo;
import java.util.Arrays;

/**
 * Checks whether a waiting thread would release its carrier if it were virtual, also on JDK 21 to 23: it parks, and
 * holds no monitor.
 */
public final class Monitors {
    private Monitors() {}

    /** Waits until a thread waits, and checks how. */
    public static void assertNoneIsHeldBy(Thread waiting) {
        ThreadInfo info = of(waiting);
        for (int turn = 0;
                info.getThreadState() != Thread.State.WAITING && info.getThreadState() != Thread.State.TIMED_WAITING;
                turn++) {
            Patience.pause(turn);
            info = of(waiting);
        }
        assertThat(info.getStackTrace())
                .as("stack of the waiting thread")
                .anyMatch(frame -> frame.getClassName().equals("java.util.concurrent.locks.LockSupport"))
                .noneMatch(frame -> frame.getClassName().equals(Object.class.getName()));
        assertThat(Arrays.stream(info.getLockedMonitors()).map(MonitorInfo::getLockedStackFrame))
                .as("monitors held")
                .isEmpty();
    }

    private static ThreadInfo of(Thread thread) {
        return ManagementFactory.getThreadMXBean().getThreadInfo(new long[] {thread.getId()}, true, false)[0];
    }
}
