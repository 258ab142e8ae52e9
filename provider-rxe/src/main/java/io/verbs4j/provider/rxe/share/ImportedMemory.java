/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.rxe.memory.ForeignMemory;
import io.verbs4j.provider.rxe.memory.KeyMemory;
import io.verbs4j.provider.rxe.memory.RemoteMemory;

/** Memory of an object that another process has exported. */
final class ImportedMemory implements ForeignMemory {
    /** Maximum bytes of one write; limits how long the owner has to wait. */
    private static final long PIECE = 1 << 18;

    private final ImportedProcess process;
    private final int place;

    /** Value of the entry's head for as long as it describes this object. */
    private final long head;

    ImportedMemory(ImportedProcess process, int place, long head) {
        this.process = process;
        this.place = place;
        this.head = head;
    }

    long head() {
        return head;
    }

    @Override
    public boolean isValid() {
        return process.head(place) == head;
    }

    @Override
    public boolean canRead(long address, long bytes) {
        return isValid() && (bytes == 0 || process.canRead(address) && process.canRead(address + bytes - 1));
    }

    /** Checks the entry again after reading: if the memory ended in the meantime, the data may be anything. */
    @Override
    public boolean read(long address, long to, long bytes) {
        return isValid() && process.read(address, to, bytes) && isValid();
    }

    @Override
    public boolean write(long from, long address, long bytes) {
        for (long done = 0; done < bytes; done += PIECE) {
            int announced = process.beginWrite(place);
            boolean written;
            try {
                // Checked after announcing: either the owner that ends the entry sees the write, or this sees the end.
                written = isValid() && process.write(from + done, address + done, Math.min(PIECE, bytes - done));
            } finally {
                process.endWrite(announced);
            }
            if (!written) {
                return false;
            }
        }
        return true;
    }

    @Override
    public boolean copy(long address, ForeignMemory to, long toAddress, long bytes) {
        CopyStep step = process.step();
        long at = step.begin();
        try {
            for (long done = 0; done < bytes; done += CopyStep.BYTES) {
                long n = Math.min(CopyStep.BYTES, bytes - done);
                if (!read(address + done, at, n) || !to.write(at, toAddress + done, n)) {
                    return false;
                }
            }
            return true;
        } finally {
            step.end();
        }
    }

    @Override
    public boolean clear(long address, long bytes) {
        CopyStep step = process.step();
        long at = step.begin();
        try {
            NativeMemory.fill(at, Math.min(CopyStep.BYTES, bytes), (byte) 0);
            for (long done = 0; done < bytes; done += CopyStep.BYTES) {
                if (!write(at, address + done, Math.min(CopyStep.BYTES, bytes - done))) {
                    return false;
                }
            }
            return true;
        } finally {
            step.end();
        }
    }

    @Override
    public int fetch(RemoteMemory from, long offset, long address, long bytes) {
        CopyStep step = process.step();
        long at = step.begin();
        try {
            for (long done = 0; done < bytes; done += CopyStep.BYTES) {
                long n = Math.min(CopyStep.BYTES, bytes - done);
                if (!from.fetch(offset + done, at, n)) {
                    return KeyMemory.LOST;
                }
                if (!write(at, address + done, n)) {
                    return KeyMemory.GONE;
                }
            }
            return KeyMemory.OK;
        } finally {
            step.end();
        }
    }
}
