/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi;

import io.verbs4j.hbldv.HblUsrFifoAttr;
import io.verbs4j.hbldv.HblUsrFifoTypes;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.provider.gaudi.layout.UsrFifoAttrLayout;
import io.verbs4j.provider.gaudi.layout.UsrFifoLayout;
import io.verbs4j.rdmacore.call.Answers;

/**
 * A FIFO, as libhbl has made it.
 *
 * @param struct the {@code struct hbldv_usr_fifo}
 * @param number its number at the port
 * @param consumed address of the index that the device has come to
 * @param registers address of its registers; 0 where they are not mapped
 * @param size in bytes
 * @param threshold how full it should be at most, in bytes
 */
public record FifoPlace(long struct, int number, long consumed, long registers, int size, int threshold) {
    private static final String CREATE = "hbldv_create_usr_fifo";
    private static final String DESTROY = "hbldv_destroy_usr_fifo";

    /** What {@code mmap} answers where it fails. */
    private static final long NOT_MAPPED = -1;

    /** Makes one; its port is set up. */
    public static FifoPlace create(GaudiContext base, HblUsrFifoAttr attr) {
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
            return of(Answers.checkPointer(CREATE, Libhbl.function(CREATE).call(base.address(), at)));
        }
    }

    private static FifoPlace of(long struct) {
        long page = NativeMemory.getLong(struct + UsrFifoLayout.REGS_CPU_ADDR);
        long offset = Integer.toUnsignedLong(NativeMemory.getInt(struct + UsrFifoLayout.REGS_OFFSET));
        return new FifoPlace(
                struct,
                NativeMemory.getInt(struct + UsrFifoLayout.USR_FIFO_NUM),
                NativeMemory.getLong(struct + UsrFifoLayout.CI_CPU_ADDR),
                page == 0 || page == NOT_MAPPED ? 0 : page + offset,
                NativeMemory.getInt(struct + UsrFifoLayout.SIZE),
                NativeMemory.getInt(struct + UsrFifoLayout.BP_THRESH));
    }

    /** Ends it. */
    public void destroy() {
        Answers.check(DESTROY, Libhbl.function(DESTROY).call(struct));
    }
}
