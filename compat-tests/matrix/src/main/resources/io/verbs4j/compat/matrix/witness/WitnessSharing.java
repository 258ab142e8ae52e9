/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package witness;

import io.verbs4j.Context;
import io.verbs4j.ContextOps;
import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.Device;
import io.verbs4j.OpenAttrMask;
import io.verbs4j.slot.ExportDevice;
import io.verbs4j.slot.ExportHandle;
import io.verbs4j.slot.ImportDm;
import io.verbs4j.slot.ImportMr;
import io.verbs4j.slot.ImportPd;
import io.verbs4j.slot.QueryEce;
import io.verbs4j.slot.SetEce;
import io.verbs4j.slot.UnimportDm;
import io.verbs4j.slot.UnimportMr;
import io.verbs4j.slot.UnimportPd;

/** The witness of level 4. */
public final class WitnessSharing extends WitnessMemory {
    @Override
    public ContextOps openDevice(Device device, Context context) {
        super.openDevice(device, context);
        context.acceptOpenAttr(OpenAttrMask.IMPORT_FD, 0);
        return SharingOps.of(context);
    }

    @Override
    public void initContext(ContextOps opened, ContextTable table) {
        SharingOps ops = (SharingOps) opened;
        table.fillProvider(ContextSlot.IMPORT_PD, (ImportPd) ops::importPd);
        table.fillProvider(ContextSlot.UNIMPORT_PD, (UnimportPd) ops::unimportPd);
        table.fillProvider(ContextSlot.IMPORT_MR, (ImportMr) ops::importMr);
        table.fillProvider(ContextSlot.UNIMPORT_MR, (UnimportMr) ops::unimportMr);
        table.fillProvider(ContextSlot.IMPORT_DM, (ImportDm) ops::importDm);
        table.fillProvider(ContextSlot.UNIMPORT_DM, (UnimportDm) ops::unimportDm);
        table.fillProvider(ContextSlot.EXPORT_DEVICE, (ExportDevice) ops::exportDevice);
        table.fillProvider(ContextSlot.EXPORT_HANDLE, (ExportHandle) ops::exportHandle);
        new EthernetOps(ops).fill(table);
        new CounterOps(ops).fill(table);
        new DmaOps(ops).fill(table);
        table.fillProvider(ContextSlot.SET_ECE, (SetEce) ops::setEce);
        table.fillProvider(ContextSlot.QUERY_ECE, (QueryEce) ops::queryEce);
        super.initContext(opened, table);
    }
}
