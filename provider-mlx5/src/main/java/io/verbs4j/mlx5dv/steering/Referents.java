/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv.steering;

import io.verbs4j.Errno;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsException;
import io.verbs4j.mlx5dv.DevxObject;
import io.verbs4j.provider.mlx5.dv.DevxInside;
import io.verbs4j.rdmacore.VendorContext;
import io.verbs4j.rdmacore.object.IbvQp;
import io.verbs4j.rdmacore.object.NativeQueuePair;
import io.verbs4j.rdmacore.object.VendorObject;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The objects that a handle refers to, which stay open until {@link #release}. Filled before the handle is created. Not
 * thread-safe.
 */
final class Referents {
    private final VendorContext base;
    private final String verb;
    private final List<Runnable> releases = new ArrayList<>(2);

    Referents(VendorContext base, String verb) {
        this.base = base;
        this.verb = verb;
    }

    /** Keeps a queue pair open, and returns the {@code struct ibv_qp}. */
    long add(QueuePair qp) {
        return guarded(() -> base.use(verb, "qp", qp, NativeQueuePair.class, h -> h.ibv, (IbvQp ibv) -> {
            ibv.retain();
            releases.add(ibv::release);
            return ibv.address();
        }));
    }

    /** Keeps a DevX object open, and returns the {@code struct mlx5dv_devx_obj}. */
    long add(String name, DevxObject object) {
        return guarded(() -> {
            if (object == null) {
                throw new VerbsException(Errno.EINVAL, verb, name + " is null; pass an open DevX object");
            }
            DevxInside inside = DevxInside.of(object);
            if (inside.base() != base) {
                throw new VerbsException(
                        Errno.EINVAL, verb, name + " is a DevX object of another context; create one in this context");
            }
            retain(inside.handle());
            return inside.address();
        });
    }

    /** Keeps a steering handle open, and returns its C object. */
    long add(String name, SteeringHandle handle) {
        return guarded(() -> {
            SteeringHandle.requireSameContext(verb, name, handle, base);
            retain(handle.object());
            return handle.address();
        });
    }

    private void retain(VendorObject object) {
        object.retain(verb);
        releases.add(object::release);
    }

    /** Releases the objects added so far if adding one fails. */
    private long guarded(LongSupplier add) {
        try {
            return add.getAsLong();
        } catch (RuntimeException e) {
            release();
            throw e;
        }
    }

    /** Allows all of the objects to be closed. */
    void release() {
        releases.forEach(Runnable::run);
        releases.clear();
    }
}
