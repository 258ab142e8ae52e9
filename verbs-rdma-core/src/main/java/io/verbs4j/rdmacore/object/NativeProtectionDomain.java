/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.Context;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.rdmacore.memory.Pin;

/** A protection domain of a native device. */
public final class NativeProtectionDomain extends ProtectionDomain {
    private final long address;
    private final Pin pin = new Pin();

    /** Makes the handle of a {@code struct ibv_pd}. */
    public NativeProtectionDomain(Context context, long address) {
        super(context);
        this.address = address;
    }

    /** The {@code struct ibv_pd}; to be used by calls that keep the domain open. */
    public long address() {
        return address;
    }

    /** Keeps it from being destroyed. */
    public Pin pin() {
        return pin;
    }

    /** The address of a domain, or 0 for null. */
    public static long addressOf(ProtectionDomain pd) {
        return pd == null ? 0 : ((NativeProtectionDomain) pd).address;
    }
}
