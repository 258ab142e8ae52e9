/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import java.util.EnumSet;
import java.util.Set;

/** The kit on a device that claims every capability as far as limits of the rate, except reliable datagrams. */
public abstract class FullKit extends ProviderKit {
    /** Returns a new set, which subclasses may change. */
    @Override
    protected Set<Capability> capabilities() {
        Set<Capability> all = EnumSet.range(Capability.RC, Capability.RATE_LIMIT);
        all.remove(Capability.RELIABLE_DATAGRAMS);
        return all;
    }
}
