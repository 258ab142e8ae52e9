/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

import io.verbs4j.Errno;
import io.verbs4j.SendFlags;
import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.mlx5.dv.DvObjects;
import io.verbs4j.provider.mlx5.dv.DvQp;
import io.verbs4j.provider.mlx5.layout.DvMkeyConfAttrLayout;
import io.verbs4j.provider.mlx5.layout.DvQpExLayout;
import io.verbs4j.rdmacore.call.Libibverbs;
import io.verbs4j.rdmacore.object.OwnRequests;
import io.verbs4j.rdmacore.quirk.Libmlx5;

/**
 * Writes mlx5-specific requests to a send queue through libmlx5's {@code mlx5dv_wr_*}. Called with the queue's lock
 * held.
 */
final class DvSends implements OwnRequests<Mlx5SendRequest> {
    private static final int BLOCK = 64;
    private static final int MOST_RAW = 1024;

    /**
     * Elements of a key with signatures: the change, and one each to set up the signatures of memory and of the wire.
     */
    private static final int SIGNED_ELEMENTS = 3;

    /** The operations that configure keys. */
    private static final long KEY_OPS = Mlx5SendOps.MKEY_CONFIGURE | Mlx5SendOps.MR_LIST | Mlx5SendOps.MR_INTERLEAVED;

    private final long sendOps;
    private final int mostEntries;
    private final int longest;
    private final long struct;
    private final long area;
    private final long descriptor; // separate from the area, whose always-zero members are never written
    private final NativeFunction rawWqe;
    private final NativeFunction memcpy;
    private final NativeFunction mrList;
    private final NativeFunction mrInterleaved;
    private final NativeFunction configure;
    private final NativeFunction setAccess;
    private final NativeFunction setList;
    private final NativeFunction setInterleaved;
    private final NativeFunction setSignatures;
    private Mlx5SendRequest request;

    /** For a queue pair; the functions it has depend on the operations that it was created for. */
    DvSends(DvQp<Mlx5SendRequest> qp) {
        sendOps = qp.sendOps();
        struct = Libmlx5.function("mlx5dv_qp_ex_from_ibv_qp_ex", 24).call(Libibverbs.ibv_qp_to_qp_ex(qp.address()));
        rawWqe = at(Mlx5SendOps.RAW_WQE, DvQpExLayout.WR_RAW_WQE);
        memcpy = at(Mlx5SendOps.MEMCPY, DvQpExLayout.WR_MEMCPY);
        mrList = at(Mlx5SendOps.MR_LIST, DvQpExLayout.WR_MR_LIST);
        mrInterleaved = at(Mlx5SendOps.MR_INTERLEAVED, DvQpExLayout.WR_MR_INTERLEAVED);
        configure = at(Mlx5SendOps.MKEY_CONFIGURE, DvQpExLayout.WR_MKEY_CONFIGURE);
        setAccess = at(Mlx5SendOps.MKEY_CONFIGURE, DvQpExLayout.WR_SET_MKEY_ACCESS_FLAGS);
        setList = at(Mlx5SendOps.MKEY_CONFIGURE, DvQpExLayout.WR_SET_MKEY_LAYOUT_LIST);
        setInterleaved = at(Mlx5SendOps.MKEY_CONFIGURE, DvQpExLayout.WR_SET_MKEY_LAYOUT_INTERLEAVED);
        setSignatures = at(Mlx5SendOps.MKEY_CONFIGURE, DvQpExLayout.WR_SET_MKEY_SIG_BLOCK);
        int blocks = DvObjects.qp(qp.address()).sqCount();
        longest = Math.min(blocks / Math.max(1, qp.maxSendWr()) * BLOCK, MOST_RAW);
        mostEntries = (qp.maxInlineData() + Integer.BYTES) / MkeyArea.ENTRY;
        area = NativeMemory.allocate(MkeyArea.size(mostEntries) + MOST_RAW);
        descriptor = area + MkeyArea.size(mostEntries);
    }

    /**
     * Returns a function if the queue pair was created for its operation: members newer than the library lie in memory
     * that does not belong to the struct.
     */
    private NativeFunction at(long operation, int offset) {
        long address = (sendOps & operation) == 0 ? 0 : NativeMemory.getLong(struct + offset);
        return address == 0 ? null : NativeFunction.data(address);
    }

    @Override
    public int prepare(Mlx5SendRequest next) {
        int error;
        if (next instanceof Mlx5RawRequest raw) {
            error = prepare(raw);
        } else if (next instanceof Mlx5MemcpyRequest copy) {
            error = memcpy == null ? Errno.EOPNOTSUPP : copy.length() < 1 ? Errno.EINVAL : 0;
        } else {
            error = prepare((Mlx5MkeyRequest) next);
        }
        if (error == 0) {
            request = next;
        }
        return error;
    }

    private int prepare(Mlx5RawRequest raw) {
        if (rawWqe == null) {
            return Errno.EOPNOTSUPP;
        }
        return raw.wqe() != null && raw.length() <= longest && raw.copy(descriptor) ? 0 : Errno.EINVAL;
    }

    private int prepare(Mlx5MkeyRequest r) {
        if ((sendOps & KEY_OPS) == 0 || !goesByOldForm(r) && configure == null) {
            return Errno.EOPNOTSUPP;
        }
        Mlx5Mkey mkey = r.mkey();
        if (mkey == null || r.signatures() != null && !mkey.isSigned) {
            return Errno.EINVAL;
        }
        if (r.entries() > mostEntries || !r.hasValidLayout()) {
            return Errno.EINVAL;
        }
        MkeyArea.write(area, r);
        return mkey.enter() ? 0 : Errno.EINVAL;
    }

    private boolean goesByOldForm(Mlx5MkeyRequest r) {
        return r.isOldForm() && (r.list() != null ? mrList : mrInterleaved) != null;
    }

    @Override
    public long wrId() {
        return request.wrId();
    }

    /** libmlx5 requires inline data for requests that change keys. */
    @Override
    public int sendFlags() {
        int flags = request.sendFlags();
        return request instanceof Mlx5MkeyRequest ? flags | SendFlags.INLINE : flags & ~SendFlags.INLINE;
    }

    /** A raw descriptor itself determines whether it is signaled. */
    @Override
    public boolean isSignaled(boolean all) {
        return all && !(request instanceof Mlx5RawRequest) || (request.sendFlags() & SendFlags.SIGNALED) != 0;
    }

    @Override
    public int elements() {
        return request instanceof Mlx5MkeyRequest r && r.mkey().isSigned ? SIGNED_ELEMENTS : 1;
    }

    @Override
    public void build() {
        if (request instanceof Mlx5RawRequest) {
            rawWqe.call(struct, descriptor);
        } else if (request instanceof Mlx5MemcpyRequest r) {
            memcpy.call(struct, r.destLkey(), r.destAddr(), r.srcLkey(), r.srcAddr(), r.length());
        } else {
            build((Mlx5MkeyRequest) request);
        }
    }

    private void build(Mlx5MkeyRequest r) {
        long mkey = r.mkey().address;
        long entries = area + MkeyArea.ENTRIES;
        if (goesByOldForm(r)) {
            if (r.list() != null) {
                mrList.call(struct, mkey, r.access(), r.list().length, entries);
            } else {
                mrInterleaved.call(struct, mkey, r.access(), r.repeatCount(), r.interleaved().length, entries);
            }
            return;
        }
        NativeMemory.putInt(area + DvMkeyConfAttrLayout.CONF_FLAGS, r.confFlags());
        configure.call(struct, mkey, r.setters(), area);
        if (r.access() != Mlx5MkeyRequest.NONE) {
            setAccess.call(struct, r.access());
        }
        if (r.list() != null) {
            setList.call(struct, r.list().length, entries);
        } else if (r.interleaved() != null) {
            setInterleaved.call(struct, r.repeatCount(), r.interleaved().length, entries);
        }
        if (r.signatures() != null) {
            setSignatures.call(struct, area + MkeyArea.SIGNATURES);
        }
    }

    @Override
    public void done() {
        if (request instanceof Mlx5MkeyRequest r) {
            r.mkey().leave();
        }
        request = null;
    }

    @Override
    public void free() {
        NativeMemory.free(area);
    }
}
