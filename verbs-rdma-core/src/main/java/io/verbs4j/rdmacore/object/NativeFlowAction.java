/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.Context;
import io.verbs4j.FlowAction;

/** An action of a native device on packets. */
public final class NativeFlowAction extends FlowAction {
    /** The {@code struct ibv_flow_action}. */
    public final IbvObject ibv;

    /** Creates the handle of a {@code struct ibv_flow_action}. */
    public NativeFlowAction(Context context, long address) {
        super(context);
        ibv = new IbvObject(address);
    }
}
