/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import io.verbs4j.ProtectionDomain;

/** Determines which handles stand for the same protection domain. */
public final class Domains {
    private Domains() {}

    /**
     * Returns the handle to compare domains by. For a parent domain, this is the handle of the underlying domain; for
     * an imported one, the handle in the context that allocated it.
     */
    public static ProtectionDomain root(ProtectionDomain pd) {
        ProtectionDomain base = pd.base();
        return base instanceof RxeProtectionDomain handle && handle.origin != null ? handle.origin : base;
    }
}
