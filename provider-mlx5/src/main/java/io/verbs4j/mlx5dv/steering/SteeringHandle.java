/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv.steering;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.rdmacore.VendorContext;
import io.verbs4j.rdmacore.object.VendorObject;

/**
 * What was made through steering: it keeps the context and what it was made of open, is not destroyed while it is used,
 * and is destroyed once.
 */
abstract class SteeringHandle implements AutoCloseable {
    private final VendorContext base;
    private final VendorObject object;
    private final Referents referents;
    private final long address;

    SteeringHandle(VendorContext base, String kind, long address, Referents referents) {
        this.base = base;
        this.object = new VendorObject(base.children(), kind);
        this.address = address;
        this.referents = referents;
    }

    final VendorContext base() {
        return base;
    }

    final VendorObject object() {
        return object;
    }

    /** The object in C; to be used while this is kept open. */
    final long address() {
        return address;
    }

    final void run(String verb, Runnable body) {
        object.run(verb, body);
    }

    /** Refuses an object of another context, or none. */
    static void requireSameContext(String verb, String name, SteeringHandle handle, VendorContext base) {
        if (handle == null) {
            throw new VerbsException(Errno.EINVAL, verb, name + " is null; pass an open one");
        }
        if (handle.base != base) {
            throw new VerbsException(
                    Errno.EINVAL,
                    verb,
                    name + " is a " + handle.object.kind() + " of another context; make one in this");
        }
    }

    /** Ends the object in C: called once nobody uses it; where it throws, it is as it was. */
    abstract void destroy();

    /**
     * Destroys it; does nothing where that was done before. Waits for calls of other threads that use it.
     *
     * @throws VerbsException {@link Errno#EBUSY} where something still refers to it; it then stays as it was
     */
    @Override
    public void close() {
        object.close(() -> {}, () -> {
            destroy();
            referents.release();
        });
    }
}
