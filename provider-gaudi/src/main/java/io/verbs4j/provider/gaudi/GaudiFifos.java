/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi;

import io.verbs4j.hbldv.HblUsrFifoAttr;
import io.verbs4j.hbldv.HblUsrFifoTypes;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.provider.gaudi.dv.FifoPlace;
import io.verbs4j.provider.gaudi.dv.Libhbl;
import io.verbs4j.provider.gaudi.layout.UsrFifoAttrLayout;
import io.verbs4j.rdmacore.call.Answers;

/** Creates the FIFOs of ports. */
final class GaudiFifos {
    private static final String CREATE = "hbldv_create_usr_fifo";

    private GaudiFifos() {}

    /** Creates a FIFO on a port that is set up. */
    static FifoPlace create(GaudiContext base, HblUsrFifoAttr attr) {
        int type = attr.type();
        if (type > HblUsrFifoTypes.CC) {
            base.requireRelease(
                    CREATE, "FIFOs of type " + type, base.layout().hasCollectives(), "1.16 and newer have them");
        }
        if (type == HblUsrFifoTypes.LAG_COMPLETION) {
            base.requireRelease(CREATE, "LAG_COMPLETION", base.layout().hasLagCompletion(), "1.18 and newer have it");
        }
        try (Scratch c = new Scratch(UsrFifoAttrLayout.SIZEOF)) {
            long at = c.address();
            NativeMemory.putInt(at + UsrFifoAttrLayout.PORT_NUM, attr.portNum());
            NativeMemory.putInt(at + UsrFifoAttrLayout.BASE_SOB_ADDR, attr.baseSobAddr());
            NativeMemory.putInt(at + UsrFifoAttrLayout.NUM_SOBS, attr.numSobs());
            NativeMemory.putInt(at + UsrFifoAttrLayout.USR_FIFO_NUM_HINT, attr.numHint());
            NativeMemory.putInt(at + UsrFifoAttrLayout.USR_FIFO_TYPE, type);
            NativeMemory.putByte(
                    at + UsrFifoAttrLayout.DIR_DUP_MASK, Answers.narrow(CREATE, "dirDupMask", attr.dirDupMask(), 0xff));
            return FifoPlace.of(
                    Answers.checkPointer(CREATE, Libhbl.function(CREATE).call(base.address(), at)));
        }
    }
}
