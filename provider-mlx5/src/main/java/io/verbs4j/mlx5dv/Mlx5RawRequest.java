/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

import io.verbs4j.Errno;
import io.verbs4j.SendFlags;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.mlx5.ring.RawElement;

/**
 * A descriptor (work queue element) that the program wrote as in the programmer's reference, in network order. Its
 * control segment specifies the operation, the number of the queue pair, the size, and whether there is a completion;
 * its index in the queue is filled in. Nothing else in it is checked: its effects on memory are the program's
 * responsibility. The queue pair must be created with {@link Mlx5SendOps#RAW_WQE}. Since rdma-core 36. Source:
 * mlx5dv_wr_post(3), {@code mlx5dv_wr_raw_wqe}.
 */
public final class Mlx5RawRequest extends Mlx5SendRequest {
    private static final String VERB = "mlx5dv_wr_raw_wqe";
    private static final int CONTROL = 16;
    private static final int FLAGS_AT = 11;
    private static final int CQ_UPDATE = 8;

    private byte[] wqe;
    private int length;

    /** Creates a request without a descriptor. */
    public Mlx5RawRequest() {}

    /**
     * Sets the descriptor.
     *
     * @param wrId the id that its completion carries
     * @param bytes the descriptor, at least as long as its control segment specifies; not copied, so leave it unchanged
     *     until the request has been posted
     * @return this
     * @throws VerbsException {@link Errno#EINVAL} for an array shorter than its control segment specifies, or than that
     *     segment itself, and for a specified size of 0
     */
    public Mlx5RawRequest descriptor(long wrId, byte... bytes) {
        int size = bytes.length < CONTROL ? 0 : RawElement.length(bytes[RawElement.SIZE_AT]);
        if (size == 0 || bytes.length < size) {
            throw new VerbsException(
                    Errno.EINVAL,
                    VERB,
                    "the descriptor has " + bytes.length + " bytes, but its control segment says " + size);
        }
        wqe = bytes;
        length = size;
        name(wrId, (bytes[FLAGS_AT] & CQ_UPDATE) != 0 ? SendFlags.SIGNALED : 0);
        return this;
    }

    byte[] wqe() {
        return wqe;
    }

    /** Returns the length of the descriptor. */
    int length() {
        return length;
    }

    /** Copies the descriptor; returns false if the program has changed its specified length meanwhile. */
    boolean copy(long to) {
        for (int i = 0; i < length; i++) {
            NativeMemory.putByte(to + i, wqe[i]);
        }
        return RawElement.length(NativeMemory.getByte(to + RawElement.SIZE_AT)) == length;
    }
}
