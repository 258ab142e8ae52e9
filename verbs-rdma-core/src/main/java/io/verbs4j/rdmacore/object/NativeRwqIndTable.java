/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.Context;
import io.verbs4j.RwqIndTable;
import io.verbs4j.RwqIndTableInitAttr;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.layout.RwqIndTableLayout;

/** An indirection table of a native device. */
public final class NativeRwqIndTable extends RwqIndTable {
    /** The {@code struct ibv_rwq_ind_table}. */
    public final IbvObject ibv;

    /** Creates the handle of a {@code struct ibv_rwq_ind_table}. */
    public NativeRwqIndTable(Context context, RwqIndTableInitAttr attr, long address) {
        super(context, attr, NativeMemory.getInt(address + RwqIndTableLayout.IND_TBL_NUM));
        ibv = new IbvObject(address);
    }
}
