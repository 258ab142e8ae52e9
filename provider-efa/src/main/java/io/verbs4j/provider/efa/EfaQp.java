/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa;

import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpType;
import io.verbs4j.rdmacore.object.IbvQp;

/** A queue pair of EFA: of either type, each request says where it goes. */
final class EfaQp extends IbvQp {
    EfaQp(EfaContext base, QpInitAttrEx attr, long operations, long qp) {
        super(attr, operations, qp, base.functions(), base.regions(), base.windows());
        requireReceiveElements(); // libefa takes others, and writes nothing
    }

    @Override
    protected int addressing() {
        return QpType.UD;
    }
}
