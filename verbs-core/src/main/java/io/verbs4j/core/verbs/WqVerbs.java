/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import io.verbs4j.ContextSlot;
import io.verbs4j.Errno;
import io.verbs4j.RwqIndTable;
import io.verbs4j.RwqIndTableInitAttr;
import io.verbs4j.VerbsException;
import io.verbs4j.WorkQueue;
import io.verbs4j.WqAttr;
import io.verbs4j.WqAttrMask;
import io.verbs4j.WqFlags;
import io.verbs4j.WqInitAttr;
import io.verbs4j.WqInitAttrMask;
import io.verbs4j.WqState;
import io.verbs4j.core.base.Arguments;
import io.verbs4j.slot.CreateRwqIndTable;
import io.verbs4j.slot.CreateWq;
import io.verbs4j.slot.DestroyRwqIndTable;
import io.verbs4j.slot.DestroyWq;
import io.verbs4j.slot.ModifyWq;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The library's part of the verbs about work queues and their tables. */
final class WqVerbs implements CreateWq, ModifyWq, DestroyWq, CreateRwqIndTable, DestroyRwqIndTable {
    private static final long KNOWN = WqAttrMask.STATE | WqAttrMask.CURR_STATE | WqAttrMask.FLAGS;

    private final ObjectState context;
    private final ProviderSide side;
    private final Handles handles;
    private final DeviceVerbs device;

    WqVerbs(ObjectState context, ProviderSide side, Handles handles, DeviceVerbs device) {
        this.context = context;
        this.side = side;
        this.handles = handles;
        this.device = device;
    }

    @Override
    public WorkQueue createWq(WqInitAttr attr) {
        String verb = "create_wq";
        Arguments.notNull(verb, "attr", attr);
        Masks.check(verb, attr, WqInitAttrMask.FLAGS, 0, WqInitAttrMask::toString);
        Arguments.atLeast(verb, "maxWr", attr.maxWr(), 1);
        Arguments.atLeast(verb, "maxSge", attr.maxSge(), 0);
        ObjectState pd = handles.find(verb, "pd", attr.pd());
        ObjectState cq = handles.find(verb, "cq", attr.cq());
        CreateWq provider = side.slot(verb, ContextSlot.CREATE_WQ, CreateWq.class);
        int type = attr.wqType();
        ObjectState state = new ObjectState(context.owner(), Kind.WQ, List.of(pd, cq, context));
        Creation creation = handles.begin(verb, state);
        try (creation) {
            WorkQueue wq = creation.made(provider.createWq(attr));
            creation.require(wq.pd() == attr.pd() && wq.cq() == attr.cq(), "protection domain or completion queue");
            creation.require(wq.wqType() == type, "type");
            return creation.done(wq);
        } catch (Throwable t) {
            throw side.failed(verb, t);
        }
    }

    @Override
    public void modifyWq(WorkQueue wq, WqAttr attr) {
        String verb = "modify_wq";
        ObjectState state = handles.find(verb, "wq", wq);
        Arguments.notNull(verb, "attr", attr);
        Masks.check(verb, attr, KNOWN, 0, WqAttrMask::toString);
        if (attr.compMask() == 0) {
            throw Arguments.invalid(verb, "the mask is 0, so nothing would change; set wqState, or flags");
        }
        if ((attr.compMask() & WqAttrMask.FLAGS) != 0) {
            flags(verb, attr);
        }
        ModifyWq provider = side.slot(verb, ContextSlot.MODIFY_WQ, ModifyWq.class);
        state.enterChange(verb);
        try {
            states(verb, state, wq.wqState(), attr);
            provider.modifyWq(wq, attr);
            boolean told = wq.wqState() == attr.wqState() || wq.wqState() == WqState.ERR;
            if ((attr.compMask() & WqAttrMask.STATE) != 0 && !told) {
                throw side.broken(
                        verb,
                        "did not report that " + state + " is in state " + WqState.toString(attr.wqState()) + " now");
            }
        } catch (Throwable t) {
            throw side.failed(verb, t);
        } finally {
            state.leaveChange();
        }
    }

    private static void flags(String verb, WqAttr attr) {
        int surplus = attr.flags() & ~attr.flagsMask();
        if (surplus != 0) {
            throw Arguments.invalid(
                    verb,
                    "flags has " + WqFlags.toString(surplus)
                            + ", which flagsMask lacks; set flagsMask to all flags to change");
        }
        if (attr.flagsMask() == 0) {
            throw Arguments.invalid(verb, "flagsMask is 0, so no flag would change; set it to the flags to change");
        }
    }

    private static void states(String verb, ObjectState state, int from, WqAttr attr) {
        if ((attr.compMask() & WqAttrMask.CURR_STATE) != 0 && attr.currWqState() != from) {
            throw Arguments.invalid(
                    verb,
                    "currWqState is " + WqState.toString(attr.currWqState()) + ", but " + state + " is in state "
                            + WqState.toString(from));
        }
        if ((attr.compMask() & WqAttrMask.STATE) == 0) {
            return;
        }
        int to = attr.wqState();
        Arguments.range(verb, "wqState", to, WqState.RESET, WqState.ERR);
        if (from == WqState.ERR && to == WqState.RDY) {
            throw Arguments.invalid(verb, state + " is in state ERR, which leads to RESET alone; move it there first");
        }
        if (from == WqState.RESET && to == WqState.ERR) {
            throw Arguments.invalid(verb, state + " is in state RESET, which leads to RDY alone; move it there first");
        }
    }

    @Override
    public void destroyWq(WorkQueue wq) {
        String verb = "destroy_wq";
        DestroyWq provider = side.slot(verb, ContextSlot.DESTROY_WQ, DestroyWq.class);
        handles.destroy(verb, "wq", wq, p -> provider.destroyWq(wq));
    }

    @Override
    public RwqIndTable createRwqIndTable(RwqIndTableInitAttr attr) {
        String verb = "create_rwq_ind_table";
        Arguments.notNull(verb, "attr", attr);
        Masks.check(verb, attr);
        WorkQueue[] queues = attr.indTbl();
        if (Integer.bitCount(queues.length) != 1) {
            throw Arguments.invalid(
                    verb,
                    "indTbl has " + queues.length
                            + " work queues; the number must be a power of two, so repeat some of them");
        }
        // A set: a work queue counts once, however often it is in the table.
        Set<ObjectState> parents = new LinkedHashSet<>();
        for (int i = 0; i < queues.length; i++) {
            parents.add(handles.find(verb, "indTbl[" + i + "]", queues[i]));
        }
        parents.add(context);
        CreateRwqIndTable provider = side.slot(verb, ContextSlot.CREATE_RWQ_IND_TABLE, CreateRwqIndTable.class);
        int most = device.deviceIfTold().rssMaxRwqIndirectionTableSize();
        if (most > 0 && queues.length > most) {
            throw new VerbsException(
                    Errno.EINVAL,
                    verb,
                    "indTbl has " + queues.length + " work queues, but the device supports tables of at most " + most);
        }
        Creation creation = handles.begin(verb, new ObjectState(context.owner(), Kind.IND_TABLE, List.copyOf(parents)));
        try (creation) {
            RwqIndTable table = creation.made(provider.createRwqIndTable(attr));
            creation.require(table.size() == queues.length, "size");
            return creation.done(table);
        } catch (Throwable t) {
            throw side.failed(verb, t);
        }
    }

    @Override
    public void destroyRwqIndTable(RwqIndTable table) {
        String verb = "destroy_rwq_ind_table";
        DestroyRwqIndTable provider = side.slot(verb, ContextSlot.DESTROY_RWQ_IND_TABLE, DestroyRwqIndTable.class);
        handles.destroy(verb, "table", table, p -> provider.destroyRwqIndTable(table));
    }
}
