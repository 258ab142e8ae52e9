/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Attributes that attach a completion counter; {@link QueuePair#attachCompCntr(CompletionCounter, int)} creates them.
 *
 * <p>Since level 4. Source: {@code struct ibv_qp_attach_comp_cntr_attr}, {@code ibv_qp_attach_comp_cntr(3)}. Not
 * thread-safe.
 */
public final class QpAttachCompCntrAttr extends InputAttr {
    private int opMask;

    /** Creates an instance whose masks are empty. */
    public QpAttachCompCntrAttr() {}

    /** {@return the operations to count, {@link CompCntrOps} bits} */
    public int opMask() {
        return opMask;
    }

    /**
     * Sets {@link #opMask()}.
     *
     * @param value operations to count, {@link CompCntrOps} bits
     * @return this
     */
    public QpAttachCompCntrAttr opMask(int value) {
        opMask = value;
        return this;
    }

    @Override
    public String toString() {
        return AttrText.of(this);
    }
}
