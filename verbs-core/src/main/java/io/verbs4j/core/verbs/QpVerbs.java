/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import io.verbs4j.ContextSlot;
import io.verbs4j.DataInOrderCaps;
import io.verbs4j.DataInOrderFlags;
import io.verbs4j.Ece;
import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpInitAttrMask;
import io.verbs4j.QpOpenAttr;
import io.verbs4j.QpOpenAttrMask;
import io.verbs4j.QpRateLimitAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpStateTable;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RwqIndTable;
import io.verbs4j.SrqType;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsObject;
import io.verbs4j.XrcDomain;
import io.verbs4j.core.base.Arguments;
import io.verbs4j.core.base.Containment;
import io.verbs4j.core.flight.FlightRecording;
import io.verbs4j.slot.CreateQpEx;
import io.verbs4j.slot.ModifyQpRateLimit;
import io.verbs4j.slot.OpenQp;
import io.verbs4j.slot.QueryEce;
import io.verbs4j.slot.QueryQpDataInOrder;
import io.verbs4j.slot.SetEce;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The library's part of the verbs about queue pairs. */
final class QpVerbs implements CreateQpEx, OpenQp, QueryQpDataInOrder, ModifyQpRateLimit, SetEce, QueryEce {
    /** A placeholder that shows whether the provider has filled in the state. */
    private static final int NO_STATE = -1;

    private static final long KNOWN = QpInitAttrMask.PD | QpInitAttrMask.XRCD | QpInitAttrMask.IND_TABLE;
    private static final long OPEN_NEEDS = QpOpenAttrMask.NUM | QpOpenAttrMask.TYPE;

    private final ObjectState context;
    private final ProviderSide side;
    private final Handles handles;
    private final RssChecks rss;

    QpVerbs(ObjectState context, ProviderSide side, Handles handles, RssChecks rss) {
        this.context = context;
        this.side = side;
        this.handles = handles;
        this.rss = rss;
    }

    QueuePair createQp(ProtectionDomain pd, QpInitAttr attr) {
        String verb = "create_qp";
        Arguments.notNull(verb, "pd", pd);
        Arguments.notNull(verb, "attr", attr);
        QpChecks.baseType(verb, attr.qpType());
        QpInitAttrEx extended = QpInitAttrEx.of(pd, attr);
        QueuePair qp = create(verb, extended, attr);
        attr.cap(extended.cap()); // what was given
        return qp;
    }

    @Override
    public QueuePair createQpEx(QpInitAttrEx attr) {
        String verb = "create_qp_ex";
        Arguments.notNull(verb, "attr", attr);
        Masks.check(verb, attr, KNOWN, QpInitAttrMask.LIBRARY_BITS, QpInitAttrMask::toString);
        rss.check(verb, attr);
        if ((attr.compMask() & QpInitAttrMask.MAX_TSO_HEADER) != 0) {
            Arguments.range(verb, "maxTsoHeader", attr.maxTsoHeader(), 0, 0xffff);
        }
        int type = attr.qpType();
        if (type == QpType.XRC_RECV) {
            Masks.need(verb, attr, QpInitAttrMask.XRCD, QpInitAttrMask::toString);
            Masks.none(verb, attr, QpInitAttrMask.PD, "the type is XRC_RECV", QpInitAttrMask::toString);
            QpChecks.noQueues(verb, attr, true);
        } else if (QpChecks.knows(type)) {
            Masks.need(verb, attr, QpInitAttrMask.PD, QpInitAttrMask::toString);
            Masks.none(
                    verb, attr, QpInitAttrMask.XRCD, "the type is " + QpType.toString(type), QpInitAttrMask::toString);
            if (type == QpType.XRC_SEND) {
                QpChecks.noQueues(verb, attr, false);
            }
        }
        return create(verb, attr, attr.toBase());
    }

    /** Creates a queue pair for both verbs: the old one is the new one without new attributes. */
    private QueuePair create(String verb, QpInitAttrEx attr, QpInitAttr base) {
        QpChecks.cap(verb, attr.cap());
        ProtectionDomain pd = attr.pd();
        XrcDomain xrcd = attr.xrcd();
        VerbsObject sendCq = attr.sendCq();
        VerbsObject recvCq = attr.recvCq();
        VerbsObject srq = attr.srq();
        RwqIndTable table = attr.rwqIndTbl();
        // A set: a queue that serves both ways counts the queue pair once.
        Set<ObjectState> parents = new LinkedHashSet<>();
        boolean known = QpChecks.knows(attr.qpType());
        boolean sends = known && attr.qpType() != QpType.XRC_RECV;
        refer(verb, parents, "pd", pd, sends);
        refer(verb, parents, "sendCq", sendCq, sends);
        refer(verb, parents, "recvCq", recvCq, sends && attr.qpType() != QpType.XRC_SEND && table == null);
        refer(verb, parents, "rwqIndTbl", table, false);
        refer(verb, parents, "xrcd", xrcd, attr.qpType() == QpType.XRC_RECV);
        if (srq != null) {
            parents.add(handles.find(verb, "srq", srq));
            if (known && attr.srq().srqType() == SrqType.XRC) {
                throw Arguments.invalid(
                        verb,
                        "srq is of type XRC: senders name it in remoteSrqn;"
                                + " a queue pair needs one of type BASIC or TM");
            }
        }
        parents.add(context);
        Creation creation = handles.begin(verb, new QueuePairState(context.owner(), List.copyOf(parents)));
        try (creation) {
            QueuePair qp = creation.made(provider(verb, attr, base));
            creation.require(qp.pd() == pd, "protection domain");
            creation.require(qp.xrcd() == xrcd, "XRC domain");
            creation.require(qp.sendCq() == sendCq && qp.recvCq() == recvCq, "completion queue");
            creation.require(qp.srq() == srq, "shared receive queue");
            creation.require(qp.rwqIndTbl() == table, "indirection table");
            return creation.done(qp);
        } catch (Throwable t) {
            throw side.failed(verb, t);
        }
    }

    /** Keeps a parent of the queue pair; for types without rules, whatever is set. */
    private void refer(String verb, Set<ObjectState> parents, String name, VerbsObject handle, boolean needed) {
        if (needed || handle != null) {
            parents.add(handles.find(verb, name, handle));
        }
    }

    private QueuePair provider(String verb, QpInitAttrEx attr, QpInitAttr base) {
        CreateQpEx extended = side.find(ContextSlot.CREATE_QP_EX, CreateQpEx.class);
        if (extended != null) {
            try {
                return extended.createQpEx(attr);
            } catch (VerbsException e) {
                throw Containment.as(verb, e);
            }
        }
        if (attr.pd() == null || !attr.hasOnly(QpInitAttrMask.PD | QpInitAttrMask.VENDOR, 0)) {
            throw side.without(
                    verb, "and create_qp supports no attributes except " + QpInitAttrMask.toString(QpInitAttrMask.PD));
        }
        QueuePair qp = side.ops().createQp(attr.pd(), base);
        attr.cap(base.cap()); // a provider may have put another one there
        return qp;
    }

    @Override
    public QueuePair openQp(QpOpenAttr attr) {
        String verb = "open_qp";
        Arguments.notNull(verb, "attr", attr);
        long known = OPEN_NEEDS | QpOpenAttrMask.XRCD | QpOpenAttrMask.CONTEXT;
        Masks.check(verb, attr, known, QpOpenAttrMask.LIBRARY_BITS, QpOpenAttrMask::toString);
        Masks.need(verb, attr, OPEN_NEEDS, QpOpenAttrMask::toString);
        Arguments.range(verb, "qpNum", attr.qpNum(), 0, 0xffffff);
        if (attr.qpType() == QpType.XRC_RECV) {
            Masks.need(verb, attr, QpOpenAttrMask.XRCD, QpOpenAttrMask::toString);
        } else if (QpChecks.knows(attr.qpType())) {
            throw Arguments.invalid(
                    verb,
                    "qpType is " + QpType.toString(attr.qpType())
                            + "; only queue pairs of type XRC_RECV can be shared");
        }
        XrcDomain xrcd = attr.xrcd();
        int number = attr.qpNum();
        List<ObjectState> parents =
                xrcd == null ? List.of(context) : List.of(handles.find(verb, "xrcd", xrcd), context);
        OpenQp provider = side.slot(verb, ContextSlot.OPEN_QP, OpenQp.class);
        Creation creation = handles.begin(verb, new QueuePairState(context.owner(), parents));
        try (creation) {
            QueuePair qp = creation.made(provider.openQp(attr));
            creation.require(qp.qpNum() == number, "number");
            creation.require(qp.xrcd() == xrcd, "XRC domain");
            return creation.done(qp);
        } catch (Throwable t) {
            throw side.failed(verb, t);
        }
    }

    void modifyQp(QueuePair qp, QpAttr attr, int mask) {
        String verb = "modify_qp";
        QueuePairState state = handles.findQp(verb, qp);
        Arguments.notNull(verb, "attr", attr);
        QpChecks.attributes(verb, attr, mask);
        state.enterChange(verb);
        try {
            int from = presentState(qp, state);
            int to = (mask & QpAttrMask.STATE) == 0 ? from : attr.qpState();
            String wrong = QpStateTable.check(qp.qpType(), from, to, mask);
            if (wrong != null) {
                throw Arguments.invalid(verb, wrong);
            }
            if ((mask & QpAttrMask.CUR_STATE) != 0 && attr.curQpState() != from) {
                throw Arguments.invalid(
                        verb,
                        "curQpState is " + QpState.toString(attr.curQpState()) + ", but " + state + " is in state "
                                + QpState.toString(from));
            }
            side.ops().modifyQp(qp, attr, mask);
            state.lastState(to);
            FlightRecording.modified(qp, from, to);
        } catch (Throwable t) {
            throw side.failed(verb, t);
        } finally {
            state.leaveChange();
        }
    }

    /** The provider reports everything that it knows; this converts it to the requested form. */
    @Override
    public int queryQpDataInOrder(QueuePair qp, int wrOpcode, int flags) {
        String verb = "query_qp_data_in_order";
        ObjectState state = handles.findQp(verb, qp);
        QueryQpDataInOrder provider = side.slot(verb, ContextSlot.QUERY_QP_DATA_IN_ORDER, QueryQpDataInOrder.class);
        int caps;
        state.enter(verb);
        try {
            caps = provider.queryQpDataInOrder(qp, wrOpcode, flags);
        } catch (Throwable t) {
            throw side.failed(verb, t);
        } finally {
            state.leave();
        }
        if ((caps & DataInOrderCaps.WHOLE_MSG) != 0) {
            caps |= DataInOrderCaps.ALIGNED_128_BYTES;
        }
        if ((flags & DataInOrderFlags.RETURN_CAPS) != 0) {
            return caps;
        }
        return (caps & DataInOrderCaps.WHOLE_MSG) == 0 ? 0 : 1;
    }

    @Override
    public void modifyQpRateLimit(QueuePair qp, QpRateLimitAttr attr) {
        String verb = "modify_qp_rate_limit";
        QueuePairState state = handles.findQp(verb, qp);
        Arguments.notNull(verb, "attr", attr);
        Masks.check(verb, attr);
        Arguments.atLeast(verb, "rateLimit", attr.rateLimit(), 0);
        Arguments.atLeast(verb, "maxBurstSz", attr.maxBurstSz(), 0);
        Arguments.range(verb, "typicalPktSz", attr.typicalPktSz(), 0, 0xffff);
        if (attr.rateLimit() == 0 && (attr.maxBurstSz() != 0 || attr.typicalPktSz() != 0)) {
            throw Arguments.invalid(
                    verb, "maxBurstSz or typicalPktSz is set, but rateLimit is 0; set it, or leave them out");
        }
        ModifyQpRateLimit provider = side.slot(verb, ContextSlot.MODIFY_QP_RATE_LIMIT, ModifyQpRateLimit.class);
        state.enterChange(verb);
        try {
            int present = presentState(qp, state);
            if (present != QpState.RTS) {
                throw Arguments.invalid(
                        verb,
                        state + " is in state " + QpState.toString(present) + "; its rate can be limited only in RTS");
            }
            provider.modifyQpRateLimit(qp, attr);
        } catch (Throwable t) {
            throw side.failed(verb, t);
        } finally {
            state.leaveChange();
        }
    }

    @Override
    public void setEce(QueuePair qp, Ece ece) {
        String verb = "set_ece";
        QueuePairState state = handles.findQp(verb, qp);
        Arguments.notNull(verb, "ece", ece);
        Masks.check(verb, ece);
        if (ece.vendorId() == 0) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP, verb, "vendorId is 0, which means no options; pass what queryEce returned");
        }
        SetEce provider = side.slot(verb, ContextSlot.SET_ECE, SetEce.class);
        side.change(verb, state, () -> {
            int present = presentState(qp, state);
            if (present != QpState.RESET && present != QpState.INIT) {
                throw Arguments.invalid(
                        verb,
                        state + " is in state " + QpState.toString(present)
                                + "; its options can be set only in RESET and INIT");
            }
            provider.setEce(qp, ece);
        });
    }

    @Override
    public Ece queryEce(QueuePair qp) {
        String verb = "query_ece";
        QueuePairState state = handles.findQp(verb, qp);
        QueryEce provider = side.slot(verb, ContextSlot.QUERY_ECE, QueryEce.class);
        return side.ask(verb, state, () -> provider.queryEce(qp));
    }

    /**
     * Asks the provider, because a queue pair can go to ERR by itself; falls back to the last state that the library
     * has seen.
     */
    int presentState(QueuePair qp, QueuePairState state) {
        String verb = "query_qp";
        QpAttr answer = new QpAttr().qpState(NO_STATE).clearMask();
        try {
            side.ops().queryQp(qp, answer, QpAttrMask.STATE, new QpInitAttr());
        } catch (Throwable t) {
            VerbsException failed = side.failed(verb, t);
            if (failed.errno() != Errno.EOPNOTSUPP) {
                throw failed;
            }
        }
        int present = answer.qpState();
        if (present == NO_STATE) {
            return state.lastState();
        }
        if (QpChecks.knows(qp.qpType()) && (present < QpState.RESET || present > QpState.ERR)) {
            throw side.broken(verb, "reported that " + state + " is in state " + present + ", which does not exist");
        }
        return present;
    }

    void queryQp(QueuePair qp, QpAttr attr, int mask, QpInitAttr initAttr) {
        String verb = "query_qp";
        ObjectState state = handles.findQp(verb, qp);
        Arguments.notNull(verb, "attr", attr);
        Arguments.notNull(verb, "initAttr", initAttr);
        state.enter(verb);
        try {
            side.ops().queryQp(qp, attr, mask, initAttr);
        } catch (Throwable t) {
            throw side.failed(verb, t);
        } finally {
            state.leave();
        }
    }

    void attachMcast(QueuePair qp, Gid gid, int lid) {
        String verb = "attach_mcast";
        QueuePairState state = handles.findQp(verb, qp);
        QueuePairState.Group group = group(verb, qp, gid, lid);
        state.enterChange(verb);
        try {
            // As in the kernel, attaching again changes nothing.
            if (state.groups().contains(group)) {
                return;
            }
            state.addChild(verb, Kind.ATTACHMENT);
            try {
                side.ops().attachMcast(qp, gid, lid);
                state.groups().add(group);
            } finally {
                if (!state.groups().contains(group)) {
                    state.removeChild(Kind.ATTACHMENT);
                }
            }
        } catch (Throwable t) {
            throw side.failed(verb, t);
        } finally {
            state.leaveChange();
        }
    }

    void detachMcast(QueuePair qp, Gid gid, int lid) {
        String verb = "detach_mcast";
        QueuePairState state = handles.findQp(verb, qp);
        QueuePairState.Group group = group(verb, qp, gid, lid);
        state.enterChange(verb);
        try {
            if (!state.groups().contains(group)) {
                throw Arguments.invalid(
                        verb,
                        state + " is not attached to " + gid + " with LID " + lid
                                + "; detach with the values that it was attached with");
            }
            side.ops().detachMcast(qp, gid, lid);
            state.groups().remove(group);
            state.removeChild(Kind.ATTACHMENT);
        } catch (Throwable t) {
            throw side.failed(verb, t);
        } finally {
            state.leaveChange();
        }
    }

    private static QueuePairState.Group group(String verb, QueuePair qp, Gid gid, int lid) {
        if (QpChecks.knows(qp.qpType()) && qp.qpType() != QpType.UD) {
            throw Arguments.invalid(
                    verb,
                    "a queue pair of type " + QpType.toString(qp.qpType())
                            + " does not support multicast; use one of type UD");
        }
        Arguments.notNull(verb, "gid", gid);
        if (!gid.isMulticast()) {
            throw Arguments.invalid(
                    verb,
                    "gid " + gid + " is not a multicast address; use one that begins with ff, or a mapped 224.0.0.0/4");
        }
        Arguments.range(verb, "lid", lid, 0, 0xffff);
        return new QueuePairState.Group(gid, lid);
    }

    void destroyQp(QueuePair qp) {
        handles.destroy("destroy_qp", "qp", qp, p -> p.destroyQp(qp));
    }
}
