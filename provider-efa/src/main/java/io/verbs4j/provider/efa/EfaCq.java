/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa;

import io.verbs4j.rdmacore.object.IbvCq;

/** The native side of a completion queue that libefa polls. */
final class EfaCq extends IbvCq {
    private final EfaQps qps;

    EfaCq(EfaContext base, long cq) {
        super(cq, base.functions(), base.quirks(), base.windows());
        qps = base.qps();
    }

    @Override
    protected void taken(int qpNum, boolean perhapsUnsolicited) {
        qps.taken(this, qpNum, perhapsUnsolicited);
    }
}
