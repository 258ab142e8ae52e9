/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.hbldv.HblGranularities;
import io.verbs4j.hbldv.HblMemIds;
import io.verbs4j.hbldv.HblPortCaps;
import io.verbs4j.hbldv.HblPortExAttr;
import io.verbs4j.hbldv.HblUsrFifoAttr;
import io.verbs4j.hbldv.HblWqArray;
import io.verbs4j.hbldv.HblWqArrays;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.provider.gaudi.dv.FifoPlace;
import io.verbs4j.provider.gaudi.dv.Libhbl;
import io.verbs4j.provider.gaudi.layout.PortExAttrLayout;
import io.verbs4j.provider.gaudi.layout.WqArrayAttrLayout;
import io.verbs4j.provider.gaudi.ring.DoorbellFifo;
import io.verbs4j.provider.gaudi.ring.PortRings;
import io.verbs4j.rdmacore.call.Answers;

/**
 * A port, and the FIFO through which this process rings its doorbells. The program sets up the port, otherwise this
 * class does at first use. Thread-safe.
 */
final class GaudiPort {
    /** Number and size of the queues that the kernel gives a port that the program does not set up. */
    static final int USUAL_WQS = 128;

    static final int USUAL_WQES = 256;

    private static final String SET = "hbldv_set_port_ex";
    private static final int OFFSETS = 16;
    private static final HblWqArray NONE =
            new HblPortExAttr().wqArray(HblWqArrays.GENERIC, 0, 0, 0, 0).wqArray(HblWqArrays.GENERIC);

    private final GaudiContext base;
    private final int number;
    private HblWqArray array; // null until the port is set up
    private final PortRings rings = new PortRings();
    private FifoPlace fifo; // null until it is created
    private DoorbellFifo doorbells;

    GaudiPort(GaudiContext base, int number) {
        this.base = base;
        this.number = number;
    }

    /** Returns the number, from 1. */
    int number() {
        return number;
    }

    /** Returns the array of work queues of queue pairs, as it is or will be. */
    synchronized HblWqArray array() {
        return array == null ? usual().wqArray(HblWqArrays.GENERIC) : array;
    }

    private HblPortExAttr usual() {
        return new HblPortExAttr()
                .portNum(number)
                .wqArray(HblWqArrays.GENERIC, USUAL_WQS, USUAL_WQES, HblMemIds.HOST, HblGranularities.BYTES_32);
    }

    /** Sets up the port, unless it is already set up. */
    synchronized void prepare() {
        if (array == null) {
            setUp(usual());
        }
    }

    /** Sets up the port with the program's attributes. */
    synchronized void setUp(HblPortExAttr attr) {
        if ((attr.caps() & HblPortCaps.ADAPTIVE_TIMEOUT) != 0) {
            base.requireRelease(
                    SET,
                    "HblPortCaps.ADAPTIVE_TIMEOUT",
                    base.layout().hasAdaptiveTimeout(),
                    "those up to 1.17 have it");
        }
        if (attr.atomicFnaMaskSize() != 0) {
            base.requireRelease(SET, "atomicFnaMaskSize", base.layout().hasCollectives(), "1.16 and newer have it");
        }
        try (Scratch c = new Scratch(PortExAttrLayout.SIZEOF)) {
            write(c.address(), attr);
            int errno = Answers.errno(Libhbl.function(SET).call(base.address(), c.address()));
            if (errno != 0) {
                throw failed(errno);
            }
        }
        HblWqArray generic = attr.wqArray(HblWqArrays.GENERIC);
        array = generic == null ? NONE : generic;
    }

    private static void write(long at, HblPortExAttr attr) {
        for (int i = 0; i < HblWqArrays.MAX; i++) {
            HblWqArray queues = attr.wqArray(i);
            if (queues != null) {
                long to = at + PortExAttrLayout.WQ_ARR_ATTR + (long) i * WqArrayAttrLayout.SIZEOF;
                NativeMemory.putInt(to + WqArrayAttrLayout.MAX_NUM_OF_WQS, queues.wqs());
                NativeMemory.putInt(to + WqArrayAttrLayout.MAX_NUM_OF_WQES_IN_WQ, queues.wqes());
                NativeMemory.putInt(to + WqArrayAttrLayout.MEM_ID, queues.memId());
                NativeMemory.putInt(to + WqArrayAttrLayout.SWQ_GRANULARITY, queues.granularity());
            }
        }
        int[] offsets = attr.qpWqBpOffs();
        for (int i = 0; i < OFFSETS; i++) {
            NativeMemory.putInt(at + PortExAttrLayout.QP_WQ_BP_OFFS + (long) i * Integer.BYTES, offsets[i]);
        }
        NativeMemory.putLong(at + PortExAttrLayout.CAPS, attr.caps());
        NativeMemory.putInt(at + PortExAttrLayout.PORT_NUM, attr.portNum());
        NativeMemory.putByte(at + PortExAttrLayout.ATOMIC_FNA_MASK_SIZE, attr.atomicFnaMaskSize());
    }

    private VerbsException failed(int errno) {
        String why = switch (errno) {
            case Errno.EPERM -> "is already set up; this can be done only once, before any object is created on it";
            case Errno.ENODEV -> "is down; wait for PORT_ACTIVE";
            case Errno.EAGAIN -> "is still being torn down after an earlier program; try again";
            case Errno.EINVAL ->
                "takes arrays of 2 or more queues, each with a power of two of elements from 16 to 32768; more than"
                        + " that needs HblPortCaps.ADVANCED";
            default -> "can't be set up: " + Errno.describe(errno);
        };
        return new VerbsException(errno, SET, "port " + number + " " + why);
    }

    /** Returns the FIFO for doorbells of this process, and creates it at first use. */
    synchronized FifoPlace fifo() {
        if (fifo == null) {
            fifo = GaudiFifos.create(base, new HblUsrFifoAttr().portNum(number));
        }
        return fifo;
    }

    /** Returns the doorbells of this process, and creates them at first use; null if Java cannot ring them. */
    synchronized DoorbellFifo doorbells() {
        if (doorbells == null && base.posts()) {
            FifoPlace place = fifo();
            if (place.registers() != 0) {
                doorbells =
                        new DoorbellFifo(place.registers(), place.consumed(), place.size(), place.threshold(), number);
                rings.ringBy(doorbells);
            }
        }
        return doorbells;
    }

    /** Returns the port's queue pairs that Java posts to. */
    PortRings rings() {
        return rings;
    }

    /** Releases what this class has created. */
    synchronized void close() {
        if (fifo != null) {
            fifo.destroy();
            fifo = null;
        }
    }
}
