/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import io.verbs4j.ProtectionDomain;
import io.verbs4j.rdmacore.object.NativeAddressHandle;

/** An address handle whose vector Java copies into elements. */
public final class AddressVector extends NativeAddressHandle {
    /** Address of the 48 bytes of the vector; for reading while pinned. */
    final long av;

    /** Creates the handle of a {@code struct ibv_ah}. */
    public AddressVector(ProtectionDomain pd, long ah, long av) {
        super(pd, ah);
        this.av = av;
    }
}
