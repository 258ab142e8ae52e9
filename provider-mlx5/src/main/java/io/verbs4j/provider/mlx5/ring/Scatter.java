/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import io.verbs4j.WcStatus;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.memory.RegionTable;

/**
 * Copies the data of a small message from its completion, where the device has put them, to the memory of the work
 * request. The memory is first looked up by its key, because it may no longer be registered. Deregistration waits for
 * the lock of the completion queue.
 */
final class Scatter {
    private final RegionTable regions;
    private final MrKeys keys;

    Scatter(RegionTable regions, MrKeys keys) {
        this.regions = regions;
        this.keys = keys;
    }

    /** Copies to the data segments of a receive; returns a {@link WcStatus}. */
    int toReceive(long segments, int maxSge, long data, int length) {
        long from = data;
        int rest = length;
        for (int i = 0; i < maxSge && rest > 0; i++) {
            long seg = segments + (long) i * Wqe.SEGMENT;
            if (NativeMemory.getNetInt(seg + Integer.BYTES) == Wqe.INVALID_LKEY) {
                break;
            }
            int n = Math.min(NativeMemory.getNetInt(seg), rest);
            if (n != 0 && !copy(from, seg, n)) { // a segment of length 0 may have any key
                return WcStatus.LOC_PROT_ERR;
            }
            from += n;
            rest -= n;
        }
        return rest == 0 ? WcStatus.SUCCESS : WcStatus.LOC_LEN_ERR;
    }

    /** Copies to the data segments of a read or an atomic; returns a {@link WcStatus}. */
    int toSend(SendRing ring, int counter, long data, int length) {
        long at = ring.elementAt(counter);
        int first = NativeMemory.getNetInt(at);
        int operation = first & 0xff;
        int segments = NativeMemory.getNetInt(at + Integer.BYTES) & 0x3f;
        int skip = switch (operation) {
            case Wqe.OP_RDMA_READ -> 2;
            case Wqe.OP_ATOMIC_CS, Wqe.OP_ATOMIC_FA -> 3;
            case Wqe.OP_ATOMIC_MASKED_CS, Wqe.OP_ATOMIC_MASKED_FA -> OwnElements.segmentsBefore(first);
            default -> segments;
        };
        long from = data;
        int rest = length;
        for (int i = skip; i < segments && rest > 0; i++) {
            long seg = ring.wrap(at + (long) i * Wqe.SEGMENT);
            int n = Math.min(NativeMemory.getNetInt(seg), rest);
            if (!copy(from, seg, n)) {
                return WcStatus.LOC_PROT_ERR;
            }
            from += n;
            rest -= n;
        }
        return rest == 0 ? WcStatus.SUCCESS : WcStatus.LOC_LEN_ERR;
    }

    private boolean copy(long from, long seg, int length) {
        long to = NativeMemory.getNetLong(seg + Long.BYTES);
        int lkey = NativeMemory.getNetInt(seg + Integer.BYTES);
        return copy(from, lkey, to, length) || keys.put(this, lkey, to, from, length);
    }

    /** Copies to a region; returns false if no region contains the range, or it cannot be written. */
    boolean copy(long from, int lkey, long to, int length) {
        if (!regions.covers(lkey, RegionTable.ANY_DOMAIN, to, length)) {
            return regions.placed().put(lkey, to, from, length);
        }
        NativeMemory.copy(from, to, length);
        return true;
    }
}
