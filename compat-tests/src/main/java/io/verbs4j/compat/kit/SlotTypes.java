/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import java.util.List;
import java.util.Locale;

/** The types of functions in the slots of a table. */
final class SlotTypes {
    /** Verbs that create objects and those that destroy them; verbs of level 1 destroy other objects. */
    private static final List<List<Integer>> PAIRS = List.of(
            List.of(ContextSlot.OPEN_XRCD, ContextSlot.CLOSE_XRCD),
            List.of(ContextSlot.ALLOC_TD, ContextSlot.DEALLOC_TD),
            List.of(ContextSlot.ALLOC_DM, ContextSlot.FREE_DM),
            List.of(ContextSlot.IMPORT_PD, ContextSlot.UNIMPORT_PD),
            List.of(ContextSlot.IMPORT_MR, ContextSlot.UNIMPORT_MR),
            List.of(ContextSlot.IMPORT_DM, ContextSlot.UNIMPORT_DM),
            List.of(ContextSlot.CREATE_WQ, ContextSlot.DESTROY_WQ),
            List.of(ContextSlot.CREATE_RWQ_IND_TABLE, ContextSlot.DESTROY_RWQ_IND_TABLE),
            List.of(ContextSlot.CREATE_FLOW, ContextSlot.DESTROY_FLOW),
            List.of(ContextSlot.CREATE_COUNTERS, ContextSlot.DESTROY_COUNTERS),
            List.of(ContextSlot.CREATE_COMP_CNTR, ContextSlot.DESTROY_COMP_CNTR));

    private SlotTypes() {}

    /**
     * {@return the type of a slot's function} It follows from the verb's name, so that none can be forgotten: {@code
     * open_xrcd}, {@code OpenXrcd}.
     */
    static Class<?> of(int slot) {
        StringBuilder name = new StringBuilder("io.verbs4j.slot.");
        for (String word : ContextSlot.verb(slot).split("_", -1)) {
            name.append(word.substring(0, 1).toUpperCase(Locale.ROOT)).append(word.substring(1));
        }
        try {
            return Class.forName(name.toString());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Fails if a function has the wrong type, or creates objects that no function destroys. */
    static void check(ContextTable table) {
        for (int slot = 0; slot < table.size(); slot++) {
            Object function = table.provider(slot);
            Seen.check(
                    function == null || of(slot).isInstance(function),
                    "the slot of " + ContextSlot.verb(slot) + " has a "
                            + (function == null ? null : function.getClass().getName()));
        }
        for (List<Integer> pair : PAIRS) {
            Seen.check(
                    table.provider(pair.get(0)) == null || table.provider(pair.get(1)) != null,
                    ContextSlot.verb(pair.get(0)) + " is set without " + ContextSlot.verb(pair.get(1)));
        }
    }
}
