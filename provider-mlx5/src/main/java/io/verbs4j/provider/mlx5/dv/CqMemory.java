/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.dv;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.call.Libibverbs;

/**
 * Memory that a completion queue is resized to. libmlx5's own resize moves completions by its count of polled
 * completions, which does not advance while Java polls; so the command goes directly to the kernel, through the
 * function of libibverbs that libmlx5 itself uses. libmlx5 keeps the queue's original memory and frees it at the end.
 */
public final class CqMemory implements AutoCloseable {
    /*
     * struct ib_uverbs_cmd_hdr  0 command(4)  4 in_words(2)  6 out_words(2)   filled in by libibverbs
     * struct ib_uverbs_resize_cq  8 response(8)  16 cq_handle(4)  20 cqe(4)   filled in by libibverbs
     * struct mlx5_ib_resize_cq  24 buf_addr(8)  32 cqe_size(2)  34 reserved(6)
     * Source: linux/include/uapi/rdma/ib_user_verbs.h, mlx5-abi.h.
     */
    private static final int BUF_ADDR = 24;
    private static final int CQE_SIZE = 32;
    private static final int COMMAND_SIZE = 40;
    private static final int RESPONSE_SIZE = 8;
    private static final int PAGE = 4096;

    private final long memory;
    private final long buf;
    private final int count;
    private final int size;

    /** Allocates zeroed memory for {@code count} completions of {@code size} bytes; {@code count} is a power of two. */
    public CqMemory(int count, int size) {
        this.count = count;
        this.size = size;
        memory = NativeMemory.allocate((long) count * size + PAGE);
        buf = memory + PAGE - 1 & -PAGE;
    }

    /** Returns the address of the first completion. */
    public long buf() {
        return buf;
    }

    /** Returns the number of completions that it holds. */
    public int count() {
        return count;
    }

    /**
     * Makes the device use this memory for a {@code struct ibv_cq} from now on. The last completion in the previous
     * memory announces the change.
     */
    public void use(long cq) {
        NativeFunction command = Libibverbs.find("ibv_cmd_resize_cq");
        if (command == null) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    "resize_cq",
                    "the loaded libibverbs does not export ibv_cmd_resize_cq; create the queue with its final size");
        }
        try (Scratch c = new Scratch(COMMAND_SIZE + RESPONSE_SIZE)) {
            NativeMemory.putLong(c.address() + BUF_ADDR, buf);
            NativeMemory.putShort(c.address() + CQE_SIZE, size);
            long response = c.address() + COMMAND_SIZE;
            Answers.check("resize_cq", command.call(cq, count - 1, c.address(), COMMAND_SIZE, response, RESPONSE_SIZE));
        }
    }

    /** Frees the memory. The device must not be using it. */
    @Override
    public void close() {
        NativeMemory.free(memory);
    }
}
