/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa;

import io.verbs4j.rdmacore.object.IbvCqEx;

/** The native side of a completion queue that libefa reads one completion at a time. It has no time stamps. */
final class EfaCqEx extends IbvCqEx {
    private final EfaQps qps;

    EfaCqEx(EfaContext base, long cq, long wcFlags, boolean oneThread) {
        super(cq, base.functions(), base.quirks(), base.windows(), wcFlags, null, oneThread);
        qps = base.qps();
    }

    @Override
    protected void taken(int qpNum, boolean perhapsUnsolicited) {
        qps.taken(this, qpNum, perhapsUnsolicited);
    }
}
