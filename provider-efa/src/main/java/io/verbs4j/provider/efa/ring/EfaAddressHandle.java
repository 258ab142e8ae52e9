/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.ring;

import io.verbs4j.ProtectionDomain;
import io.verbs4j.rdmacore.object.NativeAddressHandle;

/** An address handle whose number Java writes into descriptors. */
public final class EfaAddressHandle extends NativeAddressHandle {
    /** The device's number of the handle. */
    public final int number;

    /** Creates the handle of a {@code struct ibv_ah} with the device's number of it. */
    public EfaAddressHandle(ProtectionDomain pd, long ah, int number) {
        super(pd, ah);
        this.number = number;
    }
}
