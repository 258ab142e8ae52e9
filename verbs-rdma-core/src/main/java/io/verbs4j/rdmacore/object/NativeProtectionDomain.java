/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.Context;
import io.verbs4j.ProtectionDomain;

/** A protection domain of a native device. */
public final class NativeProtectionDomain extends ProtectionDomain {
    /** The {@code struct ibv_pd}. */
    public final IbvObject ibv;

    /** Creates the handle of a {@code struct ibv_pd}. */
    public NativeProtectionDomain(Context context, long address) {
        super(context);
        ibv = new IbvObject(address);
    }
}
