/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.Context;
import io.verbs4j.XrcDomain;

/** An XRC domain of a native device. */
public final class NativeXrcDomain extends XrcDomain {
    private final long address;

    /** Makes the handle of a {@code struct ibv_xrcd}. */
    public NativeXrcDomain(Context context, long address) {
        super(context);
        this.address = address;
    }

    /** The address of a domain, or 0 for null. */
    public static long addressOf(XrcDomain xrcd) {
        return xrcd == null ? 0 : ((NativeXrcDomain) xrcd).address;
    }
}
