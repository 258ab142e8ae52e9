/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5;

import io.verbs4j.ProtectionDomain;
import io.verbs4j.provider.mlx5.dv.DvObjects;
import io.verbs4j.provider.mlx5.ring.AddressVector;
import io.verbs4j.rdmacore.object.NativeAddressHandle;

/** An address handle whose vector Java copies. */
final class Mlx5AddressHandle extends NativeAddressHandle implements AddressVector {
    private final long av;

    Mlx5AddressHandle(ProtectionDomain pd, long ah) {
        super(pd, ah);
        av = DvObjects.av(ah);
    }

    @Override
    public long av() {
        return av;
    }
}
