/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit.model;

import io.verbs4j.AccessFlags;
import io.verbs4j.Errno;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.WcStatus;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** A queue of receives. */
final class Receives {
    private static final int MAX_SGE = 4;

    private final Deque<Entry> entries = new ArrayDeque<>();
    private final int max;

    record Entry(long wrId, List<ScatterGatherElement> pieces) {
        int room() {
            int room = 0;
            for (ScatterGatherElement piece : pieces) {
                room += piece.length();
            }
            return room;
        }

        /** Writes bytes into its memory, and returns a status. */
        int put(ProtectionDomain pd, byte[] data) {
            int done = 0;
            for (ScatterGatherElement piece : pieces) {
                int left = data.length - done;
                ScatterGatherElement part = new ScatterGatherElement()
                        .addr(piece.addr())
                        .lkey(piece.lkey())
                        .length(Fault.WRITES_TOO_MUCH.on() ? left : Math.min(piece.length(), left));
                Span memory = Fabric.local(part, pd, AccessFlags.LOCAL_WRITE, Fabric.RECEIVE);
                if (memory == null) {
                    return WcStatus.LOC_PROT_ERR;
                }
                memory.put(data, done, part.length());
                done += part.length();
            }
            return data.length > room() ? WcStatus.LOC_LEN_ERR : WcStatus.SUCCESS;
        }
    }

    Receives(int max) {
        this.max = max;
    }

    static ScatterGatherElement[] copy(ScatterGatherElement[] list, int count) {
        ScatterGatherElement[] copy = new ScatterGatherElement[count];
        for (int i = 0; i < count; i++) {
            copy[i] = new ScatterGatherElement()
                    .addr(list[i].addr())
                    .length(list[i].length())
                    .lkey(list[i].lkey());
        }
        return copy;
    }

    int post(RecvWorkRequest first, RecvWorkRequest[] badWr) {
        for (RecvWorkRequest wr = first; wr != null; wr = wr.next()) {
            int error = wr.numSge() > MAX_SGE ? Errno.EINVAL : entries.size() >= max ? Errno.ENOMEM : 0;
            if (error != 0) {
                if (badWr != null) {
                    badWr[0] = wr;
                }
                return error;
            }
            entries.add(new Entry(wr.wrId(), List.of(copy(wr.sgList(), wr.numSge()))));
        }
        return 0;
    }

    Entry take(boolean last) {
        return last ? entries.pollLast() : entries.poll();
    }

    int size() {
        return entries.size();
    }

    void clear() {
        entries.clear();
    }
}
