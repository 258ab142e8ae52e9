/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv.steering;

import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.rdmacore.VendorContext;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.call.Libmlx5;

/** Makes one handle by a function of libmlx5. It counts as a child of the context, and keeps open what it refers to. */
final class HandleMaker<T extends SteeringHandle> {
    final Referents referents;
    private final VendorContext base;
    private final String verb;
    private final int since;
    private final String kind;
    private final Handle<T> handle;

    /** Calls the function; returns the object in C, or null with errno. */
    interface Call {
        long apply(NativeFunction function, long scratch);
    }

    /** Makes the handle of an object in C. */
    interface Handle<T> {
        T of(VendorContext base, long address, Referents referents);
    }

    /**
     * Makes a maker for a function.
     *
     * @param since the release of rdma-core that the function came with
     * @param kind what messages call the handle
     */
    HandleMaker(VendorContext base, String verb, int since, String kind, Handle<T> handle) {
        this.base = base;
        this.verb = verb;
        this.since = since;
        this.kind = kind;
        this.handle = handle;
        this.referents = new Referents(base, verb);
    }

    /** As {@link #make(int, Call)}, for a function that needs no memory. */
    T make(Call call) {
        return make(0, call);
    }

    /**
     * Makes the handle.
     *
     * @param size of the memory for arguments, which is all zero
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
