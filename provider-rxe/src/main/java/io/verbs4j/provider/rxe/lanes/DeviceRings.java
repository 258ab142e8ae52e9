/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.lanes;

import io.verbs4j.AddressHandle;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Errno;
import io.verbs4j.QpAttr;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsException;
import io.verbs4j.devicecode.spi.RingExport;
import io.verbs4j.devicecode.spi.RingSource;
import io.verbs4j.devicecode.spi.VendorCode;
import io.verbs4j.provider.rxe.qp.RxeAddressHandle;
import io.verbs4j.provider.rxe.qp.RxeQueuePair;
import io.verbs4j.provider.rxe.qp.SendOps;
import io.verbs4j.provider.rxe.queue.RxeCompletionQueue;
import io.verbs4j.provider.rxe.queue.RxeCq;
import java.util.function.ToIntFunction;

/**
 * Hands queues of the embedded device over to device code. A thread per ring executes what lanes have written, and
 * writes completions. Loaded only if verbs-device-code is on the path. Thread-safe.
 */
public final class DeviceRings implements RingSource {
    private static final String VERB = "export_ring";

    private static final VendorCode CODE =
            VendorCode.ofResource(VendorCode.EMBEDDED, "embedded", "v4j_embedded.h", DeviceRings.class, 1);

    private final ToIntFunction<RxeCq> users;
    private final LanePeers peers = new LanePeers();

    /**
     * Creates the source of a context.
     *
     * @param users returns how many queue pairs of the context use a completion queue
     */
    public DeviceRings(ToIntFunction<RxeCq> users) {
        this.users = users;
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
    public synchronized void export(QueuePair qp, RingExport into) {
        if (!(qp instanceof RxeQueuePair known) || !(qp.sendCq() instanceof RxeCompletionQueue cq)) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP, VERB, "device code posts only to queue pairs that this process can send with");
        }
        if (known.qp.isClosed()) {
            throw new VerbsException(Errno.EINVAL, VERB, "the queue pair is closed");
        }
        if (known.lanes.isHandedOver()) {
            throw new VerbsException(Errno.EBUSY, VERB, "device code already has this queue pair");
        }
        requireFree(cq);
        if (users.applyAsInt(cq.cq) > 1) {
            throw new VerbsException(
                    Errno.EINVAL,
                    VERB,
                    "other queue pairs use the completion queue; give this queue pair one of its own");
        }
        if (known.qp.unfinishedSends() != 0 || cq.cq.waiting() != 0) {
            throw new VerbsException(Errno.EBUSY, VERB, "requests are outstanding; poll their completions first");
        }
        QpInitAttr init = new QpInitAttr();
        known.qp.tell(new QpAttr(), init);
        int received = qp.recvCq() == cq ? init.cap().maxRecvWr() : 0;
        int most = Math.min(init.cap().maxSendWr(), cq.cqe() - received);
        if (most <= 0) {
            throw new VerbsException(
                    Errno.EINVAL,
                    VERB,
                    "the completion queue has no room for completions of sends; create a larger one");
        }
        int operations = (int) SendOps.of(qp.qpType()) & LaneRequests.OPERATIONS;
        LaneRequests requests = new LaneRequests(known.qp, most, operations, peers);
        LaneCompletions completions = new LaneCompletions(cq.cq, cq.cqe());
        LaneEngine engine = new LaneEngine(requests, completions, "qp " + known.qp.qpNum());
        known.lanes.handOver();
        cq.lanes.handOver();
        into.sends(known.qp.qpNum(), operations, requests.address(), requests.places(), LaneRequests.SIZE, most)
                .proxy(upTo -> {}, false) // lanes say what they want announced; the engine looks there anyway
                .onStart(engine::start)
                .onRelease(() -> {
                    engine.stop();
                    known.lanes.release();
                    cq.lanes.release();
                });
        describe(completions, into);
    }

    @Override
    public synchronized void export(CompletionQueue handle, RingExport into) {
        if (!(handle instanceof RxeCompletionQueue cq)) {
            throw new VerbsException(Errno.EOPNOTSUPP, VERB, "device code cannot read this completion queue");
        }
        requireFree(cq);
        LaneCompletions completions = new LaneCompletions(cq.cq, cq.cqe());
        LaneEngine engine = new LaneEngine(null, completions, "a completion queue");
        cq.lanes.handOver();
        describe(completions, into);
        into.onStart(engine::start).onRelease(() -> {
            engine.stop();
            cq.lanes.release();
        });
    }

    private static void requireFree(RxeCompletionQueue cq) {
        if (cq.cq.isClosed()) {
            throw new VerbsException(Errno.EINVAL, VERB, "the completion queue is closed");
        }
        if (cq.lanes.isHandedOver()) {
            throw new VerbsException(Errno.EBUSY, VERB, "device code already has this completion queue");
        }
    }

    private static void describe(LaneCompletions from, RingExport into) {
        into.completions(0, from.address(), from.places(), LaneCompletions.SIZE, 0, 0);
    }

    @Override
    public int number(AddressHandle ah) {
        if (ah instanceof RxeAddressHandle known) {
            return peers.number(known);
        }
        throw new VerbsException(Errno.EINVAL, "device_peer", "the address handle is not of this device");
    }
}
