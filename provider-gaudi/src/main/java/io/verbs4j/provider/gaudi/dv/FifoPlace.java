/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.dv;

import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.gaudi.layout.UsrFifoLayout;
import io.verbs4j.rdmacore.call.Answers;

/**
 * A FIFO, as libhbl has created it.
 *
 * @param struct the {@code struct hbldv_usr_fifo}
 * @param number number at the port
 * @param consumed address of the device's consumer index
 * @param registers address of the registers; 0 if they are not mapped
 * @param size size in bytes
 * @param threshold back-pressure threshold: how full it should be at most, in bytes
 */
public record FifoPlace(long struct, int number, long consumed, long registers, int size, int threshold) {
    private static final String DESTROY = "hbldv_destroy_usr_fifo";

    /** Result of a failed {@code mmap}. */
    private static final long NOT_MAPPED = -1;

    /** Reads a {@code struct hbldv_usr_fifo}. */
    public static FifoPlace of(long struct) {
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

    /** Destroys the FIFO. */
    public void destroy() {
        Answers.check(DESTROY, Libhbl.function(DESTROY).call(struct));
    }
}
