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

    // Of windows of type 2; all guarded by the book.

    /** The queue pair that it is bound on, by what was posted; null: it is free, or nothing is certain. */
    WindowLog boundOn;

    boolean closed;

    /** All queue pairs that the device may have it bound on. */
    private final List<WindowLog> maybeOn = new ArrayList<>(2);

    /** Of a {@code struct ibv_mw}. */
    public IbvMw(long address) {
        super(address);
    }

    void tellKey(IntConsumer to) {
        handle = to;
    }

    int rkey() {
        return NativeMemory.getInt(address() + MwLayout.RKEY);
    }

    /** Takes over the key that a bind has, for the driver too. */
    public void bound(int newRkey) {
        NativeMemory.putInt(address() + MwLayout.RKEY, newRkey);
        handle.accept(newRkey);
    }

    /** Takes over the key that the driver's bind has made. */
    void bound() {
        handle.accept(rkey());
    }

    /** It may be bound there from now on; whether that is new. */
    boolean maybeOn(WindowLog log) {
        boolean added = !closed && !maybeOn.contains(log);
        if (added) {
            maybeOn.add(log);
            log.bound++;
        }
        return added;
    }

    /** It is not bound there. */
    void notOn(WindowLog log) {
        if (maybeOn.remove(log)) {
            log.bound--;
        }
    }

    /** It is bound there, or nowhere else; null: nowhere. */
    void onlyOn(WindowLog log) {
        for (int i = maybeOn.size() - 1; i >= 0; i--) {
            if (maybeOn.get(i) != log) {
                maybeOn.remove(i).bound--;
            }
        }
    }
}
