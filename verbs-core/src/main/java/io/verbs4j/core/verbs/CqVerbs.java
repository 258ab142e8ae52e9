/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.ContextSlot;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.CqInitAttrMask;
import io.verbs4j.ModifyCqAttr;
import io.verbs4j.ModifyCqMask;
import io.verbs4j.ParentDomain;
import io.verbs4j.core.base.Arguments;
import io.verbs4j.slot.CreateCqEx;
import io.verbs4j.slot.ModifyCq;
import java.util.ArrayList;
import java.util.List;

/** The library's part of the verbs about completion queues and completion channels. */
final class CqVerbs implements CreateCqEx, ModifyCq {
    private static final String VERB = "create_cq";
    private static final long KNOWN = CqInitAttrMask.FLAGS | CqInitAttrMask.PD | CqInitAttrMask.VENDOR;

    private final ObjectState context;
    private final ProviderSide side;
    private final Handles handles;
    private final DeviceVerbs device;

    CqVerbs(ObjectState context, ProviderSide side, Handles handles, DeviceVerbs device) {
        this.context = context;
        this.side = side;
        this.handles = handles;
        this.device = device;
    }

    CompletionChannel createCompChannel() {
        String verb = "create_comp_channel";
        Creation creation = handles.begin(verb, new ObjectState(context.owner(), Kind.CHANNEL, List.of(context)));
        try (creation) {
            return creation.done(creation.made(side.ops().createCompChannel()));
        } catch (Throwable t) {
            throw side.failed(verb, t);
        }
    }

    void destroyCompChannel(CompletionChannel channel) {
        handles.destroy("destroy_comp_channel", "channel", channel, p -> p.destroyCompChannel(channel));
    }

    CompletionQueue createCq(int cqe, Object userContext, CompletionChannel channel, int compVector) {
        Creation creation = begin(VERB, cqe, channel, null);
        try (creation) {
            vector(VERB, compVector);
            return done(creation, side.ops().createCq(cqe, userContext, channel, compVector), channel, 0);
        } catch (Throwable t) {
            throw side.failed(VERB, t);
        }
    }

    CompletionQueue createCq(int cqe, Object userContext, CompletionChannel channel, int compVector, Object vendor) {
        Arguments.notNull(VERB, "vendor", vendor);
        Creation creation = begin(VERB, cqe, channel, null);
        try (creation) {
            vector(VERB, compVector);
            return done(creation, side.ops().createCq(cqe, userContext, channel, compVector, vendor), channel, 0);
        } catch (Throwable t) {
            throw side.failed(VERB, t);
        }
    }

    private Creation begin(String verb, int cqe, CompletionChannel channel, ParentDomain domain) {
        Arguments.atLeast(verb, "cqe", cqe, 1);
        List<ObjectState> parents = new ArrayList<>();
        if (channel != null) {
            parents.add(handles.find(verb, "channel", channel));
        }
        if (domain != null) {
            parents.add(handles.find(verb, "parentDomain", domain));
        }
        parents.add(context);
        return handles.begin(verb, new ObjectState(context.owner(), Kind.CQ, parents));
    }

    private void vector(String verb, int compVector) {
        Arguments.range(verb, "compVector", compVector, 0, device.completionVectors(verb) - 1L);
    }

    private static CompletionQueue done(
            Creation creation, CompletionQueue returned, CompletionChannel channel, long wcFlags) {
        CompletionQueue cq = creation.made(returned);
        creation.require(cq.channel() == channel, "completion channel");
        creation.require(cq.wcFlags() == wcFlags, "wcFlags");
        return creation.done(cq);
    }

    @Override
    public CompletionQueue createCqEx(CqInitAttrEx attr) {
        String verb = "create_cq_ex";
        Arguments.notNull(verb, "attr", attr);
        Masks.check(verb, attr, KNOWN, CqInitAttrMask.LIBRARY_BITS, CqInitAttrMask::toString);
        if ((attr.compMask() & CqInitAttrMask.VENDOR) != 0) {
            Arguments.notNull(verb, "vendor", attr.vendor());
        }
        if ((attr.compMask() & CqInitAttrMask.PD) != 0) {
            Arguments.notNull(verb, "parentDomain", attr.parentDomain());
        }
        CreateCqEx provider = side.slot(verb, ContextSlot.CREATE_CQ_EX, CreateCqEx.class);
        CompletionChannel channel = attr.channel();
        int compVector = attr.compVector();
        long wcFlags = attr.wcFlags();
        Creation creation = begin(verb, attr.cqe(), channel, attr.parentDomain());
        try (creation) {
            vector(verb, compVector);
            return done(creation, provider.createCqEx(attr), channel, wcFlags);
        } catch (Throwable t) {
            throw side.failed(verb, t);
        }
    }

    @Override
    public void modifyCq(CompletionQueue cq, ModifyCqAttr attr) {
        String verb = "modify_cq";
        ObjectState state = handles.find(verb, "cq", cq);
        Arguments.notNull(verb, "attr", attr);
        Masks.check(verb, attr, ModifyCqMask.MODERATE, 0, ModifyCqMask::toString);
        if (attr.compMask() == 0) {
            throw Arguments.invalid(verb, "the mask is 0, so nothing would change; set cqCount and cqPeriod");
        }
        Arguments.range(verb, "cqCount", attr.cqCount(), 0, 0xffff);
        Arguments.range(verb, "cqPeriod", attr.cqPeriod(), 0, 0xffff);
        ModifyCq provider = side.slot(verb, ContextSlot.MODIFY_CQ, ModifyCq.class);
        state.enterChange(verb);
        try {
            provider.modifyCq(cq, attr);
        } catch (Throwable t) {
            throw side.failed(verb, t);
        } finally {
            state.leaveChange();
        }
    }

    void resizeCq(CompletionQueue cq, int cqe) {
        String verb = "resize_cq";
        ObjectState state = handles.find(verb, "cq", cq);
        Arguments.atLeast(verb, "cqe", cqe, 1);
        state.enterChange(verb);
        try {
            side.ops().resizeCq(cq, cqe);
        } catch (Throwable t) {
            throw side.failed(verb, t);
        } finally {
            state.leaveChange();
        }
    }

    void destroyCq(CompletionQueue cq) {
        handles.destroy("destroy_cq", "cq", cq, p -> p.destroyCq(cq));
    }
}
