/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit.model;

import static io.verbs4j.compat.kit.model.DeviceOps.no;

import io.verbs4j.Context;
import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.Errno;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.RwqIndTable;
import io.verbs4j.RwqIndTableInitAttr;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WorkQueue;
import io.verbs4j.WqAttr;
import io.verbs4j.WqAttrMask;
import io.verbs4j.WqFlags;
import io.verbs4j.WqInitAttr;
import io.verbs4j.WqInitAttrMask;
import io.verbs4j.WqState;
import io.verbs4j.WqType;
import io.verbs4j.compat.kit.Capability;
import io.verbs4j.slot.CreateRwqIndTable;
import io.verbs4j.slot.CreateWq;
import io.verbs4j.slot.DestroyRwqIndTable;
import io.verbs4j.slot.DestroyWq;
import io.verbs4j.slot.ModifyWq;

/** The model's work queues, and tables of them. */
final class WorkQueueOps {
    private final Context context;

    WorkQueueOps(Context context) {
        this.context = context;
    }

    static final class Queue extends WorkQueue {
        private final Receives receives;
        private final boolean strips;
        private boolean closed;

        Queue(Context context, WqInitAttr attr, int number) {
            super(context, attr, number);
            receives = new Receives(attr.maxWr());
            strips = (attr.createFlags() & WqFlags.CVLAN_STRIPPING) != 0;
        }

        @Override
        public int postRecv(RecvWorkRequest wr, RecvWorkRequest[] badWr) {
            synchronized (Fabric.LOCK) {
                boolean early = wqState() == WqState.RESET && !Fault.WQ_TAKES_IN_RESET.on();
                if (closed || wr == null || early) {
                    if (badWr != null) {
                        badWr[0] = wr;
                    }
                    return Errno.EINVAL;
                }
                int error = receives.post(wr, badWr);
                if (wqState() == WqState.ERR) {
                    flush();
                }
                return error == Errno.ENOMEM && Fault.WQ_FULL_EINVAL.on() ? Errno.EINVAL : error;
            }
        }

        private void go(int state) {
            updateWqState(state);
            if (state == WqState.ERR && !Fault.WQ_NO_FLUSH.on()) {
                flush();
            } else if (state == WqState.RESET) {
                receives.clear();
            }
        }

        private void flush() {
            for (Receives.Entry entry = receives.take(false); entry != null; entry = receives.take(false)) {
                WorkCompletion wc = new WorkCompletion().wrId(entry.wrId()).opcode(WcOpcode.RECV);
                ModelCq.of(cq()).add(wc.status(WcStatus.WR_FLUSH_ERR).qpNum(wqNum()), false);
            }
        }

        private void take(Packet packet, int tag) {
            Receives.Entry entry = wqState() == WqState.RDY ? receives.take(false) : null;
            if (entry != null) {
                WorkCompletion wc = Segment.received(entry, pd(), packet, tag, strips);
                ModelCq.of(cq()).add(wc.qpNum(wqNum()), false);
            }
        }

        private void end() {
            closed = true;
        }
    }

    private static final class Table extends RwqIndTable {
        /** With a fault: the number of frames so far. */
        private int had;

        Table(Context context, RwqIndTableInitAttr attr, int number) {
            super(context, attr, number);
        }
    }

    boolean fill(ContextTable table) {
        Capability queues = Capability.WORK_QUEUES;
        boolean all = GrownOps.fill(table, queues, ContextSlot.CREATE_WQ, (CreateWq) this::createWq);
        all &= GrownOps.fill(table, queues, ContextSlot.MODIFY_WQ, (ModifyWq) WorkQueueOps::modifyWq);
        DestroyWq destroy = wq -> ((Queue) wq).end();
        all &= GrownOps.fill(table, queues, ContextSlot.DESTROY_WQ, destroy);
        CreateRwqIndTable create = attr -> {
            ModelOps.known("create_rwq_ind_table", attr, 0);
            return new Table(context, attr, Fabric.number());
        };
        all &= GrownOps.fill(table, queues, ContextSlot.CREATE_RWQ_IND_TABLE, create);
        DestroyRwqIndTable close = of -> {};
        all &= GrownOps.fill(table, queues, ContextSlot.DESTROY_RWQ_IND_TABLE, close);
        return all;
    }

    private static int flags() {
        return Traits.has(Capability.VLAN_STRIPPING) ? WqFlags.CVLAN_STRIPPING : 0;
    }

    private WorkQueue createWq(WqInitAttr attr) {
        String verb = "create_wq";
        ModelOps.known(verb, attr, WqInitAttrMask.FLAGS);
        if (attr.wqType() != WqType.RQ || (attr.createFlags() & ~flags()) != 0 && !Fault.WQ_ANY_FLAG.on()) {
            throw no(verb, Errno.EOPNOTSUPP, "the model does not have all of this");
        }
        if (attr.maxWr() > DeviceOps.MAX_WR || attr.maxSge() > DeviceOps.MAX_SGE) {
            throw no(verb, Errno.EINVAL, "there can be 1000 requests of 4 pieces");
        }
        synchronized (Fabric.LOCK) {
            return new Queue(context, attr, Fabric.number());
        }
    }

    private static void modifyWq(WorkQueue wq, WqAttr attr) {
        ModelOps.known("modify_wq", attr, WqAttrMask.STATE | WqAttrMask.CURR_STATE);
        synchronized (Fabric.LOCK) {
            if ((attr.compMask() & WqAttrMask.STATE) != 0) {
                ((Queue) wq).go(attr.wqState());
            }
        }
    }

    /** Checks the attributes of a queue pair that spreads frames. */
    static void judge(QpInitAttrEx attr) {
        if (attr.rwqIndTbl() != null && (attr.rxHashConf().rxHashFieldsMask() & ~EthernetOps.HASHED) != 0) {
            throw no("create_qp_ex", Errno.EOPNOTSUPP, "the model does not hash all of these");
        }
    }

    /** Delivers a frame to one of the work queues. */
    static void deliver(ModelQp to, Packet packet, int tag) {
        Table table = (Table) to.handle.rwqIndTbl();
        int hash = packet.hash(to.hashKey, to.hashFields);
        if (Fault.RSS_HIGH_BITS.on()) {
            hash >>>= 16;
        } else if (Fault.RSS_BY_TURNS.on()) {
            hash = table.had++;
        }
        ((Queue) table.workQueue(hash & table.size() - 1)).take(packet, tag);
    }
}
