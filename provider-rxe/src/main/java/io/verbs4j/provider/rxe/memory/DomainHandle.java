/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import io.verbs4j.Context;
import io.verbs4j.ProtectionDomain;

/** What programs have of a protection domain. */
public final class DomainHandle extends ProtectionDomain {
    /** The domain that this one was imported from; null where this one was allocated here. */
    final ProtectionDomain origin;

    /** Makes a new domain. */
    public DomainHandle(Context context) {
        this(context, null);
    }

    /** Makes another handle of a domain. */
    public DomainHandle(Context context, ProtectionDomain origin) {
        super(context);
        this.origin = origin;
    }
}
