/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.misuse;

import io.verbs4j.AddressHandle;
import io.verbs4j.AsyncEvent;
import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionCounter;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.Gid;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.MwType;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqInitAttr;
import io.verbs4j.VerbsObject;
import io.verbs4j.WorkCompletion;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/** All handles that the threads of an episode share. */
final class Pool {
    final Shelf<Context> contexts = new Shelf<>("close_device", 3);
    final Shelf<ProtectionDomain> pds = new Shelf<>("dealloc_pd", 5);
    final Shelf<MemoryRegion> mrs = new Shelf<>("dereg_mr", 24);
    final Shelf<MemoryWindow> mws = new Shelf<>("dealloc_mw", 8);
    final Shelf<AddressHandle> ahs = new Shelf<>("destroy_ah", 8);
    final Shelf<CompletionChannel> channels = new Shelf<>("destroy_comp_channel", 6);
    final Shelf<CompletionQueue> cqs = new Shelf<>("destroy_cq", 12);
    final Shelf<SharedReceiveQueue> srqs = new Shelf<>("destroy_srq", 6);
    final Shelf<QueuePair> qps = new Shelf<>("destroy_qp", 16);
    final Shelf<CompletionCounter> counters = new Shelf<>("destroy_comp_cntr", 6);

    /** In the order in which they can be closed. */
    final List<Shelf<? extends VerbsObject>> all =
            List.of(qps, counters, srqs, ahs, mws, mrs, cqs, channels, pds, contexts);

    /** One entry for each completion event received and, as far as is known, not acknowledged. */
    final ConcurrentLinkedQueue<CompletionQueue> completionEvents = new ConcurrentLinkedQueue<>();

    final ConcurrentLinkedQueue<AsyncEvent> asyncEvents = new ConcurrentLinkedQueue<>();

    /** GIDs of the devices' ports, and some that nobody has. */
    final List<Gid> gids;

    /** Work requests that several threads fill and post at once, which programs should not do. */
    final SendWorkRequest[] sharedWrs = {new SendWorkRequest(), new SendWorkRequest()};

    Pool(List<Gid> gids) {
        this.gids = gids;
    }

    /** Returns the GID of the queue pair's port. */
    Gid gidOf(QueuePair qp) {
        int number = qp.context().device().name().endsWith("1") ? 1 : 0;
        return gids.get(number);
    }

    /** Puts handles that no verb has made on the shelves. */
    void makeFakes(Context context) {
        ProtectionDomain pd = new FakeDomain(context);
        pds.fake(pd);
        mrs.fake(new FakeRegion(pd));
        mws.fake(new FakeWindow(pd));
        ahs.fake(new FakeAddressHandle(pd));
        channels.fake(new FakeChannel(context));
        cqs.fake(new FakeCq(context));
        srqs.fake(new FakeSrq(pd));
        qps.fake(new FakeQp(pd));
        counters.fake(new FakeCounter(context));
    }

    private static final class FakeCounter extends CompletionCounter {
        FakeCounter(Context context) {
            super(context);
        }

        @Override
        public long read() {
            return 0;
        }

        @Override
        public long readErr() {
            return 0;
        }

        @Override
        public void set(long value) {
            // nobody reads it
        }

        @Override
        public void setErr(long value) {
            // nobody reads it
        }

        @Override
        public void inc(long amount) {
            // nobody reads it
        }

        @Override
        public void incErr(long amount) {
            // nobody reads it
        }
    }

    private static final class FakeDomain extends ProtectionDomain {
        FakeDomain(Context context) {
            super(context);
        }
    }

    private static final class FakeRegion extends MemoryRegion {
        FakeRegion(ProtectionDomain pd) {
            super(pd, 4096, 4096, ~0, 1, 1);
        }
    }

    private static final class FakeWindow extends MemoryWindow {
        FakeWindow(ProtectionDomain pd) {
            super(pd, MwType.TYPE_1, 1);
        }
    }

    private static final class FakeAddressHandle extends AddressHandle {
        FakeAddressHandle(ProtectionDomain pd) {
            super(pd);
        }
    }

    private static final class FakeChannel extends CompletionChannel {
        FakeChannel(Context context) {
            super(context);
        }
    }

    private static final class FakeCq extends CompletionQueue {
        FakeCq(Context context) {
            super(context, 1, null, null);
        }

        @Override
        public int poll(int numEntries, WorkCompletion[] wc) {
            throw new AssertionError("unexpected call");
        }

        @Override
        public int reqNotify(boolean solicitedOnly) {
            throw new AssertionError("unexpected call");
        }
    }

    private static final class FakeSrq extends SharedReceiveQueue {
        FakeSrq(ProtectionDomain pd) {
            super(pd, new SrqInitAttr());
        }

        @Override
        public int postRecv(RecvWorkRequest wr, RecvWorkRequest[] badWr) {
            throw new AssertionError("unexpected call");
        }
    }

    private static final class FakeQp extends QueuePair {
        FakeQp(ProtectionDomain pd) {
            super(pd, new QpInitAttr(), 1);
        }

        @Override
        public int postSend(SendWorkRequest wr, SendWorkRequest[] badWr) {
            throw new AssertionError("unexpected call");
        }

        @Override
        public int postRecv(RecvWorkRequest wr, RecvWorkRequest[] badWr) {
            throw new AssertionError("unexpected call");
        }

        @Override
        public int bindMw(MemoryWindow mw, MwBind bind) {
            throw new AssertionError("unexpected call");
        }
    }
}
