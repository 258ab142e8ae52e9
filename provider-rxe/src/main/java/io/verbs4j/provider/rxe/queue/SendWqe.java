/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.queue;

import io.verbs4j.AddressHandle;
import io.verbs4j.Errno;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendBuilder;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcOpcode;
import io.verbs4j.WrOpcode;
import io.verbs4j.provider.rxe.memory.RxeMw;

/**
 * A work queue element of a send queue: a posted send work request and its progress. Created once and reused. Guarded
 * by the send lock of its queue pair.
 */
public final class SendWqe {
    /**
     * Opcode of a request that reports that a type 1 memory window is bound; outside the range of opcodes that can be
     * posted.
     */
    public static final int TYPE_1_BOUND = 1 << 8;

    /** Operations that send nothing, {@link QpCreateSendOps} bits. */
    public static final long LOCAL_OPS = QpCreateSendOps.LOCAL_INV
            | QpCreateSendOps.BIND_MW
            | QpCreateSendOps.REG_MR
            | QpCreateSendOps.NOP
            | QpCreateSendOps.CQE_WAIT
            | QpCreateSendOps.SEND_ENABLE
            | QpCreateSendOps.RECV_ENABLE;

    private static final long READS = QpCreateSendOps.RDMA_READ | QpCreateSendOps.RDMA_READ_WITH_INV;

    private static final long MASKED =
            QpCreateSendOps.MASKED_ATOMIC_CMP_AND_SWP | QpCreateSendOps.MASKED_ATOMIC_FETCH_AND_ADD;

    /** Operations that are answered like a READ of 0 bytes. */
    private static final long DONE_THERE = QpCreateSendOps.FLUSH | QpCreateSendOps.ATOMIC_WRITE;

    private static final long ATOMICS =
            QpCreateSendOps.ATOMIC_CMP_AND_SWP | QpCreateSendOps.ATOMIC_FETCH_AND_ADD | MASKED;

    private static final ScatterGatherElement[] NO_DATA = {};

    // The posted fields. Public and plain, like a struct's: this is the device's own ring.
    public long wrId;
    public int opcode;

    /** The operation as a {@link QpCreateSendOps} bit; 0 if it has none. */
    public long op;

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
    public long compareAddMask;
    public long swapMask;
    public int atomicWidth;
    public long atomicWriteValue;
    public int flushType;
    public int flushLevel;
    public long flushLength;
    public final ScatterList data;
    public RxeMw window;

    /** Created with the first bind of a type 2 window. */
    public WindowBind bind;

    /** Created with the first cross-channel request. */
    public CrossRequest cross;
    /** Created with the first fast registration. */
    public FastRegistration register;

    // The progress; owned by the packet path.
    public int firstPsn;
    public int lastPsn;
    public boolean started;
    public boolean executed;
    public long progress;

    private final long inlineAddress;
    private final int maxInline;

    SendWqe(int maxSge, long inlineAddress, int maxInline, boolean inlineMayGoAway) {
        this.data = new ScatterList(Math.max(1, maxSge), inlineMayGoAway);
        this.inlineAddress = inlineAddress;
        this.maxInline = maxInline;
    }

    /**
     * Copies a work request; returns false if its list is invalid. Reads each field once, and only this copy is
     * checked, because another thread may be changing the request.
     */
    public boolean set(SendWorkRequest wr) {
        wrId = wr.wrId();
        opcode = wr.opcode();
        op = QpCreateSendOps.of(opcode);
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
        if (CrossRequest.isOne(opcode)) {
            if (cross == null) {
                cross = new CrossRequest();
            }
            cross.set(wr);
        }
        begin();
        if (op > QpCreateSendOps.SEND_WITH_INV && setMore(wr)) {
            return data.set(NO_DATA, 0);
        }
        return data.set(wr.sgList(), wr.numSge());
    }

    /**
     * Copies a request of a builder, like {@link #set(SendWorkRequest)}. Allocates nothing for the most common kinds of
     * requests.
     *
     * @return 0 or an errno
     */
    public int set(SendBuilder built, int i) {
        if (built.isSimple(i) && built.opcode(i) <= WrOpcode.RDMA_READ) {
            wrId = built.wrId(i);
            opcode = built.opcode(i);
            op = QpCreateSendOps.of(opcode);
            sendFlags = built.sendFlags(i) | (built.isInline(i) ? SendFlags.INLINE : 0);
            immData = built.immData(i);
            remoteAddr = built.remoteAddr(i);
            rkey = built.rkey(i);
            ah = null;
            begin();
            data.set(built.addr(i), built.length(i), built.lkey(i));
            return 0;
        }
        SendWorkRequest wr = built.request(i);
        return wr == null ? Errno.ENOMEM : set(wr) ? 0 : Errno.EINVAL;
    }

    /** Copies the fields of newer operations; returns true if the list is not one of data. */
    private boolean setMore(SendWorkRequest wr) {
        if (opcode == WrOpcode.REG_MR) {
            if (register == null) {
                register = new FastRegistration();
            }
            register.set(wr);
            return true;
        }
        compareAddMask = wr.compareAddMask();
        swapMask = wr.swapMask();
        atomicWidth = wr.atomicWidth();
        if (atomicWidth == 0) {
            atomicWidth = Long.BYTES;
        }
        atomicWriteValue = wr.atomicWriteValue();
        flushType = wr.flushType();
        flushLevel = wr.flushLevel();
        flushLength = wr.flushLength();
        return false;
    }

    /**
     * Copies inline data now, because the caller may reuse its memory; returns false if it is too long or can't be
     * read.
     */
    public boolean copyInline(InlineReader reader) {
        if ((sendFlags & SendFlags.INLINE) != 0) {
            if (data.total() > maxInline || !reader.read(data, inlineAddress)) {
                return false;
            }
            data.setInline(inlineAddress, (int) data.total());
        }
        return true;
    }

    /** Sets a READ that the device itself posts, of {@code bytes} into the beginning of a list. */
    void read(ScatterList into, long bytes, long address, int key) {
        take(WrOpcode.RDMA_READ, 0);
        remoteAddr = address;
        rkey = key;
        data.copyFrom(into, bytes);
    }

    /** Sets a SEND of the device's own bytes. */
    void send(int flags, int bytes, InlineReader reader) {
        take(WrOpcode.SEND, flags | SendFlags.INLINE);
        data.set(0, bytes, 0);
        copyInline(reader);
    }

    private void take(int code, int flags) {
        wrId = 0;
        opcode = code;
        op = QpCreateSendOps.of(code);
        sendFlags = flags;
        ah = null;
        begin();
    }

    /** Sets a request that reports that a type 1 window is bound. */
    void set(RxeMw mw, long id, int flags) {
        wrId = id;
        opcode = TYPE_1_BOUND;
        op = QpCreateSendOps.BIND_MW;
        sendFlags = flags & ~SendFlags.INLINE;
        window = mw;
        ah = null;
        begin();
        executed = true;
        data.set(NO_DATA, 0);
    }

    /** Applies what an operation changes when it is posted. */
    void posted() {
        if (opcode == WrOpcode.BIND_MW) {
            bind.posted();
        } else if (opcode == WrOpcode.REG_MR) {
            register.posted();
        } else if (CrossRequest.isOne(opcode)) {
            cross.posted(opcode);
        }
    }

    /** Forgets objects of the program. */
    void forget() {
        ah = null;
        window = null;
        if (opcode == WrOpcode.BIND_MW) {
            bind.end(executed);
        } else if (opcode == WrOpcode.REG_MR) {
            register.end(executed);
        }
        if (CrossRequest.isOne(opcode)) {
            cross.end();
        }
    }

    /** Forgets a request that was refused. */
    public void refused() {
        ah = null;
        if (bind != null) {
            bind.forget();
        }
        if (cross != null) {
            cross.end();
        }
        if (register != null) {
            register.forget();
        }
    }

    private void begin() {
        started = false;
        executed = false;
        progress = 0;
    }

    /** Returns whether it was posted with a flag. */
    public boolean has(int flag) {
        return (sendFlags & flag) != 0;
    }

    /** {@return whether it is answered individually: a read, an atomic, an atomic write or a flush} */
    public boolean isAnswered() {
        return (op & (READS | ATOMICS | DONE_THERE)) != 0;
    }

    /** {@return whether it is a read} */
    public boolean isRead() {
        return (op & READS) != 0;
    }

    /** {@return whether it is an atomic, which fetches a value} */
    public boolean isAtomic() {
        return (op & ATOMICS) != 0;
    }

    /** {@return whether it is a masked atomic} */
    public boolean isMasked() {
        return (op & MASKED) != 0;
    }

    /** {@return whether an atomic compares and swaps} */
    public boolean swaps() {
        return opcode == WrOpcode.ATOMIC_CMP_AND_SWP || opcode == WrOpcode.MASKED_ATOMIC_CMP_AND_SWP;
    }

    /** {@return whether it is an atomic write or a flush, whose answer carries no data} */
    public boolean isDoneThere() {
        return (op & DONE_THERE) != 0;
    }

    /** {@return whether it sends nothing} */
    public boolean isLocal() {
        return (op & LOCAL_OPS) != 0;
    }

    /** {@return whether it invalidates the key of its only element before it completes} */
    public boolean takesBack() {
        return opcode == WrOpcode.RDMA_READ_WITH_INV;
    }

    /** {@return the number of bytes that this side sends, which a rate limit counts} */
    public long outgoing() {
        return isAnswered() || isLocal() ? 0 : data.total();
    }

    /** {@return the opcode of its completion} */
    public int wcOpcode() {
        return switch (opcode) {
            case WrOpcode.RDMA_WRITE, WrOpcode.RDMA_WRITE_WITH_IMM -> WcOpcode.RDMA_WRITE;
            case WrOpcode.RDMA_READ, WrOpcode.RDMA_READ_WITH_INV -> WcOpcode.RDMA_READ;
            case WrOpcode.ATOMIC_CMP_AND_SWP -> WcOpcode.COMP_SWAP;
            case WrOpcode.ATOMIC_FETCH_AND_ADD -> WcOpcode.FETCH_ADD;
            case WrOpcode.MASKED_ATOMIC_CMP_AND_SWP -> WcOpcode.MASKED_COMP_SWAP;
            case WrOpcode.MASKED_ATOMIC_FETCH_AND_ADD -> WcOpcode.MASKED_FETCH_ADD;
            case WrOpcode.ATOMIC_WRITE -> WcOpcode.ATOMIC_WRITE;
            case WrOpcode.FLUSH -> WcOpcode.FLUSH;
            case WrOpcode.REG_MR -> WcOpcode.REG_MR;
            case WrOpcode.NOP -> WcOpcode.NOP;
            case WrOpcode.LOCAL_INV -> WcOpcode.LOCAL_INV;
            case WrOpcode.CQE_WAIT -> WcOpcode.CQE_WAIT;
            case WrOpcode.SEND_ENABLE -> WcOpcode.SEND_ENABLE;
            case WrOpcode.RECV_ENABLE -> WcOpcode.RECV_ENABLE;
            case WrOpcode.BIND_MW, TYPE_1_BOUND -> WcOpcode.BIND_MW;
            default -> WcOpcode.SEND;
        };
    }

    /** Reads inline data from the caller's memory. */
    public interface InlineReader {
        /** Copies the whole list to an address; returns false if it can't be read. */
        boolean read(ScatterList from, long to);
    }
}
