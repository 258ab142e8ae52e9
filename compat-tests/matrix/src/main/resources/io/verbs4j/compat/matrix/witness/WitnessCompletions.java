/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package witness;

import io.verbs4j.ContextOps;
import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.slot.CreateCqEx;
import io.verbs4j.slot.ModifyCq;
import io.verbs4j.slot.ModifyQpRateLimit;
import io.verbs4j.slot.QueryDeviceEx;
import io.verbs4j.slot.QueryGidEx;
import io.verbs4j.slot.QueryGidTable;
import io.verbs4j.slot.QueryQpDataInOrder;
import io.verbs4j.slot.QueryValues;

/** The witness of the first part of level 3. */
public abstract class WitnessCompletions extends WitnessXrc {
    @Override
    public void initContext(ContextOps opened, ContextTable table) {
        CompletionOps ops = (CompletionOps) opened;
        ops.shown(this, table);
        // What lies beyond the table of an older library is not taken, and that is all.
        table.fillProvider(ContextSlot.CREATE_CQ_EX, (CreateCqEx) ops::createCqEx);
        table.fillProvider(ContextSlot.QUERY_VALUES, (QueryValues) ops::queryValues);
        table.fillProvider(ContextSlot.QUERY_DEVICE_EX, (QueryDeviceEx) ops::queryDeviceEx);
        table.fillProvider(ContextSlot.MODIFY_CQ, (ModifyCq) ops::modifyCq);
        table.fillProvider(ContextSlot.QUERY_GID_EX, (QueryGidEx) ops::queryGidEx);
        table.fillProvider(ContextSlot.QUERY_GID_TABLE, (QueryGidTable) ops::queryGidTable);
        table.fillProvider(ContextSlot.QUERY_QP_DATA_IN_ORDER, (QueryQpDataInOrder) ops::queryQpDataInOrder);
        table.fillProvider(ContextSlot.MODIFY_QP_RATE_LIMIT, (ModifyQpRateLimit) ops::modifyQpRateLimit);
        super.initContext(opened, table);
    }
}
