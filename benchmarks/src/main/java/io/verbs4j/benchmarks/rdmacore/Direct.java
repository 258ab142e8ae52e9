/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.rdmacore;

import io.verbs4j.SendWorkRequest;
import java.lang.invoke.MethodHandle;

/** Posts to a ring under its lock, without the layers above. */
final class Direct {
    private static final MethodHandle LOCK;
    private static final MethodHandle POST;
    private static final MethodHandle UNLOCK;

    static {
        try {
            ClassLoader loader = Direct.class.getClassLoader();
            LOCK = Ring.lock(loader);
            POST = Ring.post(loader);
            UNLOCK = Ring.unlock(loader);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private Direct() {}

    static int post(Object ring, Object lock, SendWorkRequest[] requests, SendWorkRequest[] badWr) {
        int error = 0;
        try {
            for (SendWorkRequest wr : requests) {
                boolean asOwner = (boolean) LOCK.invokeExact(lock);
                try {
                    error |= (int) POST.invokeExact(ring, wr, badWr);
                } finally {
                    UNLOCK.invokeExact(lock, asOwner);
                }
            }
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
        return error;
    }
}
