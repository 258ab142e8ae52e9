/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import io.verbs4j.ProtectionDomain;

/** Which protection domains are the same one. */
public final class Domains {
    private Domains() {}

    /**
     * The handle that stands for a domain, for comparisons: of a parent domain that of the domain it is made of, of an imported one
     * that of the context that allocated it.
     */
    public static ProtectionDomain root(ProtectionDomain pd) {
        ProtectionDomain base = pd.base();
        return base instanceof DomainHandle handle && handle.origin != null ? handle.origin : base;
    }
}
