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
 * Behind a queue pair that Java posts to. libhbl counts queue pairs from 0; the number on the wire comes with INIT, and is gone with
 * RESET. Where the ring is in the device's memory, who posts is the accelerator.
 */
final class GaudiQp extends RingQp {
    private final GaudiContext base;
    private final int ringSize;
    private final SendRing sends;
    private final CqRing cq; // null where Java can't read it
    private PortRings rings; // with the locks; null unless its completions are looked for
    private volatile int port;
    private volatile int remoteKey;
    private volatile boolean gone;
    private boolean told; // whether the event was read that it is broken; with the locks, and so is what follows
    private boolean untold; // whether one is unread of what is known without it, and perhaps over

    /**
     * Behind a {@code struct ibv_qp}.
     *
     * @param attr of which one request less than there is room for was told
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

    /** Elements of its send ring: a power of two. */
    int ringSize() {
        return ringSize;
    }

    /** The port that it was last bound to; 0 before INIT. */
    int port() {
        return port;
    }

    /** The key that its packets carry, from RTS on. */
    int remoteKey() {
        return remoteKey;
    }

    /** It is in INIT, where it has a number. */
    void initialised(GaudiPort at, int wireNumber) {
        port = at.number();
        numbered(wireNumber);
    }

    /**
     * It is in RTS, perhaps not for the first time.
     *
     * @param ring address of its send ring; 0 where that is in the device's memory
     * @param elementSize in bytes
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
        return "Gaudi has no receives: data arrive by RDMA_WRITE alone";
    }

    /** It is in RESET, where it has no number. */
    void forgotten() {
        numbered(0);
    }

    /** Another queue pair's number has become its own. */
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
     * A doorbell that waits for room must not ring for a number that is gone, or another's. Of one that broke, the event may be unread: what
     * the queue pair is afterwards it does not mean.
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

    /** The queue pair is dead, and the device says nothing of what is pending. */
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

    /** Has what is pending complete where the device has broken it, as nobody may read that event. */
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

    /** Nothing completes for long. Of one that is whole, no lock is taken, which would be its thread's own no longer. */
    private void doubt() {
        if (!pin().enter()) {
            return; // it goes
        }
        try {
            if (isBroken()) {
                notice();
            }
        } finally {
            pin().leave();
        }
    }

    /** Whether the device has it in ERR, where nobody has put it. */
    private boolean isBroken() {
        return state() == QpState.RTS && ask(QpAttrLayout.QP_STATE) == QpState.ERR;
    }

    /**
     * What {@code ibv_query_qp} tells; 0 where it can't be asked. Where that tells rights of others, it tells why this one broke. Once the driver
     * has sent the event it makes the state ERR; the reason is there before, and stays when the queue pair begins anew.
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

    /** What is in its completion queue is nobody's any more. */
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

    /** Whether it is destroyed. */
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
