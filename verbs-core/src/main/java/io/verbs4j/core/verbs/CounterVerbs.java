/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import io.verbs4j.CompCntrCaps;
import io.verbs4j.CompCntrInitAttr;
import io.verbs4j.CompCntrOps;
import io.verbs4j.CompletionCounter;
import io.verbs4j.ContextSlot;
import io.verbs4j.Errno;
import io.verbs4j.QpAttachCompCntrAttr;
import io.verbs4j.QpState;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsException;
import io.verbs4j.core.base.Arguments;
import io.verbs4j.slot.CreateCompCntr;
import io.verbs4j.slot.DestroyCompCntr;
import io.verbs4j.slot.QpAttachCompCntr;
import io.verbs4j.slot.QueryCompCntrCaps;
import java.util.ArrayList;
import java.util.List;

/** The library's part of the verbs about completion counters. */
final class CounterVerbs implements QueryCompCntrCaps, CreateCompCntr, DestroyCompCntr, QpAttachCompCntr {
    private final ObjectState context;
    private final ProviderSide side;
    private final Handles handles;
    private final QpVerbs qps;

    CounterVerbs(ObjectState context, ProviderSide side, Handles handles, QpVerbs qps) {
        this.context = context;
        this.side = side;
        this.handles = handles;
        this.qps = qps;
    }

    @Override
    public void queryCompCntrCaps(CompCntrCaps caps) {
        String verb = "query_comp_cntr_caps";
        Arguments.notNull(verb, "caps", caps);
        QueryCompCntrCaps provider = side.slot(verb, ContextSlot.QUERY_COMP_CNTR_CAPS, QueryCompCntrCaps.class);
        context.enter(verb);
        try {
            provider.queryCompCntrCaps(caps);
        } catch (Throwable t) {
            throw side.failed(verb, t);
        } finally {
            context.leave();
        }
    }

    @Override
    public CompletionCounter createCompCntr(CompCntrInitAttr attr) {
        String verb = "create_comp_cntr";
        Arguments.notNull(verb, "attr", attr);
        Masks.check(verb, attr);
        CreateCompCntr provider = side.slot(verb, ContextSlot.CREATE_COMP_CNTR, CreateCompCntr.class);
        ObjectState state = new ObjectState(context.owner(), Kind.COUNTER, List.of(context));
        Creation creation = handles.begin(verb, state);
        try (creation) {
            return creation.done(creation.made(provider.createCompCntr(attr)));
        } catch (Throwable t) {
            throw side.failed(verb, t);
        }
    }

    @Override
    public void destroyCompCntr(CompletionCounter counter) {
        String verb = "destroy_comp_cntr";
        DestroyCompCntr provider = side.slot(verb, ContextSlot.DESTROY_COMP_CNTR, DestroyCompCntr.class);
        handles.destroy(verb, "counter", counter, p -> provider.destroyCompCntr(counter));
    }

    @Override
    public void qpAttachCompCntr(QueuePair qp, CompletionCounter counter, QpAttachCompCntrAttr attr) {
        String verb = "qp_attach_comp_cntr";
        QueuePairState state = handles.findQp(verb, qp);
        ObjectState counting = handles.find(verb, "counter", counter);
        Arguments.notNull(verb, "attr", attr);
        Masks.check(verb, attr);
        int ops = attr.opMask();
        if (ops == 0) {
            throw Arguments.invalid(verb, "ops is 0, so nothing would be counted; set some of CompCntrOps");
        }
        QpAttachCompCntr provider = side.slot(verb, ContextSlot.QP_ATTACH_COMP_CNTR, QpAttachCompCntr.class);
        state.enterChange(verb);
        try {
            int present = qps.presentState(qp, state);
            if (present != QpState.RESET && present != QpState.INIT) {
                throw Arguments.invalid(
                        verb,
                        state + " is in state " + QpState.toString(present)
                                + "; counters must be attached in RESET or INIT");
            }
            if ((ops & state.countedOps()) != 0) {
                throw new VerbsException(
                        Errno.EBUSY,
                        verb,
                        state + " has a counter for " + CompCntrOps.toString(ops & state.countedOps())
                                + " already; close that, attach to another queue pair, or leave these out");
            }
            attach(verb, state, counting, () -> provider.qpAttachCompCntr(qp, counter, attr));
            state.countedOps(state.countedOps() | ops);
        } catch (Throwable t) {
            throw side.failed(verb, t);
        } finally {
            state.leaveChange();
        }
    }

    /**
     * Attaches the counter. The queue pair keeps it from being closed, from before the provider is called, once for all
     * operations.
     */
    private static void attach(String verb, QueuePairState qp, ObjectState counter, Runnable provider) {
        List<ObjectState> parents = new ArrayList<>(qp.parents());
        if (parents.contains(counter)) {
            provider.run();
            return;
        }
        counter.addChild(verb, Kind.QP);
        boolean attached = false;
        try {
            provider.run();
            parents.add(counter);
            qp.parents(parents);
            attached = true;
        } finally {
            if (!attached) {
                counter.removeChild(Kind.QP);
            }
        }
    }
}
