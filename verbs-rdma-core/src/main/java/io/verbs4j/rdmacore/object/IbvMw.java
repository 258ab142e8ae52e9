/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.rdmacore.layout.MwLayout;
import io.verbs4j.rdmacore.memory.NativeMemory;
import java.util.function.IntConsumer;

/** A {@code struct ibv_mw}. */
public final class IbvMw extends IbvObject {
    private IntConsumer handle;

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

    /** Takes over the key that a bind in Java has made, for the driver too. */
    public void bound(int newRkey) {
        NativeMemory.putInt(address() + MwLayout.RKEY, newRkey);
        handle.accept(newRkey);
    }

    /** Takes over the key that the driver's bind has made. */
    void bound() {
        handle.accept(rkey());
    }
}
