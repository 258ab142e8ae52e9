/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.qp;

import io.verbs4j.AddressHandle;
import io.verbs4j.ProtectionDomain;

/** The program's handle of an {@link AddressVector}. */
public final class RxeAddressHandle extends AddressHandle {
    /** The destination of datagrams. */
    public final AddressVector av;

    /** Creates a handle. */
    public RxeAddressHandle(ProtectionDomain pd, AddressVector av) {
        super(pd);
        this.av = av;
    }
}
