/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

/**
 * A send queue that device code has taken over.
 *
 * @param buf address of the blocks
 * @param blocks number of blocks, a power of 2
 * @param dbrec address of the doorbell records
 * @param register address of the doorbell register
 * @param begin index of the next block
 * @param operations a bit for each {@link io.verbs4j.WrOpcode} that the queue pair can send
 * @param most maximum number of outstanding requests
 */
public record HandedSends(long buf, int blocks, long dbrec, long register, int begin, int operations, int most) {
    /** The verb that programs call. */
    static final String VERB = "export_ring";

    /** {@return the size of a block, in bytes} */
    public int blockSize() {
        return Wqe.BLOCK;
    }
}
