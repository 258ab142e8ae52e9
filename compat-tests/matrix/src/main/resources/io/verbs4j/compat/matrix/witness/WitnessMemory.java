/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package witness;

import io.verbs4j.Context;
import io.verbs4j.ContextOps;
import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.Device;
import io.verbs4j.slot.AdviseMr;
import io.verbs4j.slot.AllocDm;
import io.verbs4j.slot.AllocMrKey;
import io.verbs4j.slot.AllocNullMr;
import io.verbs4j.slot.AllocParentDomain;
import io.verbs4j.slot.AllocTd;
import io.verbs4j.slot.DeallocTd;
import io.verbs4j.slot.DmExportDmabufFd;
import io.verbs4j.slot.FreeDm;
import io.verbs4j.slot.RegDmMr;
import io.verbs4j.slot.RegMrEx;

/** The witness of level 3, whole. */
public class WitnessMemory extends WitnessCompletions {
    @Override
    public ContextOps openDevice(Device device, Context context) {
        super.openDevice(device, context);
        return new MemoryOps(context);
    }

    @Override
    public void initContext(ContextOps opened, ContextTable table) {
        MemoryOps ops = (MemoryOps) opened;
        table.fillProvider(ContextSlot.REG_MR_EX, (RegMrEx) ops::regMrEx);
        table.fillProvider(ContextSlot.ADVISE_MR, (AdviseMr) ops::adviseMr);
        table.fillProvider(ContextSlot.ALLOC_NULL_MR, (AllocNullMr) ops::allocNullMr);
        table.fillProvider(ContextSlot.ALLOC_MR_KEY, (AllocMrKey) ops::allocMrKey);
        table.fillProvider(ContextSlot.ALLOC_TD, (AllocTd) ops::allocTd);
        table.fillProvider(ContextSlot.DEALLOC_TD, (DeallocTd) ops::deallocTd);
        table.fillProvider(ContextSlot.ALLOC_PARENT_DOMAIN, (AllocParentDomain) ops::allocParentDomain);
        table.fillProvider(ContextSlot.ALLOC_DM, (AllocDm) ops::allocDm);
        table.fillProvider(ContextSlot.FREE_DM, (FreeDm) ops::freeDm);
        table.fillProvider(ContextSlot.REG_DM_MR, (RegDmMr) ops::regDmMr);
        table.fillProvider(ContextSlot.DM_EXPORT_DMABUF_FD, (DmExportDmabufFd) ops::dmExportDmabufFd);
        super.initContext(opened, table);
    }
}
