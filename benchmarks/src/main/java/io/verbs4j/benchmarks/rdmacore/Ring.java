/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.rdmacore;

import io.verbs4j.QueuePair;
import io.verbs4j.SendWorkRequest;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;

/**
 * The send ring of a queue pair of {@code provider-mlx5}, and its lock: what lies below the layers. Neither is
 * accessible to applications, hence the reflection. Method handles that a caller keeps in {@code static final} fields
 * are compiled like plain calls.
 *
 * @param ring the ring
 * @param lock its lock
 */
record Ring(Object ring, Object lock) {
    private static final String RING = "io.verbs4j.provider.mlx5.ring.SendRing";
    private static final String LOCK = "io.verbs4j.natives.lock.RingLock";

    /** Returns the ring of a queue pair. */
    static Ring of(QueuePair qp) throws ReflectiveOperationException {
        Object queue = field(qp, "sends");
        return new Ring(field(queue, "ring"), field(queue, "lock"));
    }

    private static Object field(Object object, String name) throws ReflectiveOperationException {
        Field field = object.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field.get(object);
    }

    /** Returns {@code int post(Object ring, SendWorkRequest first, SendWorkRequest[] badWr)}. */
    static MethodHandle post(ClassLoader loader) throws ReflectiveOperationException {
        MethodType type = MethodType.methodType(int.class, SendWorkRequest.class, SendWorkRequest[].class);
        return ofObject(loader, RING, "post", type);
    }

    /** Returns {@code boolean lock(Object lock)}. */
    static MethodHandle lock(ClassLoader loader) throws ReflectiveOperationException {
        return ofObject(loader, LOCK, "lock", MethodType.methodType(boolean.class));
    }

    /** Returns {@code void unlock(Object lock, boolean)}, whose second argument is the result of locking. */
    static MethodHandle unlock(ClassLoader loader) throws ReflectiveOperationException {
        return ofObject(loader, LOCK, "unlock", MethodType.methodType(void.class, boolean.class));
    }

    private static MethodHandle ofObject(ClassLoader loader, String type, String method, MethodType arguments)
            throws ReflectiveOperationException {
        MethodHandle handle =
                MethodHandles.publicLookup().findVirtual(Class.forName(type, true, loader), method, arguments);
        return handle.asType(handle.type().changeParameterType(0, Object.class));
    }
}
