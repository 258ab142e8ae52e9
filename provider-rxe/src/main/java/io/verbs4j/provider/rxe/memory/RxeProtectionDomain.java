/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import io.verbs4j.Context;
import io.verbs4j.ProtectionDomain;

/** The program's handle of a protection domain. */
public final class RxeProtectionDomain extends ProtectionDomain {
    /** The domain that this one was imported from, or null if it was allocated here. */
    final ProtectionDomain origin;

    /** Creates a new domain. */
    public RxeProtectionDomain(Context context) {
        this(context, null);
    }

    /** Creates another handle of a domain. */
    public RxeProtectionDomain(Context context, ProtectionDomain origin) {
        super(context);
        this.origin = origin;
    }
}
