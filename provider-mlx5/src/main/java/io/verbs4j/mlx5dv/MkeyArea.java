/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

import io.verbs4j.ScatterGatherElement;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.mlx5.layout.DvMkeyConfAttrLayout;
import io.verbs4j.provider.mlx5.layout.DvMrInterleavedLayout;
import io.verbs4j.provider.mlx5.layout.DvSigBlockAttrLayout;
import io.verbs4j.provider.mlx5.layout.DvSigBlockDomainLayout;
import io.verbs4j.provider.mlx5.layout.DvSigCrcLayout;
import io.verbs4j.provider.mlx5.layout.DvSigT10difLayout;
import io.verbs4j.rdmacore.layout.SgeLayout;
import io.verbs4j.rdmacore.marshal.SgeArea;

/** Lays out a {@link Mlx5MkeyRequest} in memory as libmlx5 expects it: one struct after the other. */
final class MkeyArea {
    /** Length of an entry in the element that libmlx5 builds from it. */
    static final int ENTRY = 16;

    /** Offset of the signatures, after {@code struct mlx5dv_mkey_conf_attr}. */
    static final int SIGNATURES = DvMkeyConfAttrLayout.SIZEOF;

    private static final int MEMORY = SIGNATURES + DvSigBlockAttrLayout.SIZEOF;
    private static final int MEMORY_KIND = MEMORY + DvSigBlockDomainLayout.SIZEOF;
    private static final int WIRE = MEMORY_KIND + DvSigT10difLayout.SIZEOF;
    private static final int WIRE_KIND = WIRE + DvSigBlockDomainLayout.SIZEOF;

    /** Offset of the layout. */
    static final int ENTRIES = WIRE_KIND + DvSigT10difLayout.SIZEOF;

    /** {@code MLX5DV_SIG_TYPE_CRC}; 0 is T10-DIF. */
    private static final int CRC = 1;

    /** {@code MLX5DV_SIG_BLOCK_ATTR_FLAG_COPY_MASK}. */
    private static final int COPY_MASK = 1;

    private MkeyArea() {}

    /** Returns the number of bytes needed for at most that many entries. */
    static int size(int mostEntries) {
        return ENTRIES + Math.max(1, mostEntries) * DvMrInterleavedLayout.SIZEOF;
    }

    /** Writes everything except the flags; the request's layout must be valid. */
    static void write(long area, Mlx5MkeyRequest r) {
        if (r.signatures() != null) {
            write(area, r.signatures().values);
        }
        if (r.interleaved() != null) {
            write(area + ENTRIES, r.interleaved());
        } else if (r.list() != null) {
            write(area + ENTRIES, r.list());
        }
    }

    private static void write(long at, ScatterGatherElement... list) {
        long to = at;
        for (ScatterGatherElement e : list) {
            SgeArea.put(to, e.addr(), e.length(), e.lkey());
            to += SgeLayout.SIZEOF;
        }
    }

    private static void write(long at, Mlx5Interleaved... pieces) {
        long to = at;
        for (Mlx5Interleaved piece : pieces) {
            NativeMemory.putLong(to + DvMrInterleavedLayout.ADDR, piece.values.addr());
            NativeMemory.putInt(to + DvMrInterleavedLayout.BYTES_COUNT, piece.values.bytesCount());
            NativeMemory.putInt(to + DvMrInterleavedLayout.BYTES_SKIP, piece.values.bytesSkip());
            NativeMemory.putInt(to + DvMrInterleavedLayout.LKEY, piece.values.lkey());
            to += DvMrInterleavedLayout.SIZEOF;
        }
    }

    private static void write(long area, Mlx5SigBlock.Values v) {
        long at = area + SIGNATURES;
        boolean copies = v.copyMask() >= 0;
        NativeMemory.putLong(at + DvSigBlockAttrLayout.MEM, domain(area + MEMORY, area + MEMORY_KIND, v.memory()));
        NativeMemory.putLong(at + DvSigBlockAttrLayout.WIRE, domain(area + WIRE, area + WIRE_KIND, v.wire()));
        NativeMemory.putInt(at + DvSigBlockAttrLayout.FLAGS, copies ? COPY_MASK : 0);
        NativeMemory.putByte(at + DvSigBlockAttrLayout.CHECK_MASK, v.checkMask());
        NativeMemory.putByte(at + DvSigBlockAttrLayout.COPY_MASK, copies ? v.copyMask() : 0);
    }

    /** Writes a domain and its kind; returns the domain's address, or 0 for null. */
    private static long domain(long at, long kind, Mlx5SigDomain domain) {
        if (domain == null) {
            return 0;
        }
        Mlx5SigDomain.Values v = domain.values;
        NativeMemory.putInt(at + DvSigBlockDomainLayout.SIG_TYPE, v.isCrc() ? CRC : 0);
        NativeMemory.putLong(at + DvSigBlockDomainLayout.SIG, kind);
        NativeMemory.putInt(at + DvSigBlockDomainLayout.BLOCK_SIZE, v.blockSize());
        if (v.isCrc()) {
            NativeMemory.putInt(kind + DvSigCrcLayout.TYPE, v.type());
            NativeMemory.putLong(kind + DvSigCrcLayout.SEED, v.seed());
        } else {
            NativeMemory.putInt(kind + DvSigT10difLayout.BG_TYPE, v.type());
            NativeMemory.putShort(kind + DvSigT10difLayout.BG, (int) v.seed());
            NativeMemory.putShort(kind + DvSigT10difLayout.APP_TAG, v.appTag());
            NativeMemory.putInt(kind + DvSigT10difLayout.REF_TAG, v.refTag());
            NativeMemory.putShort(kind + DvSigT10difLayout.FLAGS, v.flags());
        }
        return at;
    }
}
