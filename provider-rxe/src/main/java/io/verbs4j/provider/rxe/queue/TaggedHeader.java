/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.queue;

import io.verbs4j.TmHeader;
import io.verbs4j.natives.memory.NativeMemory;
import java.nio.ByteBuffer;

/**
 * A copy of the headers of the message that a queue pair is receiving, so that they can't change while they are
 * examined.
 */
public final class TaggedHeader {
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(TmHeader.RNDV_LENGTH);
    private final long address = NativeMemory.address(buffer);

    /** {@return the address to copy the headers to} */
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
