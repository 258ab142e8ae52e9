/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.marshal;

import io.verbs4j.OpsWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.layout.OpsWrLayout;
import io.verbs4j.rdmacore.layout.SgeLayout;

/**
 * The memory in which a change of a matching list becomes a {@code struct ibv_ops_wr}. Used by one thread at a time.
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

    /** Allocates an area for buffers of up to {@code maxSge} elements. */
    public OpsArea(int maxSge) {
        this.maxSge = maxSge;
        this.memory = NativeMemory.allocate(ELEMENTS + (long) maxSge * SgeLayout.SIZEOF);
    }

    /** {@return the address of the request} */
    public long request() {
        return memory + REQUEST;
    }

    /** {@return the address at which the driver stores a refused request} */
    public long badWr() {
        return memory;
    }

    /** {@return the driver's handle of the added buffer} */
    public int handle() {
        return NativeMemory.getInt(request() + OpsWrLayout.TM_HANDLE);
    }

    /**
     * Writes a single request.
     *
     * @param adds whether it adds a buffer
     * @return false if the request is invalid
     */
    public boolean put(OpsWorkRequest wr, int opcode, int flags, int handle, boolean adds) {
        int count = adds ? wr.numSge() : 0;
        ScatterGatherElement[] list = wr.sgList();
        if (!SgeArea.fits(list, count, maxSge)) {
            return false;
        }
        for (int i = 0; i < count; i++) {
            ScatterGatherElement e = list[i];
            int length = e == null ? -1 : e.length(); // read once: what is checked must be what is posted
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

    /** Frees the area, which must not be used afterwards. */
    public void free() {
        NativeMemory.free(memory);
    }
}
