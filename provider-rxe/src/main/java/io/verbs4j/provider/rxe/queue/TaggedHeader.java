/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.queue;

import io.verbs4j.TmHeader;
import io.verbs4j.natives.memory.NativeMemory;
import java.nio.ByteBuffer;

/** The headers of the message that a queue pair receives now, copied out of it: they do not change while they are looked at. */
public final class TaggedHeader {
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(TmHeader.RNDV_LENGTH);
    private final long address = NativeMemory.address(buffer);

    /** Where to copy them. */
    public long address() {
        return address;
    }

    int operation() {
        return TmHeader.operation(buffer, 0);
    }

    int priv() {
        return TmHeader.priv(buffer, 0);
    }

    long tag() {
        return TmHeader.tag(buffer, 0);
    }

    long addr() {
        return TmHeader.addr(buffer, 0);
    }

    int rkey() {
        return TmHeader.rkey(buffer, 0);
    }

    long length() {
        return Integer.toUnsignedLong(TmHeader.length(buffer, 0));
    }
}
