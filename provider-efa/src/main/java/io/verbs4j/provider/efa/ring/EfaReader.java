/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.ring;

import io.verbs4j.WorkCompletion;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.ring.RingReader;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.function.BooleanSupplier;

/** Reads completions with EFA's additional fields: the sender's GID, and whether a write consumed a receive. */
public final class EfaReader extends RingReader {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private final long wcFlags;
    private boolean unsolicited;
    private boolean hasGid;
    private long upperGid; // in memory byte order
    private long lowerGid;

    /**
     * Creates a reader of a ring.
     *
     * @param wcFlags additional fields, {@link io.verbs4j.efadv.EfaWcFlags} bits
     * @param overrun returns whether completions were lost
     */
    public EfaReader(CqRing ring, long wcFlags, BooleanSupplier overrun) {
        super(ring, overrun);
        this.wcFlags = wcFlags;
    }

    /** Returns the additional fields that the queue was created with, {@link io.verbs4j.efadv.EfaWcFlags} bits. */
    public long madeFor() {
        return wcFlags;
    }

    @Override
    protected long take(WorkCompletion to, int size) {
        long cqe = super.take(to, size);
        if (cqe != 0 && wcFlags != 0) {
            unsolicited = CqRing.isUnsolicited(cqe);
            hasGid = CqRing.hasGid(cqe);
            if (hasGid) {
                upperGid = NativeMemory.getLong(cqe + CqRing.GID);
                lowerGid = NativeMemory.getLong(cqe + CqRing.GID + Long.BYTES);
            }
        }
        return cqe;
    }

    /** Returns whether the current completion consumed no receive. */
    public boolean isUnsolicited() {
        return unsolicited;
    }

    /** Copies the GID of the current completion into 16 bytes. Returns false if it has none. */
    public boolean sgid(byte[] to) {
        if (hasGid) {
            LONG.set(to, 0, upperGid);
            LONG.set(to, Long.BYTES, lowerGid);
        }
        return hasGid;
    }
}
