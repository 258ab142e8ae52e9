/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5;

import io.verbs4j.Errno;
import io.verbs4j.QpCap;
import io.verbs4j.QpCreateFlags;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;
import io.verbs4j.provider.mlx5.dv.DvObjects;
import io.verbs4j.provider.mlx5.dv.RemadeQp;
import io.verbs4j.provider.mlx5.ring.CrossCounter;
import io.verbs4j.provider.mlx5.ring.Doorbell;
import io.verbs4j.provider.mlx5.ring.FrameQueue;
import io.verbs4j.provider.mlx5.ring.ReceiveRing;
import io.verbs4j.provider.mlx5.ring.Rings;
import io.verbs4j.provider.mlx5.ring.SendElements;
import io.verbs4j.provider.mlx5.ring.SendQueue;
import io.verbs4j.provider.mlx5.ring.SendRing;
import io.verbs4j.provider.mlx5.ring.SharedRing;
import io.verbs4j.provider.mlx5.ring.Transport;
import io.verbs4j.rdmacore.object.BadWr;
import io.verbs4j.rdmacore.object.TypeTwoBind;
import io.verbs4j.rdmacore.ring.RingQp;

/** The native side of a queue pair that Java posts to. */
final class Mlx5Qp extends RingQp {
    private final Mlx5Context base;
    private final SendQueue sends;
    private final Doorbell doorbell;
    private final ReceiveRing receives;
    private final SharedRing shared;
    private final boolean oneWay;
    private final long sendOps;
    private final RemadeQp remade; // null if libmlx5's queue pair is used unchanged
    private final CrossCounter managedSends;
    private final CrossCounter managedReceives;
    private final SendRing sendRing; // null without a send queue
    private final Rings.Entry entry;
    private FrameQueue frames; // null if it receives no frames
    private final int maxReceives;
    private boolean receivesOpen;

    /**
     * Creates the native side of a {@code struct ibv_qp}.
     *
     * @param remade the recreated kernel queue pair, for cross channel; otherwise null
     * @param frames the limits and the index for raw packets; otherwise null
     */
    Mlx5Qp(Mlx5Context base, QpInitAttrEx attr, long operations, long qp, RemadeQp remade, FrameEnds frames) {
        super(
                base,
                attr,
                operations,
                qp,
                remade == null ? base.locks().make() : base.cross().lock(),
                base.locks().make());
        this.base = base;
        this.remade = remade;
        this.sendOps = DvQueues.sendOps(attr);
        DvObjects.Qp rings = remade == null ? DvObjects.qp(qp) : remade.rings();
        int flags = remade == null ? 0 : CrossChannel.flags(attr);
        QpCap cap = attr.cap();
        maxReceives = cap.maxRecvWr();
        doorbell = base.doorbell(rings);
        SendRing ring = cap.maxSendWr() == 0
                ? null
                : new SendRing(new SendElements.Setup(
                        rings.sqBuf(),
                        rings.sqCount(),
                        rings.dbrec(),
                        doorbell,
                        qpNum(),
                        Transport.of(attr.qpType()),
                        attr.sqSigAll(),
                        cap.maxSendWr(),
                        cap.maxSendSge(),
                        cap.maxInlineData(),
                        operations & ~TypeTwoBind.lacking(attr.qpType(), base.windows()),
                        attr.pd(),
                        base.regions(),
                        windowLog()));
        if (ring != null && (operations & QpCreateSendOps.REG_MR) != 0) {
            ring.mrKeys(base.rings().mrKeys());
        }
        if (ring != null && frames != null) {
            ring.frames(frames.limits());
        }
        sendRing = ring;
        shared = attr.srq() instanceof Mlx5SharedReceiveQueue srq ? srq.ring : null;
        receives = shared != null || cap.maxRecvWr() == 0
                ? null
                : new ReceiveRing(
                        rings.rqBuf(),
                        rings.rqCount(),
                        rings.rqStride(),
                        rings.dbrec(),
                        cap.maxRecvWr(),
                        cap.maxRecvSge());
        this.frames = frames == null || receives == null
                ? null
                : new FrameQueue(frames.index(), receives, frames.limits().checksums());
        if (this.frames != null) {
            receives.hold(true);
            Mlx5Cq.ringOf(attr.recvCq()).frameReceives().attach(this.frames);
        }
        oneWay = hasNoReceives(attr.qpType());
        sends = new SendQueue(ring, sendLock());
        boolean managed = (flags & QpCreateFlags.MANAGED_SEND) != 0;
        if (ring != null && remade != null) {
            ring.crossChannel(base.cross(), managed);
        }
        managedSends = managed && ring != null ? ring.enabled() : null;
        managedReceives = (flags & QpCreateFlags.MANAGED_RECV) != 0 && receives != null
                ? new ManagedReceives(qpNum(), receives, receiveLock())
                : null;
        entry = base.rings()
                .add(new Rings.Entry(
                        qpNum(),
                        this,
                        ring,
                        receives,
                        shared,
                        this.frames,
                        Mlx5Cq.ringOf(attr.sendCq()),
                        Mlx5Cq.ringOf(attr.recvCq())));
    }

    SendQueue sends() {
        return sends;
    }

    /** Returns the mlx5-specific operations that it was created for, {@link io.verbs4j.mlx5dv.Mlx5SendOps} bits. */
    long sendOps() {
        return sendOps;
    }

    /** Returns the queue for received frames; null if it receives none, and after it is destroyed. */
    FrameQueue frames() {
        return frames;
    }

    /** Returns whether the queue pair belongs to a context and is not closed. */
    boolean isOpenOf(Mlx5Context context) {
        return base == context && pin().isOpen();
    }

    /** Returns the count of sends that others have enabled; null if its sends are not managed. */
    CrossCounter managedSends() {
        return managedSends;
    }

    /** Returns the count of receives that others have enabled; null if its receives are not managed. */
    CrossCounter managedReceives() {
        return managedReceives;
    }

    @Override
    public String broken(SendWorkRequest wr) {
        if (wr.opcode() == WrOpcode.REG_MR && sendRing != null) {
            return sendRing.broken(wr);
        }
        if (qpType() == QpType.DRIVER && wr.opcode() != WrOpcode.NOP) {
            return "a work request can't carry the address of a DC target; use builder() and vendorAddr";
        }
        boolean masked = wr.opcode() == WrOpcode.MASKED_ATOMIC_CMP_AND_SWP
                || wr.opcode() == WrOpcode.MASKED_ATOMIC_FETCH_AND_ADD;
        if (masked && wr.numSge() != 1) {
            return "numSge is " + wr.numSge() + ", but a masked atomic writes its result to exactly one element";
        }
        return (QpCreateSendOps.of(wr.opcode()) & CrossChannel.OPERATIONS) != 0
                ? base.cross().broken(wr)
                : null;
    }

    @Override
    protected boolean isSendQueueEmpty() {
        return sendRing == null || sends.post(ring -> ring.isEmpty() ? 0 : Errno.EBUSY) != Errno.EBUSY;
    }

    @Override
    protected void watchSends() {
        // the ring tracks completed requests
    }

    @Override
    protected boolean mayHaveLost(boolean told, long end) {
        return told ? sendRing != null && sendRing.hasFailed() : !isSendQueueEmpty();
    }

    int postReceive(RecvWorkRequest wr, RecvWorkRequest[] badWr) {
        int error = Errno.EINVAL;
        if (wr != null) {
            boolean asOwner = receiveLock().lock();
            try {
                if (receivesOpen && receives != null) {
                    return receives.post(wr, badWr);
                }
                error = receivesOpen && oneWay ? Errno.EOPNOTSUPP : error;
            } finally {
                receiveLock().unlock(asOwner);
            }
        }
        return BadWr.tell(wr, badWr, error);
    }

    /** In RESET the device forgets the contents of the queues, and so does the provider. */
    @Override
    protected void state(int newState) {
        super.state(newState);
        sends.setOpen(newState >= QpState.RTS);
        receivesOpen = newState != QpState.RESET;
        if (frames != null) { // its queue is ready in INIT, but in RTR libmlx5 resets the count of posted receives to 0
            receives.hold(newState < QpState.RTR);
        }
        if (newState == QpState.RESET) {
            sends.reset();
            if (receives != null) {
                receives.reset();
            }
        }
    }

    /**
     * Destroys the queue pair while no thread polls. Pollers find it by its number and read its queues for completions
     * that it left, and the memory of the queues is freed with it; so polling is excluded until both are gone.
     */
    @Override
    protected void destroying(Runnable body) {
        base.rings().destroy(entry, body);
    }

    @Override
    protected void ended() {
        sends.setOpen(false);
        receivesOpen = false;
        frames = null;
    }

    /** Returns the size of its receive queue; 0 if it has none of its own. */
    int maxReceives() {
        return receives == null ? 0 : maxReceives;
    }

    @Override
    protected boolean isHandedOver() {
        return sends.isHandedOver();
    }

    @Override
    public void destroy() {
        super.destroy();
        if (remade == null) {
            base.locks().remove(sendLock());
        }
        base.locks().remove(receiveLock());
        base.release(doorbell);
        if (remade != null) {
            remade.free();
        }
    }
}
