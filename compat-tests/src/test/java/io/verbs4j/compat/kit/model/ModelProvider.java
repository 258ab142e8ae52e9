/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit.model;

import io.verbs4j.ContextOps;
import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.slot.CloseXrcd;
import io.verbs4j.slot.CreateQpEx;
import io.verbs4j.slot.CreateSrqEx;
import io.verbs4j.slot.GetSrqNum;
import io.verbs4j.slot.OpenQp;
import io.verbs4j.slot.OpenXrcd;
import io.verbs4j.spi.ExtendedProvider;

/** The provider of the model, with a table of extended verbs. */
public final class ModelProvider extends PlainProvider implements ExtendedProvider {
    @Override
    public void initContext(ContextOps opened, ContextTable table) {
        ModelOps ops = (ModelOps) opened;
        boolean all = table.fillProvider(ContextSlot.OPEN_XRCD, (OpenXrcd) ops::openXrcd);
        all &= table.fillProvider(ContextSlot.CLOSE_XRCD, (CloseXrcd) ops::closeXrcd);
        all &= table.fillProvider(ContextSlot.CREATE_SRQ_EX, (CreateSrqEx) ops::createSrqEx);
        Object number = (GetSrqNum) srq -> ModelSrq.of(srq).number();
        boolean wrong = Fault.WRONG_SLOT_TYPE.on() && !isLibrary(ops.context());
        all &= table.fillProvider(ContextSlot.GET_SRQ_NUM, wrong ? "nonsense" : number);
        all &= table.fillProvider(ContextSlot.CREATE_QP_EX, (CreateQpEx) ops::createQpEx);
        all &= table.fillProvider(ContextSlot.OPEN_QP, (OpenQp) ops::openQp);
        all &= GrownOps.fill(ops, table);
        if (Fault.NEEDS_WHOLE_TABLE.on() && !all) {
            throw new IllegalStateException("the library is too old for the model");
        }
    }
}
