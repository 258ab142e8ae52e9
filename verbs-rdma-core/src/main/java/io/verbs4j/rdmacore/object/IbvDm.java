/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.Errno;
import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.layout.DmLayout;
import io.verbs4j.rdmacore.memory.Place;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;

/** A {@code struct ibv_dm} with the driver's copy functions. */
public final class IbvDm extends IbvObject {
    /** Drivers copy whole words only. */
    private static final int WORD = 4;

    private final long length;
    private final NativeFunction copyTo;
    private final NativeFunction copyFrom;

    /** Creates the object for a {@code struct ibv_dm} of {@code length} bytes. */
    public IbvDm(long address, long length) {
        super(address);
        this.length = length;
        copyTo = function(DmLayout.MEMCPY_TO_DM);
        copyFrom = function(DmLayout.MEMCPY_FROM_DM);
    }

    private NativeFunction function(int offset) {
        long at = NativeMemory.getLong(address() + offset);
        return at == 0 ? null : NativeFunction.at(at);
    }

    /** Copies after a bounds check: libmlx5 adds offset and length without checking for overflow. */
    int copy(long offset, ByteBuffer buffer, boolean to) {
        if (buffer == null || !buffer.isDirect() || !to && buffer.isReadOnly() || !isThere(buffer)) {
            return Errno.EINVAL;
        }
        int count = buffer.remaining();
        if (offset < 0 || offset > length || count > length - offset) {
            return Errno.EFAULT;
        }
        if (!pin().enter()) {
            return Errno.EINVAL;
        }
        try {
            return count == 0 ? 0 : copy(offset, NativeMemory.address(buffer) + buffer.position(), count, to);
        } finally {
            pin().leave();
            Reference.reachabilityFence(buffer);
        }
    }

    /**
     * {@return whether the buffer's memory is accessible; that of an arena may be closed or confined to another thread}
     */
    private static boolean isThere(ByteBuffer buffer) {
        try {
            if (buffer.hasRemaining()) {
                byte unused = buffer.get(buffer.position());
            }
            return true;
        } catch (RuntimeException e) {
            return false;
        }
    }

    private int copy(long offset, long memory, long count, boolean to) {
        NativeFunction function = to ? copyTo : copyFrom;
        if (function == null) {
            return Errno.EOPNOTSUPP;
        }
        return Answers.errno(
                to ? function.call(address(), offset, memory, count) : function.call(memory, address(), offset, count));
    }

    /** {@return the place of a region that starts at an offset} */
    public Place placeAt(long start) {
        return new Place() {
            @Override
            public long address(long offset) {
                return 0; // the driver does not reveal it
            }

            @Override
            public boolean put(long offset, long from, int count) {
                return putBytes(start + offset, from, count);
            }
        };
    }

    /** Writes any bytes; reads the words around partial ones first. */
    private boolean putBytes(long offset, long from, int count) {
        long first = offset & -WORD;
        long end = Math.min(offset + count + WORD - 1 & -WORD, length);
        try (Scratch words = new Scratch((int) (end - first))) {
            if (copy(first, words.address(), end - first, false) != 0) {
                return false;
            }
            NativeMemory.copy(from, words.address() + (offset - first), count);
            return copy(first, words.address(), end - first, true) == 0;
        }
    }
}
