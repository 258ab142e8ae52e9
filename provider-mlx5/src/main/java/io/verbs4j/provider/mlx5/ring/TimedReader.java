/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import io.verbs4j.WcExFlags;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.mlx5.layout.CqeLayout;
import io.verbs4j.provider.mlx5.layout.ErrCqeLayout;
import io.verbs4j.rdmacore.quirk.TickClock;
import io.verbs4j.rdmacore.ring.RingReader;
import java.util.function.BooleanSupplier;

/**
 * Reads completions with time stamps, in ticks and in nanoseconds, and with the tags of frames, one by one in place. A
 * completion's effects on its queue pair, which may be gone later, are applied when the completion becomes current.
 */
public final class TimedReader extends RingReader {
    private final CqRing ring;
    private final boolean hasTicks;
    private final boolean hasTime;
    private final TickClock clock;
    private final boolean hasCvlan;
    private final boolean hasFlowTag;

    /**
     * Creates the reader of a ring.
     *
     * @param wcFlags the fields requested of its completions
     * @param clock converts ticks to nanoseconds; null if they were not requested
     * @param overrun whether completions were lost
     */
    public TimedReader(CqRing ring, long wcFlags, TickClock clock, BooleanSupplier overrun) {
        super(ring, overrun);
        this.ring = ring;
        this.hasTicks = (wcFlags & WcExFlags.COMPLETION_TIMESTAMP) != 0;
        this.hasTime = clock != null;
        this.clock = clock;
        this.hasCvlan = (wcFlags & WcExFlags.CVLAN) != 0;
        this.hasFlowTag = (wcFlags & WcExFlags.FLOW_TAG) != 0;
    }

    @Override
    protected long take(WorkCompletion to, int size) {
        long cqe = super.take(to, size);
        if (cqe != 0 && (hasTicks || hasTime) && to.status() == WcStatus.SUCCESS) { // else its error is here
            long ticks = NativeMemory.getNetLong(cqe + CqeLayout.TIMESTAMP);
            if (hasTicks) {
                to.completionTs(ticks);
            }
            if (hasTime) {
                to.completionWallclockNs(clock.toNanos(ticks));
            }
        }
        if (cqe != 0 && hasCvlan) {
            to.cvlan(isReceived(cqe, to) ? Cqe.vlan(cqe) : 0);
        }
        if (cqe != 0 && hasFlowTag) {
            to.flowTag(isReceived(cqe, to) ? Cqe.flowTag(cqe) : 0);
        }
        return cqe;
    }

    @Override
    protected void begin() {
        if (hasTime) {
            clock.refresh();
        }
    }

    @Override
    protected long advance(WorkCompletion to) {
        return ring.nextInPlace(to);
    }

    // ---- the current completion, except for what advance has filled in

    private static int owner(long cqe) {
        return NativeMemory.getByte(cqe + CqeLayout.OP_OWN);
    }

    private static int kind(long cqe) {
        return owner(cqe) >>> 4;
    }

    @Override
    public int vendorErr() {
        long at = current();
        return kind(at) < Cqe.REQUESTER_ERROR ? 0 : NativeMemory.getByte(at + ErrCqeLayout.VENDOR_ERR_SYND);
    }

    @Override
    public int byteLen() {
        long at = current();
        int operation = NativeMemory.getByte(at + CqeLayout.SOP_DROP_QPN);
        return kind(at) == Cqe.REQUESTER && (operation == Wqe.OP_ATOMIC_CS || operation == Wqe.OP_ATOMIC_FA)
                ? Wqe.ATOMIC_SIZE
                : NativeMemory.getNetInt(at + CqeLayout.BYTE_CNT);
    }

    @Override
    public int immData() {
        return NativeMemory.getNetInt(current() + CqeLayout.IMM_INVAL_PKEY);
    }

    @Override
    public int qpNum() {
        return NativeMemory.getNetInt(current() + CqeLayout.SOP_DROP_QPN) & Cqe.NUMBER;
    }

    @Override
    public int srcQp() {
        long at = current();
        return Cqe.srcQp(at, owner(at));
    }

    @Override
    public int wcFlags() {
        long at = current();
        int kind = kind(at);
        return kind != Cqe.REQUESTER && kind <= Cqe.RECEIVED_SEND_INV
                ? Cqe.receiveFlags(at, owner(at), kind) | now().wcFlags()
                : 0; // as in libmlx5
    }

    @Override
    public int slid() {
        long at = current();
        return Cqe.slid(at, owner(at));
    }

    @Override
    public int sl() {
        long at = current();
        return Cqe.sl(at, owner(at));
    }

    @Override
    public int dlidPathBits() {
        long at = current();
        return Cqe.dlidPathBits(at, owner(at));
    }

    @Override
    public long completionTs() {
        long at = current();
        return isStamped() ? NativeMemory.getNetLong(at + CqeLayout.TIMESTAMP) : 0;
    }

    @Override
    public long completionWallclockNs() {
        long at = current();
        return isStamped() ? clock.toNanos(NativeMemory.getNetLong(at + CqeLayout.TIMESTAMP)) : 0;
    }

    @Override
    public int cvlan() {
        long at = current();
        return isReceived(at, now()) ? Cqe.vlan(at) : 0;
    }

    @Override
    public int flowTag() {
        long at = current();
        return isReceived(at, now()) ? Cqe.flowTag(at) : 0;
    }

    private static boolean isReceived(long cqe, WorkCompletion wc) {
        return kind(cqe) != Cqe.REQUESTER && wc.status() == WcStatus.SUCCESS;
    }

    /** Returns whether the completion has a time stamp; a failed one has its error there. */
    private boolean isStamped() {
        return now().status() == WcStatus.SUCCESS;
    }
}
