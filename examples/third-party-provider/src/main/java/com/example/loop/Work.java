/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.loop;

import io.verbs4j.AccessFlags;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcStatus;
import java.nio.ByteBuffer;

/** A request that was posted: a copy, as the program may change its own at once. */
record Work(long wrId, int opcode, boolean signaled, long remoteAddr, int rkey, ScatterGatherElement[] pieces) {

    static Work of(SendWorkRequest wr) {
        boolean signaled = (wr.sendFlags() & SendFlags.SIGNALED) != 0;
        return new Work(wr.wrId(), wr.opcode(), signaled, wr.remoteAddr(), wr.rkey(), copy(wr.sgList(), wr.numSge()));
    }

    static Work of(RecvWorkRequest wr) {
        return new Work(wr.wrId(), 0, true, 0, 0, copy(wr.sgList(), wr.numSge()));
    }

    private static ScatterGatherElement[] copy(ScatterGatherElement[] list, int count) {
        ScatterGatherElement[] copy = new ScatterGatherElement[count];
        for (int i = 0; i < count; i++) {
            copy[i] = new ScatterGatherElement()
                    .addr(list[i].addr())
                    .length(list[i].length())
                    .lkey(list[i].lkey());
        }
        return copy;
    }

    int length() {
        int length = 0;
        for (ScatterGatherElement piece : pieces) {
            length += piece.length();
        }
        return length;
    }

    /** All bytes in their order, or null where some may not be read. */
    ByteBuffer gather(ProtectionDomain pd) {
        ByteBuffer all = ByteBuffer.allocate(length());
        for (ScatterGatherElement piece : pieces) {
            ByteBuffer memory = LoopMemory.find(piece.lkey(), pd, piece.addr(), piece.length(), 0);
            if (memory == null) {
                return null;
            }
            all.put(memory);
        }
        return all.flip();
    }

    /** Puts bytes into the pieces, in their order; a status. */
    int scatter(ProtectionDomain pd, ByteBuffer data) {
        if (data.remaining() > length()) {
            return WcStatus.LOC_LEN_ERR;
        }
        for (ScatterGatherElement piece : pieces) {
            int part = Math.min(piece.length(), data.remaining());
            ByteBuffer memory = LoopMemory.find(piece.lkey(), pd, piece.addr(), part, AccessFlags.LOCAL_WRITE);
            if (memory == null) {
                return WcStatus.LOC_PROT_ERR;
            }
            memory.put(data.slice(data.position(), part));
            data.position(data.position() + part);
        }
        return WcStatus.SUCCESS;
    }
}
