/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.discovery;

import io.verbs4j.core.base.ProviderIdentity;
import io.verbs4j.spi.VerbsProvider;

/**
 * A provider that discovery found.
 *
 * @param provider the provider, or null if it is set aside
 * @param reason why it is set aside and what to do, or ""
 */
public record DiscoveredProvider(ProviderIdentity identity, VerbsProvider provider, String reason) {

    public static DiscoveredProvider usable(ProviderIdentity identity, VerbsProvider provider) {
        return new DiscoveredProvider(identity, provider, "");
    }

    public static DiscoveredProvider setAside(ProviderIdentity identity, String reason) {
        return new DiscoveredProvider(identity, null, reason);
    }

    public boolean usable() {
        return provider != null;
    }
}
