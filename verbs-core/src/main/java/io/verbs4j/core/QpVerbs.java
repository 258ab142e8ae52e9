/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core;

import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpStateTable;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsObject;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** The library's part of the verbs about queue pairs. */
final class QpVerbs {
    /** What the library puts where the provider is to put the state, to see that it did. */
    private static final int NO_STATE = -1;

    private final ObjectState context;
    private final ProviderSide side;
    private final Handles handles;

    QpVerbs(ObjectState context, ProviderSide side, Handles handles) {
        this.context = context;
        this.side = side;
        this.handles = handles;
    }

    QueuePair createQp(ProtectionDomain pd, QpInitAttr attr) {
        String verb = "create_qp";
        Arguments.notNull(verb, "pd", pd);
        Arguments.notNull(verb, "attr", attr);
        QpChecks.cap(verb, attr.cap());
        VerbsObject sendCq = attr.sendCq();
        VerbsObject recvCq = attr.recvCq();
        VerbsObject srq = attr.srq();
        // A set: a queue that serves both ways counts the queue pair once.
        Set<ObjectState> parents = new LinkedHashSet<>();
        boolean known = QpChecks.knows(attr.qpType());
        parents.add(handles.find(verb, "pd", pd));
        refer(verb, parents, "sendCq", sendCq, known);
        refer(verb, parents, "recvCq", recvCq, known);
        refer(verb, parents, "srq", srq, false);
        parents.add(context);
        Function<QueuePair, String> mismatch = qp -> {
            if (qp.pd() != pd) {
                return "protection domain";
            }
            if (qp.sendCq() != sendCq || qp.recvCq() != recvCq) {
                return "completion queue";
            }
            return qp.srq() == srq ? null : "shared receive queue";
        };
        QueuePairState state = new QueuePairState(context.owner(), List.copyOf(parents));
        return handles.create(verb, state, p -> p.createQp(pd, attr), mismatch);
    }

    /** Keeps what a queue pair refers to; without a rule for the type, whatever is there. */
    private void refer(String verb, Set<ObjectState> parents, String name, VerbsObject handle, boolean needed) {
        if (needed || handle != null) {
            parents.add(handles.find(verb, name, handle));
        }
    }

    void modifyQp(QueuePair qp, QpAttr attr, int mask) {
        String verb = "modify_qp";
        QueuePairState state = handles.findQp(verb, qp);
        Arguments.notNull(verb, "attr", attr);
        QpChecks.attributes(verb, attr, mask);
        state.change(verb, () -> {
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
            side.run(verb, p -> p.modifyQp(qp, attr, mask));
            state.lastState(to);
        });
    }

    /** Asks the provider, because a queue pair goes to ERR by itself; where it can't tell, what the library has seen. */
    private int presentState(QueuePair qp, QueuePairState state) {
        String verb = "query_qp";
        QpAttr answer = new QpAttr().qpState(NO_STATE).clearMask();
        try {
            side.run(verb, p -> p.queryQp(qp, answer, QpAttrMask.STATE, new QpInitAttr()));
        } catch (VerbsException e) {
            if (e.errno() != Errno.EOPNOTSUPP) {
                throw e;
            }
        }
        int present = answer.qpState();
        if (present == NO_STATE) {
            return state.lastState();
        }
        if (QpChecks.knows(qp.qpType()) && (present < QpState.RESET || present > QpState.ERR)) {
            throw side.broken(verb, "says that " + state + " is in state " + present + ", which does not exist");
        }
        return present;
    }

    void queryQp(QueuePair qp, QpAttr attr, int mask, QpInitAttr initAttr) {
        String verb = "query_qp";
        ObjectState state = handles.findQp(verb, qp);
        Arguments.notNull(verb, "attr", attr);
        Arguments.notNull(verb, "initAttr", initAttr);
        state.use(verb, () -> side.run(verb, p -> p.queryQp(qp, attr, mask, initAttr)));
    }

    void attachMcast(QueuePair qp, Gid gid, int lid) {
        String verb = "attach_mcast";
        QueuePairState state = handles.findQp(verb, qp);
        QueuePairState.Group group = group(verb, qp, gid, lid);
        state.change(verb, () -> {
            // As the kernel has it: attaching once more changes nothing.
            if (state.groups().contains(group)) {
                return;
            }
            state.addChild(verb, Kind.ATTACHMENT);
            try {
                side.run(verb, p -> p.attachMcast(qp, gid, lid));
                state.groups().add(group);
            } finally {
                if (!state.groups().contains(group)) {
                    state.removeChild(Kind.ATTACHMENT);
                }
            }
        });
    }

    void detachMcast(QueuePair qp, Gid gid, int lid) {
        String verb = "detach_mcast";
        QueuePairState state = handles.findQp(verb, qp);
        QueuePairState.Group group = group(verb, qp, gid, lid);
        state.change(verb, () -> {
            if (!state.groups().contains(group)) {
                throw Arguments.invalid(
                        verb,
                        state + " is not attached to " + gid + " with LID " + lid
                                + "; detach with what it was attached");
            }
            side.run(verb, p -> p.detachMcast(qp, gid, lid));
            state.groups().remove(group);
            state.removeChild(Kind.ATTACHMENT);
        });
    }

    private static QueuePairState.Group group(String verb, QueuePair qp, Gid gid, int lid) {
        if (QpChecks.knows(qp.qpType()) && qp.qpType() != QpType.UD) {
            throw Arguments.invalid(
                    verb,
                    "a queue pair of type " + QpType.toString(qp.qpType()) + " has no multicast; take one of type UD");
        }
        Arguments.notNull(verb, "gid", gid);
        if (!gid.isMulticast()) {
            throw Arguments.invalid(
                    verb,
                    "gid " + gid + " is no multicast address; take one that begins with ff, or 224.0.0.0/4 mapped");
        }
        Arguments.range(verb, "lid", lid, 0, 0xffff);
        return new QueuePairState.Group(gid, lid);
    }

    void destroyQp(QueuePair qp) {
        handles.destroy("destroy_qp", "qp", qp, p -> p.destroyQp(qp));
    }
}
