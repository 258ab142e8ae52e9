/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import io.verbs4j.CompletionQueue;
import io.verbs4j.ContextSlot;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqAttrMask;
import io.verbs4j.SrqInitAttr;
import io.verbs4j.SrqInitAttrEx;
import io.verbs4j.SrqInitAttrMask;
import io.verbs4j.SrqType;
import io.verbs4j.VerbsException;
import io.verbs4j.XrcDomain;
import io.verbs4j.core.base.Arguments;
import io.verbs4j.core.base.Containment;
import io.verbs4j.slot.CreateSrqEx;
import io.verbs4j.slot.GetSrqNum;
import java.util.ArrayList;
import java.util.List;

/** The library's part of the verbs about shared receive queues. */
final class SrqVerbs implements CreateSrqEx, GetSrqNum {
    private static final long XRC_NEEDS = SrqInitAttrMask.XRCD | SrqInitAttrMask.CQ;
    private static final long TM_NEEDS = SrqInitAttrMask.CQ | SrqInitAttrMask.TM;
    private static final long KNOWN = SrqInitAttrMask.TYPE | SrqInitAttrMask.PD | XRC_NEEDS | SrqInitAttrMask.TM;

    private final ObjectState context;
    private final ProviderSide side;
    private final Handles handles;

    SrqVerbs(ObjectState context, ProviderSide side, Handles handles) {
        this.context = context;
        this.side = side;
        this.handles = handles;
    }

    SharedReceiveQueue createSrq(ProtectionDomain pd, SrqInitAttr attr) {
        String verb = "create_srq";
        Arguments.notNull(verb, "pd", pd);
        Arguments.notNull(verb, "attr", attr);
        SrqInitAttrEx extended = SrqInitAttrEx.of(pd, attr);
        SharedReceiveQueue srq = create(verb, extended, attr);
        attr.attr(extended.attr()); // what was given
        return srq;
    }

    @Override
    public SharedReceiveQueue createSrqEx(SrqInitAttrEx attr) {
        String verb = "create_srq_ex";
        Arguments.notNull(verb, "attr", attr);
        Masks.check(verb, attr, KNOWN, SrqInitAttrMask.LIBRARY_BITS, SrqInitAttrMask::toString);
        Masks.need(verb, attr, SrqInitAttrMask.PD, SrqInitAttrMask::toString);
        if (attr.srqType() == SrqType.XRC) {
            Masks.need(verb, attr, XRC_NEEDS, SrqInitAttrMask::toString);
            Masks.none(verb, attr, SrqInitAttrMask.TM, "the type is XRC", SrqInitAttrMask::toString);
        } else if (attr.srqType() == SrqType.TM) {
            checkTagMatching(verb, attr);
        } else if (attr.srqType() == SrqType.BASIC) {
            Masks.none(verb, attr, XRC_NEEDS | SrqInitAttrMask.TM, "the type is BASIC", SrqInitAttrMask::toString);
        }
        return create(verb, attr, attr.toBase());
    }

    private static void checkTagMatching(String verb, SrqInitAttrEx attr) {
        Masks.need(verb, attr, TM_NEEDS, SrqInitAttrMask::toString);
        Masks.none(verb, attr, SrqInitAttrMask.XRCD, "the type is TM", SrqInitAttrMask::toString);
        Arguments.atLeast(verb, "tmMaxNumTags", attr.tmMaxNumTags(), 1);
        Arguments.atLeast(verb, "tmMaxOps", attr.tmMaxOps(), 1);
    }

    /** Creates a shared receive queue for both verbs: the old one is the new one without new attributes. */
    private SharedReceiveQueue create(String verb, SrqInitAttrEx attr, SrqInitAttr base) {
        ProtectionDomain pd = attr.pd();
        List<ObjectState> parents = new ArrayList<>();
        parents.add(handles.find(verb, "pd", pd));
        Arguments.notNull(verb, "attr.attr", attr.attr());
        // As in C, the limit does not count at creation.
        Arguments.atLeast(verb, "maxWr", attr.attr().maxWr(), 0);
        Arguments.atLeast(verb, "maxSge", attr.attr().maxSge(), 0);
        XrcDomain xrcd = attr.xrcd();
        CompletionQueue cq = attr.cq();
        boolean xrc = attr.srqType() == SrqType.XRC;
        boolean tm = attr.srqType() == SrqType.TM;
        // For types of later levels, whatever is set.
        if (xrc || xrcd != null) {
            parents.add(handles.find(verb, "xrcd", xrcd));
        }
        if (xrc || tm || cq != null) {
            parents.add(handles.find(verb, "cq", cq));
        }
        parents.add(context);
        ObjectState state = new ObjectState(context.owner(), Kind.SRQ, parents);
        Creation creation = handles.begin(verb, state);
        try (creation) {
            SharedReceiveQueue srq = creation.made(provider(verb, attr, base));
            creation.require(srq.pd() == pd, "protection domain");
            creation.require(srq.srqType() == attr.srqType(), "type");
            creation.require(srq.xrcd() == xrcd && srq.cq() == cq, "XRC domain or completion queue");
            return creation.done(srq);
        } catch (Throwable t) {
            throw side.failed(verb, t);
        }
    }

    private SharedReceiveQueue provider(String verb, SrqInitAttrEx attr, SrqInitAttr base) {
        CreateSrqEx extended = side.find(ContextSlot.CREATE_SRQ_EX, CreateSrqEx.class);
        if (extended != null) {
            try {
                return extended.createSrqEx(attr);
            } catch (VerbsException e) {
                throw Containment.as(verb, e);
            }
        }
        if (attr.srqType() != SrqType.BASIC || !attr.hasOnly(SrqInitAttrMask.TYPE | SrqInitAttrMask.PD, 0)) {
            throw side.without(verb, "and create_srq creates only queues of type BASIC");
        }
        SharedReceiveQueue srq = side.ops().createSrq(attr.pd(), base);
        attr.attr(base.attr()); // a provider may have put another one there
        return srq;
    }

    @Override
    public int getSrqNum(SharedReceiveQueue srq) {
        String verb = "get_srq_num";
        ObjectState state = handles.find(verb, "srq", srq);
        if (srq.srqType() == SrqType.BASIC) {
            throw Arguments.invalid(verb, "a queue of type BASIC has no number; use one of type XRC");
        }
        GetSrqNum provider = side.slot(verb, ContextSlot.GET_SRQ_NUM, GetSrqNum.class);
        int number;
        state.enter(verb);
        try {
            number = provider.getSrqNum(srq);
        } catch (Throwable t) {
            throw side.failed(verb, t);
        } finally {
            state.leave();
        }
        if (number < 0 || number > 0xffffff) {
            throw side.broken(verb, "returned " + number + ", which does not fit in 24 bits");
        }
        return number;
    }

    void modifySrq(SharedReceiveQueue srq, SrqAttr attr, int mask) {
        String verb = "modify_srq";
        ObjectState state = handles.find(verb, "srq", srq);
        Arguments.notNull(verb, "attr", attr);
        if (mask == 0) {
            throw Arguments.invalid(verb, "the mask is 0, so nothing would change; set some of SrqAttrMask");
        }
        boolean resize = (mask & SrqAttrMask.MAX_WR) != 0;
        if (resize) {
            Arguments.atLeast(verb, "maxWr", attr.maxWr(), 1);
        }
        if ((mask & SrqAttrMask.LIMIT) != 0) {
            Arguments.range(verb, "srqLimit", attr.srqLimit(), 0, resize ? attr.maxWr() : Integer.MAX_VALUE);
        }
        state.enterChange(verb);
        try {
            side.ops().modifySrq(srq, attr, mask);
        } catch (Throwable t) {
            throw side.failed(verb, t);
        } finally {
            state.leaveChange();
        }
    }

    void querySrq(SharedReceiveQueue srq, SrqAttr attr) {
        String verb = "query_srq";
        ObjectState state = handles.find(verb, "srq", srq);
        Arguments.notNull(verb, "attr", attr);
        state.enter(verb);
        try {
            side.ops().querySrq(srq, attr);
        } catch (Throwable t) {
            throw side.failed(verb, t);
        } finally {
            state.leave();
        }
    }

    void destroySrq(SharedReceiveQueue srq) {
        handles.destroy("destroy_srq", "srq", srq, p -> p.destroySrq(srq));
    }
}
