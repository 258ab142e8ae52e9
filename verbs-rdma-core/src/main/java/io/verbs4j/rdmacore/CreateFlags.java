/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

import io.verbs4j.QpCreateFlags;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpInitAttrMask;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.layout.QpInitAttrExLayout;
import io.verbs4j.rdmacore.marshal.QpInitMask;

/** Special behaviour of queue pairs, as far as libibverbs lets it be asked for. */
final class CreateFlags {
    /** What goes on to C, and the hints, which C has no word for. */
    private static final int KNOWN = QpCreateFlags.BLOCK_SELF_MCAST_LB
            | QpCreateFlags.SCATTER_FCS
            | QpCreateFlags.CVLAN_STRIPPING
            | QpCreateFlags.PCI_WRITE_END_PADDING
            | QpCreateFlags.OPTIONAL_RANGE;

    private CreateFlags() {}

    /**
     * What of it C is told.
     *
     * @param more what the provider does by itself
     * @throws io.verbs4j.VerbsException EOPNOTSUPP for a flag that libibverbs would not pass on
     */
    static int of(String verb, QpInitAttrEx attr, int more) {
        if ((attr.compMask() & QpInitAttrMask.CREATE_FLAGS) == 0) {
            return 0;
        }
        Answers.requireKnown(verb, "createFlags", attr.createFlags(), KNOWN | more, QpCreateFlags::toString);
        return attr.createFlags() & ~(QpCreateFlags.OPTIONAL_RANGE | more);
    }

    /** Writes it into a {@code struct ibv_qp_init_attr_ex} whose mask is there already. */
    static void write(long at, QpInitAttrEx attr, int more) {
        int told = of("create_qp_ex", attr, more);
        if (told != 0) {
            QpInitMask.add(at, QpInitAttrMask.CREATE_FLAGS);
            NativeMemory.putInt(at + QpInitAttrExLayout.CREATE_FLAGS, told);
        }
    }
}
