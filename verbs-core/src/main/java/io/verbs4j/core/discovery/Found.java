/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.discovery;

import io.verbs4j.core.base.ProviderIdentity;
import io.verbs4j.spi.VerbsProvider;

/**
 * A provider that discovery came upon.
 *
 * @param provider the provider, or null where it is set aside
 * @param reason why it is set aside and what to do, or ""
 */
public record Found(ProviderIdentity identity, VerbsProvider provider, String reason) {

    public static Found usable(ProviderIdentity identity, VerbsProvider provider) {
        return new Found(identity, provider, "");
    }

    public static Found setAside(ProviderIdentity identity, String reason) {
        return new Found(identity, null, reason);
    }

    public boolean usable() {
        return provider != null;
    }
}
