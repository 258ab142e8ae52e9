/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.rdmacore;

import io.verbs4j.SendWorkRequest;
import java.lang.invoke.MethodHandle;

/**
 * Posts to four rings of four class loaders in turn, each through a separate call. The program has one thread, and
 * takes no locks.
 */
final class DirectEach {
    /** The class loaders, to be set before the first use of {@link DirectEach}. */
    static final class Loaders {
        static ClassLoader[] all;

        private Loaders() {}
    }

    private static final MethodHandle POST_0 = post(0);
    private static final MethodHandle POST_1 = post(1);
    private static final MethodHandle POST_2 = post(2);
    private static final MethodHandle POST_3 = post(3);

    private DirectEach() {}

    private static MethodHandle post(int i) {
        try {
            return Ring.post(Loaders.all[i]);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    static int post(Object[] rings, SendWorkRequest[][] requests, SendWorkRequest[] badWr) {
        try {
            return post0(rings[0], requests[0], badWr)
                    | post1(rings[1], requests[1], badWr)
                    | post2(rings[2], requests[2], badWr)
                    | post3(rings[3], requests[3], badWr);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static int post0(Object ring, SendWorkRequest[] requests, SendWorkRequest[] badWr) throws Throwable {
        int error = 0;
        for (SendWorkRequest wr : requests) {
            error |= (int) POST_0.invokeExact(ring, wr, badWr);
        }
        return error;
    }

    private static int post1(Object ring, SendWorkRequest[] requests, SendWorkRequest[] badWr) throws Throwable {
        int error = 0;
        for (SendWorkRequest wr : requests) {
            error |= (int) POST_1.invokeExact(ring, wr, badWr);
        }
        return error;
    }

    private static int post2(Object ring, SendWorkRequest[] requests, SendWorkRequest[] badWr) throws Throwable {
        int error = 0;
        for (SendWorkRequest wr : requests) {
            error |= (int) POST_2.invokeExact(ring, wr, badWr);
        }
        return error;
    }

    private static int post3(Object ring, SendWorkRequest[] requests, SendWorkRequest[] badWr) throws Throwable {
        int error = 0;
        for (SendWorkRequest wr : requests) {
            error |= (int) POST_3.invokeExact(ring, wr, badWr);
        }
        return error;
    }
}
