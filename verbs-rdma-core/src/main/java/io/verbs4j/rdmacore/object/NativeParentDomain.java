/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.ParentDomain;
import io.verbs4j.ParentDomainInitAttr;

/** A parent domain of a native device. */
public final class NativeParentDomain extends ParentDomain {
    /** The {@code struct ibv_pd} and the allocator of its queues. */
    public final IbvParentDomain ibv;

    /** Creates the handle. */
    public NativeParentDomain(ParentDomainInitAttr attr, IbvParentDomain ibv) {
        super(attr);
        this.ibv = ibv;
        ibv.tellHandle(this);
    }
}
