/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.qp;

import io.verbs4j.AddressHandle;
import io.verbs4j.ProtectionDomain;

/** What programs have of an {@link AddressVector}. */
public final class AhHandle extends AddressHandle {
    /** Where datagrams go. */
    public final AddressVector av;

    /** Makes a handle. */
    public AhHandle(ProtectionDomain pd, AddressVector av) {
        super(pd);
        this.av = av;
    }
}
