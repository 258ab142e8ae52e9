/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.dv;

import io.verbs4j.Context;
import io.verbs4j.rdmacore.NativeDevice;
import io.verbs4j.rdmacore.VendorContext;
import io.verbs4j.rdmacore.object.IbvQp;

/** An open EFA, as efadv sees it. */
public abstract class DvContext extends VendorContext {
    /** Opens a device. */
    protected DvContext(NativeDevice device, Context context) {
        super(device, context);
    }

    /** Sets processing hints for all requests that are posted to a queue pair from now on. */
    public abstract void hint(String verb, IbvQp qp, int hints);
}
