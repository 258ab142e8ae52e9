/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.DeviceAttrEx;
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
import io.verbs4j.WqType;
import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.layout.ExtendedContextLayout;
import io.verbs4j.rdmacore.layout.RwqIndTableInitAttrLayout;
import io.verbs4j.rdmacore.layout.WqAttrLayout;
import io.verbs4j.rdmacore.layout.WqInitAttrLayout;
import io.verbs4j.rdmacore.object.IbvObject;
import io.verbs4j.rdmacore.object.IbvWq;
import io.verbs4j.rdmacore.object.NativeRwqIndTable;
import io.verbs4j.rdmacore.object.NativeWorkQueue;
import io.verbs4j.slot.CreateRwqIndTable;
import io.verbs4j.slot.CreateWq;
import io.verbs4j.slot.DestroyRwqIndTable;
import io.verbs4j.slot.DestroyWq;
import io.verbs4j.slot.ModifyWq;

/**
 * Implements the verbs for work queues and their tables. The lock and the condition of a queue, which C's inline
 * function initializes, are all zero, as the driver leaves them.
 */
final class WqVerbs {
    private static final int FLAGS =
            WqFlags.CVLAN_STRIPPING | WqFlags.SCATTER_FCS | WqFlags.DELAY_DROP | WqFlags.PCI_WRITE_END_PADDING;
    private static final long CHANGES = WqAttrMask.STATE | WqAttrMask.CURR_STATE | WqAttrMask.FLAGS;

    private final NativeContext base;
    private final EventVerbs events;
    private final NativeFunction createWq;
    private final NativeFunction modifyWq;
    private final NativeFunction destroyWq;
    private final NativeFunction createTable;
    private final NativeFunction destroyTable;

    WqVerbs(NativeContext base, EventVerbs events) {
        this.base = base;
        this.events = events;
        createWq = base.functions().extended(ExtendedContextLayout.CREATE_WQ);
        modifyWq = base.functions().extended(ExtendedContextLayout.MODIFY_WQ);
        destroyWq = base.functions().extended(ExtendedContextLayout.DESTROY_WQ);
        createTable = base.functions().extended(ExtendedContextLayout.CREATE_RWQ_IND_TABLE);
        destroyTable = base.functions().extended(ExtendedContextLayout.DESTROY_RWQ_IND_TABLE);
    }

    /**
     * Fills the slots if the data path can read receives. libibverbs fills each of its slots, even for drivers without
     * work queues, so the number of queues that the device reports decides.
     */
    void fill(ContextTable table, DeviceAttrEx told) {
        if (createWq == null
                || modifyWq == null
                || destroyWq == null
                || createTable == null
                || destroyTable == null
                || told.maxWqTypeRq() <= 0
                || !base.carriesFrames()) {
            return;
        }
        table.fillProvider(ContextSlot.CREATE_WQ, (CreateWq) this::createWq);
        table.fillProvider(ContextSlot.MODIFY_WQ, (ModifyWq) this::modifyWq);
        table.fillProvider(ContextSlot.DESTROY_WQ, (DestroyWq) this::destroyWq);
        table.fillProvider(ContextSlot.CREATE_RWQ_IND_TABLE, (CreateRwqIndTable) this::createTable);
        table.fillProvider(ContextSlot.DESTROY_RWQ_IND_TABLE, (DestroyRwqIndTable) this::destroyTable);
    }

    private WorkQueue createWq(WqInitAttr attr) {
        String verb = "create_wq";
        Answers.refuseUnknown(verb, attr, WqInitAttrMask.FLAGS);
        Answers.requireKnown(verb, "createFlags", attr.createFlags(), FLAGS, WqFlags::toString);
        if (attr.wqType() != WqType.RQ) { // libmlx5 fails here without a reason
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    verb,
                    "wqType is " + WqType.toString(attr.wqType()) + ", but the device supports only RQ");
        }
        try (Scratch c = new Scratch(WqInitAttrLayout.SIZEOF)) {
            long at = c.address();
            NativeMemory.putInt(at + WqInitAttrLayout.WQ_TYPE, attr.wqType());
            NativeMemory.putInt(at + WqInitAttrLayout.MAX_WR, attr.maxWr());
            NativeMemory.putInt(at + WqInitAttrLayout.MAX_SGE, attr.maxSge());
            NativeMemory.putLong(at + WqInitAttrLayout.PD, IbvObject.addressOf(attr.pd()));
            NativeMemory.putLong(at + WqInitAttrLayout.CQ, IbvObject.addressOf(attr.cq()));
            NativeMemory.putInt(at + WqInitAttrLayout.COMP_MASK, (int) (attr.compMask() & WqInitAttrMask.FLAGS));
            NativeMemory.putInt(at + WqInitAttrLayout.CREATE_FLAGS, attr.createFlags());
            long wq = Answers.checkPointer(verb, createWq.call(base.address(), at));
            attr.maxWr(NativeMemory.getInt(at + WqInitAttrLayout.MAX_WR))
                    .maxSge(NativeMemory.getInt(at + WqInitAttrLayout.MAX_SGE));
            return handleOf(attr, wq);
        }
    }

    /** Creates the handle of a {@code struct ibv_wq}; destroys the latter if that fails. */
    private WorkQueue handleOf(WqInitAttr attr, long wq) {
        try {
            NativeWorkQueue handle = base.newWorkQueue(attr, wq);
            return events.known(handle.ibv, handle);
        } catch (RuntimeException e) {
            destroyWq.call(wq);
            throw e;
        }
    }

    private void modifyWq(WorkQueue handle, WqAttr attr) {
        String verb = "modify_wq";
        Answers.refuseUnknown(verb, attr, CHANGES);
        Answers.requireKnown(verb, "flagsMask", attr.flagsMask(), FLAGS, WqFlags::toString);
        IbvWq wq = ((NativeWorkQueue) handle).ibv;
        try (Scratch c = new Scratch(WqAttrLayout.SIZEOF)) {
            long at = c.address();
            NativeMemory.putInt(at + WqAttrLayout.ATTR_MASK, (int) (attr.compMask() & CHANGES));
            NativeMemory.putInt(at + WqAttrLayout.WQ_STATE, attr.wqState());
            NativeMemory.putInt(at + WqAttrLayout.CURR_WQ_STATE, attr.currWqState());
            NativeMemory.putInt(at + WqAttrLayout.FLAGS, attr.flags());
            NativeMemory.putInt(at + WqAttrLayout.FLAGS_MASK, attr.flagsMask());
            Runnable modify = () -> Answers.check(verb, modifyWq.call(wq.address(), at));
            if ((attr.compMask() & WqAttrMask.STATE) == 0) {
                modify.run();
            } else {
                wq.change(verb, attr.wqState(), modify);
            }
        }
    }

    private void destroyWq(WorkQueue handle) {
        IbvWq wq = ((NativeWorkQueue) handle).ibv;
        wq.pin().closeFor(() -> wq.destroy(() -> Answers.check("destroy_wq", destroyWq.call(wq.address()))));
        events.forget(wq, handle);
    }

    private RwqIndTable createTable(RwqIndTableInitAttr attr) {
        String verb = "create_rwq_ind_table";
        Answers.refuseUnknown(verb, attr, 0);
        WorkQueue[] queues = attr.indTbl();
        try (Scratch c = new Scratch(RwqIndTableInitAttrLayout.SIZEOF + queues.length * Long.BYTES)) {
            long at = c.address();
            long pointers = at + RwqIndTableInitAttrLayout.SIZEOF;
            for (int i = 0; i < queues.length; i++) {
                NativeMemory.putLong(pointers + (long) i * Long.BYTES, ((NativeWorkQueue) queues[i]).ibv.address());
            }
            NativeMemory.putInt(at + RwqIndTableInitAttrLayout.LOG_IND_TBL_SIZE, attr.logIndTblSize());
            NativeMemory.putLong(at + RwqIndTableInitAttrLayout.IND_TBL, pointers);
            long table = Answers.checkPointer(verb, createTable.call(base.address(), at));
            return new NativeRwqIndTable(base.context(), attr, table);
        }
    }

    private void destroyTable(RwqIndTable table) {
        IbvObject ibv = ((NativeRwqIndTable) table).ibv;
        ibv.pin().closeFor(() -> Answers.check("destroy_rwq_ind_table", destroyTable.call(ibv.address())));
    }
}
