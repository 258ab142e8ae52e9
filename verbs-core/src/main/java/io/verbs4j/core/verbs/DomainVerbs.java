/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import io.verbs4j.ContextSlot;
import io.verbs4j.ParentDomain;
import io.verbs4j.ParentDomainInitAttr;
import io.verbs4j.ParentDomainMask;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.TdInitAttr;
import io.verbs4j.ThreadDomain;
import io.verbs4j.core.base.Arguments;
import io.verbs4j.slot.AllocParentDomain;
import io.verbs4j.slot.AllocTd;
import io.verbs4j.slot.DeallocTd;
import java.util.ArrayList;
import java.util.List;

/** The library's part of the verbs about protection domains, thread domains and parent domains. */
final class DomainVerbs implements AllocTd, DeallocTd, AllocParentDomain {
    private static final long KNOWN = ParentDomainMask.ALLOCATORS | ParentDomainMask.PD_CONTEXT;

    private final ObjectState context;
    private final ProviderSide side;
    private final Handles handles;

    DomainVerbs(ObjectState context, ProviderSide side, Handles handles) {
        this.context = context;
        this.side = side;
        this.handles = handles;
    }

    ProtectionDomain allocPd() {
        String verb = "alloc_pd";
        Creation creation = handles.begin(verb, new ObjectState(context.owner(), Kind.PD, List.of(context)));
        try (creation) {
            return creation.done(creation.made(side.ops().allocPd()));
        } catch (Throwable t) {
            throw side.failed(verb, t);
        }
    }

    void deallocPd(ProtectionDomain pd) {
        handles.destroy("dealloc_pd", "pd", pd, p -> p.deallocPd(pd));
    }

    @Override
    public ThreadDomain allocTd(TdInitAttr attr) {
        String verb = "alloc_td";
        Arguments.notNull(verb, "attr", attr);
        Masks.check(verb, attr);
        AllocTd provider = side.slot(verb, ContextSlot.ALLOC_TD, AllocTd.class);
        ObjectState state = new ObjectState(context.owner(), Kind.TD, List.of(context));
        Creation creation = handles.begin(verb, state);
        try (creation) {
            return creation.done(creation.made(provider.allocTd(attr)));
        } catch (Throwable t) {
            throw side.failed(verb, t);
        }
    }

    @Override
    public void deallocTd(ThreadDomain td) {
        String verb = "dealloc_td";
        DeallocTd provider = side.slot(verb, ContextSlot.DEALLOC_TD, DeallocTd.class);
        handles.destroy(verb, "td", td, p -> provider.deallocTd(td));
    }

    /** A parent domain can be used as a protection domain, so it is counted and closed as one. */
    @Override
    public ParentDomain allocParentDomain(ParentDomainInitAttr attr) {
        String verb = "alloc_parent_domain";
        Arguments.notNull(verb, "attr", attr);
        Masks.check(verb, attr, KNOWN, ParentDomainMask.LIBRARY_BITS, ParentDomainMask::toString);
        List<ObjectState> parents = new ArrayList<>();
        parents.add(handles.find(verb, "pd", attr.pd()));
        if (attr.pd() instanceof ParentDomain) {
            throw Arguments.invalid(verb, "pd is itself a parent domain; use the domain it was created from: pd()");
        }
        if (attr.td() != null) {
            parents.add(handles.find(verb, "td", attr.td()));
        }
        parents.add(context);
        AllocParentDomain provider = side.slot(verb, ContextSlot.ALLOC_PARENT_DOMAIN, AllocParentDomain.class);
        ObjectState state = new ObjectState(context.owner(), Kind.PD, parents);
        Creation creation = handles.begin(verb, state);
        try (creation) {
            ParentDomain made = creation.made(provider.allocParentDomain(attr));
            creation.require(made.pd() == attr.pd(), "protection domain");
            creation.require(made.allocators() == attr.allocators(), "allocators");
            creation.require(made.td() == attr.td(), "thread domain");
            return creation.done(made);
        } catch (Throwable t) {
            throw side.failed(verb, t);
        }
    }
}
