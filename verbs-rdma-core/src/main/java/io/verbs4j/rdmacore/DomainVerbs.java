/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

import io.verbs4j.Context;
import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.ParentDomain;
import io.verbs4j.ParentDomainInitAttr;
import io.verbs4j.ParentDomainMask;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.TdInitAttr;
import io.verbs4j.ThreadDomain;
import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.call.Libibverbs;
import io.verbs4j.rdmacore.call.RingCalls;
import io.verbs4j.rdmacore.layout.ExtendedContextLayout;
import io.verbs4j.rdmacore.layout.ParentDomainInitAttrLayout;
import io.verbs4j.rdmacore.layout.TdInitAttrLayout;
import io.verbs4j.rdmacore.object.IbvObject;
import io.verbs4j.rdmacore.object.IbvParentDomain;
import io.verbs4j.rdmacore.object.NativeParentDomain;
import io.verbs4j.rdmacore.object.NativeProtectionDomain;
import io.verbs4j.rdmacore.object.NativeThreadDomain;
import io.verbs4j.slot.AllocParentDomain;
import io.verbs4j.slot.AllocTd;
import io.verbs4j.slot.DeallocTd;

/** Implements the verbs for protection domains, thread domains and parent domains. */
final class DomainVerbs {
    private static final long BITS = ParentDomainMask.ALLOCATORS | ParentDomainMask.PD_CONTEXT;

    private final NativeContext base;
    private final NativeFunction allocTd;
    private final NativeFunction deallocTd;
    private final NativeFunction allocParentDomain;

    DomainVerbs(NativeContext base) {
        this.base = base;
        allocTd = base.functions().extended(ExtendedContextLayout.ALLOC_TD);
        deallocTd = base.functions().extended(ExtendedContextLayout.DEALLOC_TD);
        allocParentDomain = base.functions().extended(ExtendedContextLayout.ALLOC_PARENT_DOMAIN);
    }

    void fill(ContextTable table) {
        if (allocTd != null && deallocTd != null) {
            table.fillProvider(ContextSlot.ALLOC_TD, (AllocTd) this::allocTd);
            table.fillProvider(ContextSlot.DEALLOC_TD, (DeallocTd) this::deallocTd);
        }
        if (allocParentDomain != null) {
            table.fillProvider(ContextSlot.ALLOC_PARENT_DOMAIN, (AllocParentDomain) this::allocParentDomain);
        }
    }

    static ProtectionDomain allocPd(Context context, long address) {
        return new NativeProtectionDomain(context, Answers.checkPointer("alloc_pd", Libibverbs.ibv_alloc_pd(address)));
    }

    static void deallocPd(ProtectionDomain pd) {
        IbvObject domain = IbvObject.of(pd);
        domain.pin().closeFor(() -> Answers.check("dealloc_pd", Libibverbs.ibv_dealloc_pd(domain.address())));
        if (pd instanceof NativeParentDomain parent) {
            parent.ibv.freed();
        }
    }

    private ThreadDomain allocTd(TdInitAttr attr) {
        String verb = "alloc_td";
        Answers.refuseUnknown(verb, attr, 0);
        try (Scratch c = new Scratch(TdInitAttrLayout.SIZEOF)) {
            long td = Answers.checkPointer(verb, allocTd.call(base.address(), c.address()));
            return new NativeThreadDomain(base.context(), td);
        }
    }

    private void deallocTd(ThreadDomain td) {
        IbvObject domain = ((NativeThreadDomain) td).ibv;
        domain.pin().closeFor(() -> Answers.check("dealloc_td", deallocTd.call(domain.address())));
    }

    /**
     * Allocates a parent domain. The program's allocator object stays in Java; C passes back a number that identifies
     * the domain.
     */
    private ParentDomain allocParentDomain(ParentDomainInitAttr attr) {
        String verb = "alloc_parent_domain";
        Answers.refuseUnknown(verb, attr, BITS);
        RingCalls.Registration registration = attr.allocators() == null ? null : RingCalls.register();
        try (Scratch c = new Scratch(ParentDomainInitAttrLayout.SIZEOF)) {
            long at = c.address();
            NativeMemory.putLong(at + ParentDomainInitAttrLayout.PD, IbvObject.addressOf(attr.pd()));
            if (attr.td() != null) {
                NativeMemory.putLong(
                        at + ParentDomainInitAttrLayout.TD, ((NativeThreadDomain) attr.td()).ibv.address());
            }
            if (registration != null) {
                NativeMemory.putInt(at + ParentDomainInitAttrLayout.COMP_MASK, (int) BITS);
                NativeMemory.putLong(at + ParentDomainInitAttrLayout.ALLOC, RingCalls.alloc());
                NativeMemory.putLong(at + ParentDomainInitAttrLayout.FREE, RingCalls.free());
                NativeMemory.putLong(at + ParentDomainInitAttrLayout.PD_CONTEXT, registration.number());
            }
            long pd = Answers.checkPointer(verb, allocParentDomain.call(base.address(), at));
            return new NativeParentDomain(
                    attr, new IbvParentDomain(pd, registration, attr.allocators(), attr.pdContext()));
        }
    }
}
