/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.Context;
import io.verbs4j.XrcDomain;

/** An XRC domain of a native device. */
public final class NativeXrcDomain extends XrcDomain {
    /** The {@code struct ibv_xrcd}. */
    public final IbvObject ibv;

    /** Creates the handle of a {@code struct ibv_xrcd}. */
    public NativeXrcDomain(Context context, long address) {
        super(context);
        ibv = new IbvObject(address);
    }
}
