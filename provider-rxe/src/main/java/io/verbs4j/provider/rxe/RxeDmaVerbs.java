/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe;

import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.DmaBuffer;
import io.verbs4j.Errno;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.rxe.memory.RxeDmaBuffer;
import io.verbs4j.slot.AllocBuf;
import io.verbs4j.slot.FreeBuf;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Buffers that an open embedded device allocates. They are ordinary memory, because the device can reach all of it. */
final class RxeDmaVerbs implements AllocBuf, FreeBuf {
    private static final int PAGE = 4096;

    /** Keeps the memory until it is freed, even if the program loses the handle, as in C. */
    private final Set<DmaBuffer> open = ConcurrentHashMap.newKeySet();

    void fill(ContextTable table) {
        table.fillProvider(ContextSlot.ALLOC_BUF, this);
        table.fillProvider(ContextSlot.FREE_BUF, this);
    }

    @Override
    public DmaBuffer allocBuf(ProtectionDomain pd, long length) {
        String verb = "alloc_buf";
        if (length > Integer.MAX_VALUE - PAGE) {
            throw new VerbsException(
                    Errno.EINVAL,
                    verb,
                    "length is " + length + ", but a buffer of this device has at most " + (Integer.MAX_VALUE - PAGE)
                            + " bytes: allocate several");
        }
        try {
            DmaBuffer buf = new RxeDmaBuffer(pd, NativeMemory.allocateDirect((int) length, PAGE));
            open.add(buf);
            return buf;
        } catch (OutOfMemoryError e) {
            throw RxeContext.noMemory(verb, e);
        }
    }

    @Override
    public void freeBuf(DmaBuffer buf) {
        open.remove(buf);
    }
}
