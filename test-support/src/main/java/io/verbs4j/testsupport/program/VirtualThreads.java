/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.testsupport.program;

import java.lang.reflect.Method;
import java.util.List;

/** Virtual threads for programs that are compiled for 17 and run on JDK 21 or newer. */
public final class VirtualThreads {
    /** The first JDK that has them. */
    public static final int SINCE = 21;

    /** Options that limit them to one carrier: a virtual thread that keeps it while it waits stops all others. */
    public static final List<String> ONE_CARRIER =
            List.of("-Djdk.virtualThreadScheduler.parallelism=1", "-Djdk.virtualThreadScheduler.maxPoolSize=1");

    private VirtualThreads() {}

    /** Starts a virtual thread. */
    public static Thread start(Runnable body) {
        try {
            Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
            return (Thread) start.invoke(null, body);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("no virtual threads here", e);
        }
    }
}
