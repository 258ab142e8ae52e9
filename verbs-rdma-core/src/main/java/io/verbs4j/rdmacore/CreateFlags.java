/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

import io.verbs4j.QpCreateFlags;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpInitAttrMask;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.layout.QpInitAttrExLayout;
import io.verbs4j.rdmacore.marshal.QpInitMask;

/** The queue pair creation flags that libibverbs can pass on. */
final class CreateFlags {
    /** Flags that are passed to C, and the hints, for which C has no flag. */
    private static final int KNOWN = QpCreateFlags.BLOCK_SELF_MCAST_LB
            | QpCreateFlags.SCATTER_FCS
            | QpCreateFlags.CVLAN_STRIPPING
            | QpCreateFlags.PCI_WRITE_END_PADDING
            | QpCreateFlags.OPTIONAL_RANGE;

    private CreateFlags() {}

    /**
     * Returns the flags to pass to C.
     *
     * @param more flags that the provider implements itself
     * @throws io.verbs4j.VerbsException EOPNOTSUPP for a flag that libibverbs would not pass on
     */
    static int of(String verb, QpInitAttrEx attr, int more) {
        if ((attr.compMask() & QpInitAttrMask.CREATE_FLAGS) == 0) {
            return 0;
        }
        Answers.requireKnown(verb, "createFlags", attr.createFlags(), KNOWN | more, QpCreateFlags::toString);
        return attr.createFlags() & ~(QpCreateFlags.OPTIONAL_RANGE | more);
    }

    /** Writes the flags to a {@code struct ibv_qp_init_attr_ex} whose mask is already set. */
    static void write(long at, QpInitAttrEx attr, int more) {
        int told = of("create_qp_ex", attr, more);
        if (told != 0) {
            QpInitMask.add(at, QpInitAttrMask.CREATE_FLAGS);
            NativeMemory.putInt(at + QpInitAttrExLayout.CREATE_FLAGS, told);
        }
    }
}
