/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.marshal;

import io.verbs4j.OpsWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.layout.OpsWrLayout;
import io.verbs4j.rdmacore.layout.SgeLayout;

/**
 * Where a change of a matching list becomes a {@code struct ibv_ops_wr}. Used by one thread at a time.
 *
 * <pre>
 * 0        bad_wr, which the driver writes
 * 16       the request, 72 bytes
 * 16 + 80  maxSge elements of 16 bytes
 * </pre>
 */
public final class OpsArea {
    private static final int REQUEST = 16;
    private static final int ELEMENTS = REQUEST + OpsWrLayout.SIZEOF + Long.BYTES;

    private final long memory;
    private final int maxSge;

    /** Allocates an area, for buffers of so many elements. */
    public OpsArea(int maxSge) {
        this.maxSge = maxSge;
        this.memory = NativeMemory.allocate(ELEMENTS + (long) maxSge * SgeLayout.SIZEOF);
    }

    /** Where the request is. */
    public long request() {
        return memory + REQUEST;
    }

    /** Where the driver writes which request it refused. */
    public long badWr() {
        return memory;
    }

    /** What the driver calls the buffer that was added. */
    public int handle() {
        return NativeMemory.getInt(request() + OpsWrLayout.TM_HANDLE);
    }

    /**
     * Writes a request, without those behind it.
     *
     * @param adds whether it has a buffer
     * @return false where it is none that can be posted
     */
    public boolean put(OpsWorkRequest wr, int opcode, int flags, int handle, boolean adds) {
        int count = adds ? wr.numSge() : 0;
        ScatterGatherElement[] list = wr.sgList();
        if (!SgeArea.fits(list, count, maxSge)) {
            return false;
        }
        for (int i = 0; i < count; i++) {
            ScatterGatherElement e = list[i];
            int length = e == null ? -1 : e.length(); // once, as what is checked must be what is posted
            if (length < 0) {
                return false;
            }
            SgeArea.put(memory + ELEMENTS + (long) i * SgeLayout.SIZEOF, e.addr(), length, e.lkey());
        }
        long at = request();
        NativeMemory.putLong(at + OpsWrLayout.WR_ID, wr.wrId());
        NativeMemory.putLong(at + OpsWrLayout.NEXT, 0);
        NativeMemory.putInt(at + OpsWrLayout.OPCODE, opcode);
        NativeMemory.putInt(at + OpsWrLayout.FLAGS, flags);
        NativeMemory.putInt(at + OpsWrLayout.TM_UNEXPECTED_CNT, wr.unexpectedCnt());
        NativeMemory.putInt(at + OpsWrLayout.TM_HANDLE, handle);
        NativeMemory.putLong(at + OpsWrLayout.TM_ADD_RECV_WR_ID, adds ? wr.recvWrId() : 0);
        NativeMemory.putLong(at + OpsWrLayout.TM_ADD_SG_LIST, count == 0 ? 0 : memory + ELEMENTS);
        NativeMemory.putInt(at + OpsWrLayout.TM_ADD_NUM_SGE, count);
        NativeMemory.putLong(at + OpsWrLayout.TM_ADD_TAG, adds ? wr.tag() : 0);
        NativeMemory.putLong(at + OpsWrLayout.TM_ADD_MASK, adds ? wr.mask() : 0);
        return true;
    }

    /** Frees the area; not to be used any more. */
    public void free() {
        NativeMemory.free(memory);
    }
}
