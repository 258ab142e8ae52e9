/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.AddressHandle;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.rdmacore.memory.Pin;

/** An address handle of a native device. A post that names it pins it. */
public class NativeAddressHandle extends AddressHandle {
    private final long address;
    private final Pin pin = new Pin();

    /** Makes the handle of a {@code struct ibv_ah}. */
    public NativeAddressHandle(ProtectionDomain pd, long address) {
        super(pd);
        this.address = address;
    }

    /** The {@code struct ibv_ah}; to be used while pinned. */
    public final long address() {
        return address;
    }

    /** Keeps it from being destroyed. */
    public final Pin pin() {
        return pin;
    }
}
