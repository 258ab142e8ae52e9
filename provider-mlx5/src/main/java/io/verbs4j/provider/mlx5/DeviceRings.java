/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5;

import io.verbs4j.AddressHandle;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Errno;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsException;
import io.verbs4j.devicecode.spi.RingExport;
import io.verbs4j.devicecode.spi.RingSource;
import io.verbs4j.devicecode.spi.VendorCode;
import io.verbs4j.mlx5dv.DevxQueuePair;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.mlx5.ring.CqRing;
import io.verbs4j.provider.mlx5.ring.Doorbell;
import io.verbs4j.provider.mlx5.ring.HandedCompletions;
import io.verbs4j.provider.mlx5.ring.HandedSends;
import io.verbs4j.rdmacore.object.NativeQueuePair;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.LongConsumer;

/** Hands queues of ConnectX over to device code. Loaded only if verbs-device-code is on the path. Thread-safe. */
final class DeviceRings implements RingSource {
    private static final int RECORDS = 2 * Integer.BYTES;
    private static final int REGISTER = Long.BYTES;

    private static final VendorCode CODE =
            VendorCode.ofResource(VendorCode.MLX5, "mlx5", "v4j_mlx5.h", DeviceRings.class, 1);

    /** Queue pairs of DevX that device code has: nothing else marks them. */
    private static final Set<DevxQueuePair> HANDED_OVER =
            Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    private static final int OPERATIONS = (int) (QpCreateSendOps.RDMA_WRITE
            | QpCreateSendOps.RDMA_WRITE_WITH_IMM
            | QpCreateSendOps.SEND
            | QpCreateSendOps.SEND_WITH_IMM
            | QpCreateSendOps.RDMA_READ
            | QpCreateSendOps.ATOMIC_FETCH_AND_ADD);

    private final Mlx5Context base;

    DeviceRings(Mlx5Context base) {
        this.base = base;
    }

    @Override
    public int level() {
        return LEVEL;
    }

    @Override
    public VendorCode code() {
        return CODE;
    }

    @Override
    public void export(QueuePair qp, RingExport into) {
        if (!(((NativeQueuePair) qp).ibv instanceof Mlx5Qp known) || !known.isOpenOf(base)) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    "export_ring",
                    "libmlx5 posts to this queue pair; device code needs one of the Java data path"
                            + " (io.verbs4j.mlx5.path=java)");
        }
        CqRing cq = Mlx5Cq.ringOf(qp.sendCq());
        if (cq == null) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP, "export_ring", "the queue pair has no completion queue for sends");
        }
        HandedCompletions completions = cq.handOver(1);
        HandedSends sends;
        try {
            sends = known.sends().handOver();
        } catch (VerbsException e) {
            cq.takeBack();
            throw e;
        }
        int received = qp.recvCq() == qp.sendCq() ? known.maxReceives() : 0;
        into.sends(
                        known.qpNum(),
                        sends.operations(),
                        sends.buf(),
                        sends.blocks(),
                        sends.blockSize(),
                        Math.min(sends.most(), completions.count() - received))
                .record(sends.dbrec(), RECORDS)
                .bell(sends.register(), REGISTER, 0)
                .begin(Integer.toUnsignedLong(sends.begin()))
                .proxy(known.sends()::ringFor, false)
                .onRelease(() -> {
                    known.leftByDeviceCode();
                    cq.release();
                });
        describe(completions, into);
    }

    @Override
    public void export(CompletionQueue cq, RingExport into) {
        CqRing ring = Mlx5Cq.ringOf(cq);
        if (ring == null) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    "export_ring",
                    "libmlx5 reads this completion queue; device code needs one of the Java data path"
                            + " (io.verbs4j.mlx5.path=java)");
        }
        describe(ring.handOver(Integer.MAX_VALUE), into);
        into.onRelease(ring::release);
    }

    @Override
    public void export(Object queue, RingExport into) {
        if (!(queue instanceof DevxQueuePair qp)) {
            RingSource.super.export(queue, into);
            return;
        }
        if (qp.context() != base.context()) {
            throw new VerbsException(Errno.EINVAL, "export_ring", "the queue pair belongs to another context");
        }
        if (!HANDED_OVER.add(qp)) {
            throw new VerbsException(Errno.EBUSY, "export_ring", "the queue pair was handed over before");
        }
        into.sends(qp.qpNum(), OPERATIONS, qp.sends(), qp.places(), qp.placeSize(), qp.places())
                .record(qp.record(), RECORDS)
                .bell(qp.register(), REGISTER, 0)
                .completions(qp.cqNum(), qp.completions(), qp.places(), qp.placeSize(), qp.cqRecord(), 0);
        if (qp.hostAddress() != 0) {
            into.proxy(new HostBell(qp), false);
        }
    }

    /** Rings for lanes, in memory that this process sees, too. */
    private record HostBell(DevxQueuePair qp, long sends, long record, Doorbell bell) implements LongConsumer {
        HostBell(DevxQueuePair qp) {
            this(
                    qp,
                    qp.hostAddress() + (qp.sends() - qp.completions()),
                    qp.hostAddress() + (qp.record() - qp.completions()),
                    new Doorbell(qp.register(), 0, true, false, false));
        }

        @Override
        public void accept(long upto) {
            long last = sends + ((upto - 1) & (qp.places() - 1)) * qp.placeSize();
            bell.ring(record + Integer.BYTES, Integer.reverseBytes((int) upto & 0xffff), NativeMemory.getLong(last));
        }
    }

    private static void describe(HandedCompletions from, RingExport into) {
        into.completions(
                from.number(),
                from.buf(),
                from.count(),
                from.size(),
                from.record(),
                Integer.toUnsignedLong(from.consumed()));
    }

    @Override
    public int number(AddressHandle ah) {
        throw new VerbsException(
                Errno.EOPNOTSUPP, "device_peer", "device code posts only to connected queue pairs of mlx5");
    }
}
