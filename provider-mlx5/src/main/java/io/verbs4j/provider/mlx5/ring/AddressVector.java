/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import io.verbs4j.ProtectionDomain;
import io.verbs4j.rdmacore.object.NativeAddressHandle;

/** An address handle whose vector Java copies. */
public final class AddressVector extends NativeAddressHandle {
    /** Where its 48 bytes are; to be read while pinned. */
    final long av;

    /** Makes the handle of a {@code struct ibv_ah}. */
    public AddressVector(ProtectionDomain pd, long ah, long av) {
        super(pd, ah);
        this.av = av;
    }
}
