/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.queue;

import io.verbs4j.AddressHandle;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcOpcode;
import io.verbs4j.WrOpcode;
import io.verbs4j.provider.rxe.memory.RxeMemoryWindow;

/**
 * A work queue element of a send queue: a posted send work request and how far it has come. Made once and filled again
 * and again. Guarded by the send lock of its queue pair.
 */
public final class SendWqe {
    /** Opcode of a request that tells that a memory window of type 1 is bound; beyond those that can be posted. */
    public static final int TYPE_1_BOUND = 1 << 8;

    private static final ScatterGatherElement[] NO_DATA = {};

    // What was posted. Public and plain, as a struct's: this is the device's own ring.
    public long wrId;
    public int opcode;
    public int sendFlags;
    public int immData;
    public long remoteAddr;
    public int rkey;
    public long compareAdd;
    public long swap;
    public AddressHandle ah;
    public int remoteQpn;
    public int remoteQkey;
    public int remoteSrqn;
    public int invalidateRkey;
    public final ScatterList data;
    public RxeMemoryWindow window;

    /** Made with the first bind of a window of type 2. */
    public WindowBind bind;

    // How far it has come: the packet path's.
    public int firstPsn;
    public int lastPsn;
    public boolean started;
    public boolean executed;
    public long progress;

    private final long inlineAddress;
    private final int maxInline;

    SendWqe(int maxSge, long inlineAddress, int maxInline) {
        this.data = new ScatterList(Math.max(1, maxSge));
        this.inlineAddress = inlineAddress;
        this.maxInline = maxInline;
    }

    /**
     * Takes over a work request; false where its list is bad. Each of its fields is read once, and it is this copy that is
     * to be checked: another thread may be changing the request.
     */
    public boolean set(SendWorkRequest wr) {
        wrId = wr.wrId();
        opcode = wr.opcode();
        sendFlags = wr.sendFlags();
        immData = wr.immData();
        remoteAddr = wr.remoteAddr();
        rkey = wr.rkey();
        compareAdd = wr.compareAdd();
        swap = wr.swap();
        ah = wr.ah();
        remoteQpn = wr.remoteQpn();
        remoteQkey = wr.remoteQkey();
        remoteSrqn = wr.remoteSrqn();
        invalidateRkey = wr.invalidateRkey();
        if (opcode == WrOpcode.BIND_MW) {
            if (bind == null) {
                bind = new WindowBind();
            }
            bind.set(wr);
        }
        begin();
        return data.set(wr.sgList(), wr.numSge());
    }

    /** Copies inline data now, as the caller may reuse its memory; false where it is too long or can't be read. */
    public boolean copyInline(InlineReader reader) {
        if ((sendFlags & SendFlags.INLINE) != 0) {
            if (data.total() > maxInline || !reader.read(data, inlineAddress)) {
                return false;
            }
            data.setInline(inlineAddress, (int) data.total());
        }
        return true;
    }

    /** Takes note that a window of type 1 is bound. */
    void set(RxeMemoryWindow mw, long id, int flags) {
        wrId = id;
        opcode = TYPE_1_BOUND;
        sendFlags = flags & ~SendFlags.INLINE;
        window = mw;
        ah = null;
        begin();
        executed = true;
        data.set(NO_DATA, 0);
    }

    /** Forgets objects of the program. */
    void forget() {
        ah = null;
        window = null;
        if (opcode == WrOpcode.BIND_MW) {
            bind.end(executed);
        }
    }

    /** Forgets a request that was refused. */
    public void refused() {
        ah = null;
        if (bind != null) {
            bind.forget();
        }
    }

    private void begin() {
        started = false;
        executed = false;
        progress = 0;
    }

    /** Whether a flag was posted with it. */
    public boolean has(int flag) {
        return (sendFlags & flag) != 0;
    }

    /** Whether it reads from the remote side: RDMA READ or an atomic. */
    public boolean isReadOrAtomic() {
        return opcode >= WrOpcode.RDMA_READ && opcode <= WrOpcode.ATOMIC_FETCH_AND_ADD;
    }

    /** Whether it is an atomic. */
    public boolean isAtomic() {
        return opcode == WrOpcode.ATOMIC_CMP_AND_SWP || opcode == WrOpcode.ATOMIC_FETCH_AND_ADD;
    }

    /** Whether nothing of it leaves this side. */
    public boolean isLocal() {
        return opcode == WrOpcode.LOCAL_INV || opcode == WrOpcode.BIND_MW || opcode == TYPE_1_BOUND;
    }

    /** Bytes that this side sends: what a rate limit counts. */
    public long outgoing() {
        return isReadOrAtomic() || isLocal() ? 0 : data.total();
    }

    /** What its completion says was done. */
    public int wcOpcode() {
        return switch (opcode) {
            case WrOpcode.RDMA_WRITE, WrOpcode.RDMA_WRITE_WITH_IMM -> WcOpcode.RDMA_WRITE;
            case WrOpcode.RDMA_READ -> WcOpcode.RDMA_READ;
            case WrOpcode.ATOMIC_CMP_AND_SWP -> WcOpcode.COMP_SWAP;
            case WrOpcode.ATOMIC_FETCH_AND_ADD -> WcOpcode.FETCH_ADD;
            case WrOpcode.LOCAL_INV -> WcOpcode.LOCAL_INV;
            case WrOpcode.BIND_MW, TYPE_1_BOUND -> WcOpcode.BIND_MW;
            default -> WcOpcode.SEND;
        };
    }

    /** Reads inline data out of the caller's memory. */
    public interface InlineReader {
        /** Copies all of a list to an address; false where that can't be. */
        boolean read(ScatterList from, long to);
    }
}
