/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe;

import io.verbs4j.Context;
import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.ParentDomain;
import io.verbs4j.ParentDomainInitAttr;
import io.verbs4j.ParentDomainMask;
import io.verbs4j.TdInitAttr;
import io.verbs4j.ThreadDomain;
import io.verbs4j.slot.AllocParentDomain;
import io.verbs4j.slot.AllocTd;
import io.verbs4j.slot.DeallocTd;

/** The level 3 verbs for domains of an open embedded device. */
final class RxeDomainVerbs implements AllocTd, DeallocTd, AllocParentDomain {
    private static final long PARENT_BITS = ParentDomainMask.ALLOCATORS | ParentDomainMask.PD_CONTEXT;

    private final Context context;

    private static final class Threads extends ThreadDomain {
        Threads(Context context) {
            super(context);
        }
    }

    private static final class Parent extends ParentDomain {
        Parent(ParentDomainInitAttr attr) {
            super(attr);
        }
    }

    RxeDomainVerbs(Context context) {
        this.context = context;
    }

    void fill(ContextTable table) {
        table.fillProvider(ContextSlot.ALLOC_TD, this);
        table.fillProvider(ContextSlot.DEALLOC_TD, this);
        table.fillProvider(ContextSlot.ALLOC_PARENT_DOMAIN, this);
    }

    @Override
    public ThreadDomain allocTd(TdInitAttr attr) {
        RxeLimits.refuseUnknown("alloc_td", attr, 0);
        return new Threads(context);
    }

    @Override
    public void deallocTd(ThreadDomain td) {
        // the device keeps nothing for it
    }

    @Override
    public ParentDomain allocParentDomain(ParentDomainInitAttr attr) {
        RxeLimits.refuseUnknown("alloc_parent_domain", attr, PARENT_BITS);
        return new Parent(attr);
    }
}
