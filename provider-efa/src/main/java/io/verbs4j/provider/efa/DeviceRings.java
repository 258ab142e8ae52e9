/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa;

import io.verbs4j.AddressHandle;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Errno;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsException;
import io.verbs4j.devicecode.spi.RingExport;
import io.verbs4j.devicecode.spi.RingSource;
import io.verbs4j.devicecode.spi.VendorCode;
import io.verbs4j.provider.efa.ring.CqPlace;
import io.verbs4j.provider.efa.ring.CqRing;
import io.verbs4j.provider.efa.ring.EfaAddressHandle;
import io.verbs4j.provider.efa.ring.HandedCompletions;
import io.verbs4j.provider.efa.ring.HandedSends;
import io.verbs4j.rdmacore.object.NativeCompletionQueue;
import io.verbs4j.rdmacore.object.NativeQueuePair;

/** Hands queues of EFA over to device code. Loaded only if verbs-device-code is on the path. Thread-safe. */
final class DeviceRings implements RingSource {
    private static final String VERB = "export_ring";

    private static final VendorCode CODE =
            VendorCode.ofResource(VendorCode.EFA, "efa", "v4j_efa.h", DeviceRings.class, 1);

    private final EfaContext base;

    DeviceRings(EfaContext base) {
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
        if (!(((NativeQueuePair) qp).ibv instanceof EfaRingQp known) || !known.isOpenOf(base)) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    VERB,
                    "libefa posts to this queue pair; device code needs one of the Java data path"
                            + " (io.verbs4j.efa.path=java)");
        }
        CqRing cq = ring(qp.sendCq());
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
                        sends.buffer(),
                        sends.count(),
                        sends.size(),
                        Math.min(sends.count(), completions.place().numEntries() - received))
                .bell(sends.doorbell(), Integer.BYTES, 0)
                .begin(Integer.toUnsignedLong(sends.begin()))
                .phase(sends.phase())
                .batch(sends.batch())
                .unordered()
                .proxy(known.sends()::ringFor, false)
                .onRelease(() -> {
                    known.leftByDeviceCode();
                    cq.release();
                });
        describe(completions, into);
    }

    @Override
    public void export(CompletionQueue cq, RingExport into) {
        CqRing ring = ring(cq);
        describe(ring.handOver(Integer.MAX_VALUE), into);
        into.onRelease(ring::release);
    }

    private CqRing ring(CompletionQueue cq) {
        if (((NativeCompletionQueue) cq).ibv instanceof EfaRingCq known) {
            return known.ring();
        }
        throw new VerbsException(
                Errno.EOPNOTSUPP,
                VERB,
                "libefa reads this completion queue; device code needs one of the Java data path"
                        + " (io.verbs4j.efa.path=java)");
    }

    private static void describe(HandedCompletions from, RingExport into) {
        CqPlace place = from.place();
        into.completions(0, place.buffer(), place.numEntries(), place.entrySize(), place.doorbell(), from.consumed());
    }

    @Override
    public int number(AddressHandle ah) {
        if (ah instanceof EfaAddressHandle known) {
            return known.number;
        }
        throw new VerbsException(
                Errno.EOPNOTSUPP, "device_peer", "device code needs an address handle of the Java data path");
    }
}
