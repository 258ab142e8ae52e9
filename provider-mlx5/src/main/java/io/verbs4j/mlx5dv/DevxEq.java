/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.mlx5.layout.DvDevxEqLayout;
import io.verbs4j.rdmacore.VendorContext;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.quirk.Libmlx5;

/**
 * An event queue that the program reads. libmlx5 supports these only where it drives the device itself, through VFIO;
 * with the kernel's driver it fails with {@link Errno#EOPNOTSUPP}. Since rdma-core 40. Thread-safe. Source:
 * mlx5dv_devx_create_eq(3).
 */
public final class DevxEq extends DvHandle {
    static final String KIND = "event queue";

    /** The length of an entry in bytes. */
    public static final int ENTRY_LENGTH = 64;

    private final long address;
    private final long entries;
    private final int count;

    DevxEq(VendorContext base, long address, int count) {
        super(base, KIND);
        this.address = address;
        this.count = count;
        entries = NativeMemory.getLong(address + DvDevxEqLayout.VADDR);
    }

    /** {@return the number of entries, a power of two, as the command requested} */
    public int count() {
        return count;
    }

    /**
     * Copies the current contents of an entry. The lowest bit of its last byte is its owner bit, which shows the pass
     * over the ring in which it was written.
     *
     * @param index 0 to {@link #count()} - 1
     * @return a mailbox of {@link #ENTRY_LENGTH} bytes
     * @throws VerbsException {@link Errno#EINVAL} for an index out of that range, and after close
     */
    public Mailbox entry(int index) {
        if (index < 0 || index >= count) {
            throw new VerbsException(
                    Errno.EINVAL, "devx_eq", "entry " + index + " does not exist; entries are 0 to " + (count - 1));
        }
        return use("devx_eq", () -> new Mailbox(ENTRY_LENGTH).copyFrom(entries + (long) index * ENTRY_LENGTH));
    }

    @Override
    void destroy() {
        Answers.check(
                "mlx5dv_devx_destroy_eq",
                Libmlx5.function("mlx5dv_devx_destroy_eq", 40).call(address));
    }
}
