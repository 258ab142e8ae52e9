/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

import io.verbs4j.Errno;
import io.verbs4j.provider.rxe.memory.ForeignMemory;
import io.verbs4j.provider.rxe.memory.RxeDm;
import java.nio.ByteBuffer;

/** Device memory that another process has exported. */
final class ImportedDeviceMemory implements RxeDm.Foreign {
    private final ImportedProcess process;
    private final ImportedMemory memory;
    private final int number;
    private final long address;

    ImportedDeviceMemory(ImportedProcess process, ImportedMemory memory, int number, long address) {
        this.process = process;
        this.memory = memory;
        this.number = number;
        this.address = address;
    }

    @Override
    public ForeignMemory memory() {
        return memory;
    }

    @Override
    public long address() {
        return address;
    }

    @Override
    public boolean hold() {
        return process.hold("reg_dm_mr", number, memory);
    }

    @Override
    public void release() {
        process.release(number);
    }

    /** Copies through the step buffer, because its bounds checks would not apply to an address. */
    @Override
    public int put(long offset, ByteBuffer source) {
        CopyStep step = process.step();
        long at = step.begin();
        try {
            int first = source.position();
            int bytes = source.remaining();
            for (int done = 0; done < bytes; done += CopyStep.BYTES) {
                int n = Math.min(CopyStep.BYTES, bytes - done);
                int error = RxeDm.copy(step.buffer(), 0, source, first + done, n, source);
                if (error != 0) {
                    return error;
                }
                if (!memory.write(at, address + offset + done, n)) {
                    return Errno.EINVAL;
                }
            }
            return memory.isValid() ? 0 : Errno.EINVAL;
        } finally {
            step.end();
        }
    }

    @Override
    public int get(ByteBuffer target, long offset) {
        CopyStep step = process.step();
        long at = step.begin();
        try {
            int first = target.position();
            int bytes = target.remaining();
            for (int done = 0; done < bytes; done += CopyStep.BYTES) {
                int n = Math.min(CopyStep.BYTES, bytes - done);
                if (!memory.read(address + offset + done, at, n)) {
                    return Errno.EINVAL;
                }
                int error = RxeDm.copy(target, first + done, step.buffer(), 0, n, target);
                if (error != 0) {
                    return error;
                }
            }
            return memory.isValid() ? 0 : Errno.EINVAL;
        } finally {
            step.end();
        }
    }
}
