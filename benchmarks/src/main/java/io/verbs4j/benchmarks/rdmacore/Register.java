/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.rdmacore;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import io.verbs4j.QueuePair;
import io.verbs4j.rdmacore.object.NativeQueuePair;

/**
 * The doorbell register of a queue pair: {@code bf} of {@code struct mlx5dv_qp}.
 *
 * @param address address of the register
 * @param size size of each half in bytes; 0 if it has no halves
 */
record Register(long address, int size) {
    private static final int QP = 1;
    private static final int OBJ_SIZE = 128;
    private static final int QP_SIZE = 128;
    private static final int REG = 40;
    private static final int SIZE = 48;

    /** Loads libmlx5's own library at first use, so that comparisons that do not need it work without. */
    private static final class Dv {
        static {
            Native.register(Dv.class, "libmlx5.so.1");
        }

        private Dv() {}

        static native int mlx5dv_init_obj(long obj, long type);
    }

    /** Queries libmlx5; this does not change the queue pair. */
    static Register of(QueuePair qp) {
        try (Memory memory = new Memory(OBJ_SIZE + QP_SIZE)) {
            memory.clear();
            long at = Pointer.nativeValue(memory);
            memory.setLong(0, ((NativeQueuePair) qp).ibv.address());
            memory.setLong(Long.BYTES, at + OBJ_SIZE);
            int error = Dv.mlx5dv_init_obj(at, QP);
            if (error != 0) {
                throw new IllegalStateException("mlx5dv_init_obj: " + error);
            }
            return new Register(memory.getLong(OBJ_SIZE + REG), memory.getInt(OBJ_SIZE + SIZE));
        }
    }
}
