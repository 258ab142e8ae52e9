/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.ring;

import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendBuilder;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.natives.lock.RingLock;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.PlainContext;
import io.verbs4j.rdmacore.memory.Pin;
import io.verbs4j.rdmacore.object.NativeProtectionDomain;

/** Rings in plain memory, and what a device does to them. All numbers differ. */
final class PlainRings implements AutoCloseable {
    static final int QP = 0x1f5;
    static final int PORT = 3;
    static final int CQ = 0xb;
    static final int REMOTE_KEY = 0x5eed;
    static final int LKEY = 0x77;
    static final long HOST = 0x7f11_2233_4000L;
    static final long DEVICE = 0x1001_0000_5550_0800L;
    static final long LENGTH = 0x10_0000;
    static final long THERE = 0x1001_1000_6660_0123L;
    static final int FIFO_ENTRIES = 64;
    static final int THRESHOLD = 32;
    static final int CQES = 8;

    final NativeProtectionDomain pd = new NativeProtectionDomain(new PlainContext(), 1);
    final DeviceRegions regions = new DeviceRegions();
    final Pin pin = new Pin();
    final PortRings port = new PortRings();
    final int size;
    final int stride;
    final SendRing sends;
    final CqRing cq;
    final QueuePair qp;
    DoorbellFifo fifo;
    private final long memory;
    private final long ring;
    private final long register;
    private final long taken;
    private final long cqes;
    private final long producer;
    private final long cqRegister;
    private int produced;

    /** How often a queue pair was doubted. */
    int doubts;

    PlainRings(int size, int stride, boolean signalAll) {
        this.size = size;
        this.stride = stride;
        memory = NativeMemory.allocate((long) size * stride + 6 * 64 + CQES * 16);
        ring = memory;
        register = ring + (long) size * stride + 64;
        taken = register + 64;
        producer = taken + 64;
        cqRegister = producer + 64;
        cqes = cqRegister + 64;
        regions.add(LKEY, pd, HOST, LENGTH, DEVICE, pin);
        sends = new SendRing(pd, regions, signalAll, new RingLock(false), () -> doubts++);
        cq = new CqRing(new CqRing.Place(cqes, CQES, producer, cqRegister, CQ), port, new RingLock(false));
        qp = new Poster(pd, sends);
        open();
    }

    void open() {
        fifo = new DoorbellFifo(register, taken, FIFO_ENTRIES * 8, THRESHOLD * 8, PORT);
        sends.open(new SendRing.Place(ring, size, stride, QP, REMOTE_KEY, fifo));
        port.ringBy(fifo);
        port.add(QP, sends);
    }

    /** Returns another queue of the port, which starts in the second half of this one's memory. */
    SendRing another(int qpNum) {
        return another(qpNum, () -> doubts++);
    }

    SendRing another(int qpNum, Runnable doubt) {
        SendRing other = new SendRing(pd, regions, false, new RingLock(false), doubt);
        other.open(new SendRing.Place(ring + (long) size / 2 * stride, size / 2, stride, qpNum, REMOTE_KEY, fifo));
        return other;
    }

    static ScatterGatherElement piece(long addr, int length) {
        return new ScatterGatherElement().lkey(LKEY).addr(addr).length(length);
    }

    static SendWorkRequest write(long id, ScatterGatherElement... list) {
        return new SendWorkRequest()
                .wrId(id)
                .opcode(WrOpcode.RDMA_WRITE)
                .sendFlags(SendFlags.SIGNALED)
                .rkey(REMOTE_KEY)
                .remoteAddr(THERE)
                .sgList(list);
    }

    static SendWorkRequest write(long id) {
        return write(id, piece(HOST, 8));
    }

    int post(SendWorkRequest wr) {
        return sends.post(wr, null);
    }

    /** Returns a 4-byte word of the descriptor at a place. */
    int word(int place, int word) {
        return NativeMemory.getInt(ring + (long) place * stride + word * 4L);
    }

    /** Returns whether the descriptor at a place is all zero, so nothing was written there. */
    boolean isEmpty(int place) {
        for (int i = 0; i < stride / 4; i++) {
            if (word(place, i) != 0) {
                return false;
            }
        }
        return true;
    }

    long fifoRegister() {
        return register;
    }

    long fifoTaken() {
        return taken;
    }

    /** Returns the last doorbell. */
    long doorbell() {
        return NativeMemory.getLong(register);
    }

    void forgetDoorbell() {
        NativeMemory.putLong(register, 0);
    }

    static long doorbell(int producer) {
        return doorbell(QP, producer);
    }

    static long doorbell(int qpNum, int producer) {
        return (long) PORT << 56 | (long) qpNum << 32 | producer;
    }

    /** Lets the device take {@code doorbells} doorbells; its word is one behind. */
    void took(int doorbells) {
        NativeMemory.putInt(taken, doorbells == 0 ? 0 : doorbells - 1 & FIFO_ENTRIES - 1);
    }

    /** Lets the device complete a request. */
    void completes(int number) {
        completes(QP, number);
    }

    void completes(int qpNum, int number) {
        written(qpNum, number, true);
        NativeMemory.putLong(producer, ++produced);
    }

    /** Lets the device write a completion without announcing it. */
    void written(int qpNum, int number, boolean valid) {
        long at = cqe(produced);
        NativeMemory.putInt(at + 4, number & size - 1);
        NativeMemory.putInt(at + 8, number);
        NativeMemory.putInt(at + 12, 8);
        NativeMemory.putInt(at, (valid ? 1 << 31 : 0) | 1 << 24 | qpNum);
    }

    void tellsProduced(int number) {
        produced = number;
        NativeMemory.putLong(producer, number);
    }

    private long cqe(int index) {
        return cqes + (index & CQES - 1) * 16L;
    }

    int validWord(int index) {
        return NativeMemory.getInt(cqe(index));
    }

    /** Returns the queue number that the device was last given for consumed completions. */
    int toldQueue() {
        return NativeMemory.getInt(cqRegister);
    }

    int toldIndex() {
        return NativeMemory.getInt(cqRegister + 4);
    }

    int poll(WorkCompletion... wc) {
        return cq.poll(wc.length, wc);
    }

    @Override
    public void close() {
        NativeMemory.free(memory);
    }

    /** A handle for builders. */
    private static final class Poster extends QueuePair {
        private final SendRing sends;

        Poster(NativeProtectionDomain pd, SendRing sends) {
            super(pd, new QpInitAttr(), QP);
            this.sends = sends;
        }

        @Override
        public int postSend(SendWorkRequest wr, SendWorkRequest[] badWr) {
            return sends.post(wr, badWr);
        }

        @Override
        protected int postBuilt(SendBuilder builder) {
            return sends.post(builder);
        }

        @Override
        public int postRecv(RecvWorkRequest wr, RecvWorkRequest[] badWr) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int bindMw(MemoryWindow mw, MwBind bind) {
            throw new UnsupportedOperationException();
        }
    }
}
