/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package witness;

import io.verbs4j.Context;
import io.verbs4j.ContextOps;
import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.Device;
import io.verbs4j.slot.CloseXrcd;
import io.verbs4j.slot.CreateQpEx;
import io.verbs4j.slot.CreateSrqEx;
import io.verbs4j.slot.GetSrqNum;
import io.verbs4j.slot.OpenQp;
import io.verbs4j.slot.OpenXrcd;
import io.verbs4j.spi.ExtendedProvider;

/** The witness of level 2. */
public class WitnessXrc extends WitnessProvider implements ExtendedProvider {
    @Override
    public ContextOps openDevice(Device device, Context context) {
        super.openDevice(device, context);
        return new XrcOps(context);
    }

    @Override
    public void initContext(ContextOps opened, ContextTable table) {
        XrcOps ops = (XrcOps) opened;
        table.fillProvider(ContextSlot.OPEN_XRCD, (OpenXrcd) ops::openXrcd);
        table.fillProvider(ContextSlot.CLOSE_XRCD, (CloseXrcd) ops::closeXrcd);
        table.fillProvider(ContextSlot.CREATE_SRQ_EX, (CreateSrqEx) ops::createSrqEx);
        table.fillProvider(ContextSlot.GET_SRQ_NUM, (GetSrqNum) ops::getSrqNum);
        table.fillProvider(ContextSlot.CREATE_QP_EX, (CreateQpEx) ops::createQpEx);
        table.fillProvider(ContextSlot.OPEN_QP, (OpenQp) ops::openQp);
        // What a provider of a level to come does: no library has so many.
        if (table.fillProvider(table.size(), "beyond") || table.fillProvider(1000, "beyond")) {
            throw new IllegalStateException("a function was accepted beyond the table's size, " + table.size());
        }
        table.seal(); // it is the provider's own
    }
}
