/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi;

import io.verbs4j.Errno;
import io.verbs4j.EventType;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpState;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcStatus;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.provider.gaudi.ring.CqRing;
import io.verbs4j.provider.gaudi.ring.DoorbellFifo;
import io.verbs4j.provider.gaudi.ring.PortRings;
import io.verbs4j.provider.gaudi.ring.SendRing;
import io.verbs4j.provider.gaudi.ring.Syndrome;
import io.verbs4j.rdmacore.call.Libibverbs;
import io.verbs4j.rdmacore.layout.QpAttrLayout;
import io.verbs4j.rdmacore.layout.QpInitAttrLayout;
import io.verbs4j.rdmacore.object.NativeCompletionQueue;
import io.verbs4j.rdmacore.ring.RingQp;

/**
 * The native side of a queue pair that Java posts to. libhbl numbers queue pairs from 0; the number on the wire is
 * assigned at INIT and lost at RESET. If the ring lies in device memory, the accelerator posts instead.
 */
final class GaudiQp extends RingQp {
    private final GaudiContext base;
    private final int ringSize;
    private final SendRing sends;
    private final CqRing cq; // null if Java cannot read it
    private PortRings rings; // guarded by the locks; null unless its completions are expected
    private volatile int port;
    private volatile int remoteKey;
    private volatile boolean gone;
    private boolean told; // whether its failure event was read; guarded by the locks, as is the next field
    private boolean untold; // whether an event of a failure that was detected without it may still be unread

    /**
     * Wraps a {@code struct ibv_qp}.
     *
     * @param attr attributes whose number of requests is one less than the size of the ring
     */
    GaudiQp(GaudiContext base, QpInitAttrEx attr, long operations, long qp) {
        super(base, attr, operations, qp, base.locks().make(), base.locks().make());
        this.base = base;
        ringSize = attr.cap().maxSendWr() + 1;
        sends = new SendRing(attr.pd().base(), base.translations(), attr.sqSigAll(), sendLock(), this::doubt);
        cq = ((NativeCompletionQueue) attr.sendCq()).ibv instanceof GaudiCq known ? known.ring() : null;
        numbered(0);
    }

    SendRing sends() {
        return sends;
    }

    /** Returns the number of elements of its send ring, a power of two. */
    int ringSize() {
        return ringSize;
    }

    /** Returns the port that it was last bound to; 0 before INIT. */
    int port() {
        return port;
    }

    /** Returns the key that its packets carry, from RTS on. */
    int remoteKey() {
        return remoteKey;
    }

    /** Notes that it is in INIT, and its number. */
    void initialised(GaudiPort at, int wireNumber) {
        port = at.number();
        numbered(wireNumber);
    }

    /**
     * Notes that it is in RTS, possibly again.
     *
     * @param ring address of its send ring; 0 if that lies in device memory
     * @param elementSize size of an element in bytes
     */
    void ready(GaudiPort at, long ring, int elementSize, int key) {
        remoteKey = key;
        DoorbellFifo fifo = ring == 0 ? null : at.doorbells();
        whileNobodyPosts(() -> {
            if (fifo == null || cq == null) {
                sends.close(Errno.EOPNOTSUPP);
            } else if (!sends.isOpen()) {
                sends.open(new SendRing.Place(ring, ringSize, elementSize, qpNum(), key, fifo));
                rings = at.rings();
                rings.add(qpNum(), sends);
                cq.expect(sends);
                told = false;
            }
        });
    }

    @Override
    public String broken(SendWorkRequest wr) {
        return sends.broken(wr);
    }

    @Override
    public String broken(RecvWorkRequest wr) {
        return "Gaudi has no receives; data arrives only by RDMA_WRITE";
    }

    /** Notes that it is in RESET, and thus has no number. */
    void forgotten() {
        numbered(0);
    }

    /** Notes that it has taken over another queue pair's number. */
    void migrated(int wireNumber) {
        numbered(wireNumber);
        whileNobodyPosts(() -> {
            if (rings != null) {
                rings.remove(sends.qpNum(), sends);
                sends.renumber(wireNumber);
                rings.add(wireNumber, sends);
            }
        });
    }

    @Override
    protected void state(int newState) {
        super.state(newState);
        if (newState == QpState.RESET) {
            end();
            sends.reset();
        } else if (newState == QpState.ERR) {
            flush(WcStatus.WR_FLUSH_ERR, 0);
        }
    }

    /**
     * Changes or destroys the queue pair. A doorbell that waits for room is withheld, as it must not ring for a number
     * that is gone or belongs to another queue pair. If the queue pair has failed and its event is unread, that event
     * must not be applied to the queue pair afterwards.
     */
    @Override
    protected void ending(Runnable body) {
        boolean owed = sends.withhold();
        boolean unread = !told && isBroken();
        try {
            body.run();
        } catch (RuntimeException e) {
            if (owed) {
                sends.restore();
            }
            throw e;
        }
        untold |= unread;
    }

    /** Handles a failure event: completes the pending requests, of which the device reports nothing. */
    @Override
    public void failed(int eventType) {
        whileNobodyPosts(() -> {
            boolean over = untold && !isBroken();
            untold = false;
            if (over) {
                return;
            }
            told = true;
            if (eventType == EventType.QP_REQ_ERR) {
                int syndrome = ask(QpAttrLayout.QP_ACCESS_FLAGS);
                flush(Syndrome.status(syndrome), syndrome);
            } else {
                flush(WcStatus.WR_FLUSH_ERR, 0);
            }
        });
    }

    /**
     * Completes the pending requests if the device has put the queue pair in ERR, for programs that do not read events.
     */
    void notice() {
        whileNobodyPosts(() -> {
            if (!isBroken()) {
                return;
            }
            untold |= !told;
            int syndrome = ask(QpAttrLayout.QP_ACCESS_FLAGS);
            boolean asRequester = Syndrome.isRequesters(syndrome);
            flush(asRequester ? Syndrome.status(syndrome) : WcStatus.WR_FLUSH_ERR, asRequester ? syndrome : 0);
        });
    }

    /**
     * Checks for a failure when nothing has completed for a long time. Takes no lock while the queue pair works, since
     * that would end the ownership of the thread that usually locks.
     */
    private void doubt() {
        if (!pin().enter()) {
            return; // it is being closed
        }
        try {
            if (isBroken()) {
                notice();
            }
        } finally {
            pin().leave();
        }
    }

    /** Returns whether the device has put the queue pair in ERR. */
    private boolean isBroken() {
        return state() == QpState.RTS && ask(QpAttrLayout.QP_STATE) == QpState.ERR;
    }

    /**
     * Queries a field by {@code ibv_query_qp}; returns 0 on failure. The access flags report why the queue pair failed.
     * The driver sets the state to ERR when it has sent the event; the reason is set before, and remains when the queue
     * pair is restarted.
     */
    private int ask(int field) {
        try (Scratch attr = new Scratch(QpAttrLayout.SIZEOF);
                Scratch init = new Scratch(QpInitAttrLayout.SIZEOF)) {
            int mask = QpAttrMask.STATE | QpAttrMask.ACCESS_FLAGS;
            return Libibverbs.ibv_query_qp(address(), attr.address(), mask, init.address()) == 0
                    ? NativeMemory.getInt(attr.address() + field)
                    : 0;
        }
    }

    private void flush(int status, int syndrome) {
        if (cq != null) {
            cq.flush(sends, status, syndrome);
        }
    }

    /** Disowns what is in its completion queue. */
    void renounce(CqRing of) {
        if (of == cq && sends.qpNum() != 0) {
            of.renounce(sends, sends.qpNum());
        }
    }

    private void end() {
        sends.close(Errno.EINVAL);
        if (rings != null) {
            rings.remove(sends.qpNum(), sends);
            rings = null;
            cq.forget(sends);
        }
    }

    /** Returns whether it is destroyed. */
    boolean isGone() {
        return gone;
    }

    @Override
    protected void ended() {
        gone = true;
        end();
    }

    @Override
    public void destroy() {
        super.destroy();
        base.locks().remove(sendLock());
        base.locks().remove(receiveLock());
    }
}
