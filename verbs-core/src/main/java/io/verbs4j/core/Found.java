/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core;

import io.verbs4j.spi.VerbsProvider;

/**
 * A provider that discovery came upon.
 *
 * @param provider the provider, or null where it is set aside
 * @param reason why it is set aside and what to do, or ""
 */
record Found(ProviderIdentity identity, VerbsProvider provider, String reason) {

    static Found usable(ProviderIdentity identity, VerbsProvider provider) {
        return new Found(identity, provider, "");
    }

    static Found setAside(ProviderIdentity identity, String reason) {
        return new Found(identity, null, reason);
    }

    boolean usable() {
        return provider != null;
    }
}
