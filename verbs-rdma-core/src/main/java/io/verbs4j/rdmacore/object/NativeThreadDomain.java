/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.Context;
import io.verbs4j.ThreadDomain;

/** A thread domain of a native device. */
public final class NativeThreadDomain extends ThreadDomain {
    /** The {@code struct ibv_td}. */
    public final IbvObject ibv;

    /** Creates the handle of a {@code struct ibv_td}. */
    public NativeThreadDomain(Context context, long address) {
        super(context);
        ibv = new IbvObject(address);
    }
}
