/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.layout.MwLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;

/** A {@code struct ibv_mw}. */
public final class IbvMw extends IbvObject {
    private IntConsumer handle;

    // For windows of type 2; all guarded by the book.

    /** The queue pair that it is bound on according to the posts; null if it is free or nothing is certain. */
    WindowLog boundOn;

    boolean closed;

    /** All queue pairs on which the device may have it bound. */
    private final List<WindowLog> maybeOn = new ArrayList<>(2);

    /** Creates the object for a {@code struct ibv_mw}. */
    public IbvMw(long address) {
        super(address);
    }

    void tellKey(IntConsumer to) {
        handle = to;
    }

    int rkey() {
        return NativeMemory.getInt(address() + MwLayout.RKEY);
    }

    /** Sets the key of a bind, for the driver as well. */
    public void bound(int newRkey) {
        NativeMemory.putInt(address() + MwLayout.RKEY, newRkey);
        handle.accept(newRkey);
    }

    /** Reports the key of the driver's bind to the handle. */
    void bound() {
        handle.accept(rkey());
    }

    /** Notes that it may be bound on a queue pair from now on; returns whether that is new. */
    boolean maybeOn(WindowLog log) {
        boolean added = !closed && !maybeOn.contains(log);
        if (added) {
            maybeOn.add(log);
            log.bound++;
        }
        return added;
    }

    /** Notes that it is not bound on a queue pair. */
    void notOn(WindowLog log) {
        if (maybeOn.remove(log)) {
            log.bound--;
        }
    }

    /** Notes that it is bound on that queue pair, if at all; with null, that it is not bound. */
    void onlyOn(WindowLog log) {
        for (int i = maybeOn.size() - 1; i >= 0; i--) {
            if (maybeOn.get(i) != log) {
                maybeOn.remove(i).bound--;
            }
        }
    }
}
