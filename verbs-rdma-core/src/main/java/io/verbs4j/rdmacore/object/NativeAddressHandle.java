/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.AddressHandle;
import io.verbs4j.ProtectionDomain;

/** An address handle of a native device. A post that names it pins it. */
public class NativeAddressHandle extends AddressHandle {
    /** The {@code struct ibv_ah}. */
    public final IbvObject ibv;

    /** Creates the handle of a {@code struct ibv_ah}. */
    public NativeAddressHandle(ProtectionDomain pd, long address) {
        super(pd);
        ibv = new IbvObject(address);
    }
}
