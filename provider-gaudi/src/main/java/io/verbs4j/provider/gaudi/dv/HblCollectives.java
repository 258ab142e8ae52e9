/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.dv;

import io.verbs4j.Errno;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.provider.gaudi.layout.CollQpAttrLayout;
import io.verbs4j.provider.gaudi.layout.CollQpLayout;
import io.verbs4j.provider.gaudi.layout.CollSchedResourceLayout;
import io.verbs4j.provider.gaudi.layout.CollSchedResourcesLayout;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.object.NativeProtectionDomain;
import io.verbs4j.rdmacore.object.NativeQueuePair;
import java.util.ArrayList;
import java.util.List;

/** Collectives, which only the shipped releases support; for the typed API. */
public final class HblCollectives {
    private static final String RESERVE = "hbldv_reserve_coll_qps";
    private static final String MIGRATE = "hbldv_migrate_qp";
    private static final String RESOURCES = "hbldv_reserve_coll_sched_resources";
    private static final String SINCE_1_16 = "1.16 and newer have it";
    private static final long FIRST_PAUSE_MILLIS = 1;
    private static final long LONGEST_PAUSE_MILLIS = 1000;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private HblCollectives() {}

    /** The values of {@link io.verbs4j.hbldv.HblCollSchedResource}. */
    public record Resource(int type, int id, long size, int paOffs, long virtAddr) {}

    /** Reserves a number, and retries while the device is busy. */
    public static int reserve(
            DvContext<?, ?> base, ProtectionDomain pd, boolean scaleOut, long portsMask, long timeoutNanos) {
        long end = System.nanoTime() + timeoutNanos;
        long pause = FIRST_PAUSE_MILLIS;
        while (true) {
            try {
                return base.use(
                        RESERVE,
                        "pd",
                        pd,
                        NativeProtectionDomain.class,
                        handle -> handle.ibv,
                        known -> reserve(base, known.address(), scaleOut, portsMask));
            } catch (VerbsException e) {
                long left = end - System.nanoTime();
                if (e.errno() != Errno.EBUSY || left <= 0) {
                    throw e;
                }
                sleep(Math.min(pause, left / NANOS_PER_MILLI + 1));
                pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
            }
        }
    }

    private static int reserve(DvContext<?, ?> base, long pd, boolean scaleOut, long portsMask) {
        NativeFunction function = Libhbl.function(RESERVE, SINCE_1_16);
        if (portsMask != 0) {
            long kind = base.portsMask() & (scaleOut ? base.externalPorts() : ~base.externalPorts());
            boolean fits = portsMask == kind || base.layout().mayReservePorts();
            base.requireRelease(RESERVE, "portsMask of some of the ports", fits, "1.21 has it");
        }
        try (Scratch c = new Scratch(CollQpAttrLayout.SIZEOF);
                Scratch out = new Scratch(CollQpLayout.SIZEOF)) {
            NativeMemory.putByte(c.address() + CollQpAttrLayout.IS_SCALE_OUT, scaleOut ? 1 : 0);
            NativeMemory.putLong(c.address() + CollQpAttrLayout.PORTS_MASK, portsMask);
            int errno = Answers.errno(function.call(pd, c.address(), out.address()));
            if (errno != 0) {
                throw new VerbsException(errno, RESERVE, "no number was reserved: " + why(errno));
            }
            return NativeMemory.getInt(out.address() + CollQpLayout.QP_NUM);
        }
    }

    private static String why(int errno) {
        return switch (errno) {
            case Errno.EBUSY -> "earlier numbers are still being released; try again, or with a longer timeout";
            case Errno.EPERM ->
                "set up all ports of the kind first, by setPortEx or by creating a completion queue on each";
            case Errno.EINVAL -> "there are no such ports";
            case Errno.ENOSPC -> "none is free on all of these ports";
            default -> Errno.describe(errno);
        };
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new VerbsException(Errno.EINTR, RESERVE, "the thread was interrupted while the device was busy", e);
        }
    }

    /** Replaces a queue pair by another. Release 1.19 takes both queue pairs, later ones only the new one. */
    public static void migrate(DvContext<?, ?> base, QueuePair qp, QueuePair from) {
        NativeFunction function = Libhbl.function(MIGRATE, "1.19 and newer have it");
        base.use(
                MIGRATE,
                "from",
                from,
                NativeQueuePair.class,
                handle -> handle.ibv,
                old -> base.use(MIGRATE, "qp", qp, NativeQueuePair.class, handle -> handle.ibv, known -> {
                    // 1.19 names the arguments (qp, new_qp)
                    boolean both = base.layout() == Layout.V1_19;
                    long answer = both ? function.call(old.address(), known.address()) : function.call(known.address());
                    Answers.check(MIGRATE, answer);
                    base.migrated(known, QpPlace.of(known.address()).qpNum());
                    return null;
                }));
    }

    /** Returns the scheduler's resources. */
    public static List<Resource> resources(DvContext<?, ?> base) {
        NativeFunction function = Libhbl.function(RESOURCES, SINCE_1_16);
        try (Scratch c = new Scratch(CollSchedResourcesLayout.SIZEOF)) {
            Answers.check(RESOURCES, function.call(base.address(), c.address()));
            int number = NativeMemory.getInt(c.address() + CollSchedResourcesLayout.NUM_RESOURCES);
            int room = (base.layout().schedResourcesSize() - CollSchedResourcesLayout.RESOURCE)
                    / CollSchedResourceLayout.SIZEOF;
            List<Resource> all = new ArrayList<>();
            for (int i = 0; i < Math.min(number, room); i++) {
                long at = c.address() + CollSchedResourcesLayout.RESOURCE + (long) i * CollSchedResourceLayout.SIZEOF;
                all.add(new Resource(
                        NativeMemory.getInt(at + CollSchedResourceLayout.TYPE),
                        NativeMemory.getByte(at + CollSchedResourceLayout.ID),
                        NativeMemory.getLong(at + CollSchedResourceLayout.SIZE),
                        NativeMemory.getInt(at + CollSchedResourceLayout.PA_OFFS),
                        NativeMemory.getLong(at + CollSchedResourceLayout.VIRT_ADDR)));
            }
            return List.copyOf(all);
        }
    }
}
