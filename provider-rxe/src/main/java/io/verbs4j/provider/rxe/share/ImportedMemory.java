/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.rxe.memory.ForeignMemory;
import io.verbs4j.provider.rxe.memory.KeyMemory;
import io.verbs4j.provider.rxe.memory.RemoteMemory;

/** Memory of an object that another process has exported. */
final class ImportedMemory implements ForeignMemory {
    /** Most bytes of a write, which the owner may have to wait for. */
    private static final long PIECE = 1 << 18;

    private final ImportedProcess process;
    private final int place;

    /** What the entry is as long as the object is this one. */
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

    /** What was read of memory that ended meanwhile may be anything: it counts only where the entry is the same behind it. */
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
                // After it was announced: who ends the entry sees that, or this sees the end.
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
