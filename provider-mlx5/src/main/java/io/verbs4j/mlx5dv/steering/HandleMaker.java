/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv.steering;

import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.rdmacore.VendorContext;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.quirk.Libmlx5;

/**
 * Creates one handle through a function of libmlx5. The handle counts as a child of the context, and keeps the objects
 * that it refers to open.
 */
final class HandleMaker<T extends SteeringHandle> {
    final Referents referents;
    private final VendorContext base;
    private final String verb;
    private final int since;
    private final String kind;
    private final Handle<T> handle;

    /** Calls the function; returns the address of the C object, or 0 with errno set. */
    interface Call {
        long apply(NativeFunction function, long scratch);
    }

    /** Creates the handle for a C object. */
    interface Handle<T> {
        T of(VendorContext base, long address, Referents referents);
    }

    /**
     * Creates a maker for a function.
     *
     * @param since the release of rdma-core that introduced the function
     * @param kind name of the handle in messages
     */
    HandleMaker(VendorContext base, String verb, int since, String kind, Handle<T> handle) {
        this.base = base;
        this.verb = verb;
        this.since = since;
        this.kind = kind;
        this.handle = handle;
        this.referents = new Referents(base, verb);
    }

    /** Creates the handle as {@link #make(int, Call)} does, for a function that needs no memory. */
    T make(Call call) {
        return make(0, call);
    }

    /**
     * Creates the handle.
     *
     * @param size size of the memory for arguments, which is zeroed
     */
    T make(int size, Call call) {
        boolean made = false;
        try {
            T result = base.children().make(verb, kind, () -> handle.of(base, create(size, call), referents));
            made = true;
            return result;
        } finally {
            if (!made) {
                referents.release();
            }
        }
    }

    private long create(int size, Call call) {
        try (Scratch c = new Scratch(Math.max(size, 1))) {
            return Answers.checkPointer(verb, call.apply(Libmlx5.function(verb, since), c.address()));
        }
    }
}
