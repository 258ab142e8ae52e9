/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv.steering;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.rdmacore.VendorContext;
import io.verbs4j.rdmacore.object.VendorObject;

/**
 * A handle that was created through steering. It keeps the context and the objects that it was created from open, is
 * not destroyed while in use, and is destroyed once.
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

    /** Returns the C object; for use while this handle is kept open. */
    final long address() {
        return address;
    }

    final void run(String verb, Runnable body) {
        object.run(verb, body);
    }

    /** Refuses null and objects of another context. */
    static void requireSameContext(String verb, String name, SteeringHandle handle, VendorContext base) {
        if (handle == null) {
            throw new VerbsException(Errno.EINVAL, verb, name + " is null; pass an open one");
        }
        if (handle.base != base) {
            throw new VerbsException(
                    Errno.EINVAL,
                    verb,
                    name + " is a " + handle.object.kind() + " of another context; create one in this context");
        }
    }

    /** Destroys the C object. Called when nothing uses it any more; if it throws, the object remains as it was. */
    abstract void destroy();

    /**
     * Destroys the object; repeated calls do nothing. Waits for other threads' calls that use it.
     *
     * @throws VerbsException {@link Errno#EBUSY} if something still refers to the object, which then remains as it was
     */
    @Override
    public void close() {
        object.close(() -> {}, () -> {
            destroy();
            referents.release();
        });
    }
}
