/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AccessFlags;
import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.ContextOps;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsObject;
import io.verbs4j.core.Background;
import io.verbs4j.core.Fakes;
import io.verbs4j.core.discovery.Library;
import io.verbs4j.core.discovery.TimeLimit;
import io.verbs4j.testsupport.Patience;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several threads make, use and close the same objects; the provider watches that the library keeps its promises. */
@Timeout(Patience.TEST_SECONDS)
class ConcurrencyTest {
    private static final int THREADS = 4;

    /** Counts what is alive, and notes each broken promise. */
    private static final class Watchful implements ContextOps {
        private final Context context;
        private final Set<VerbsObject> alive = Collections.newSetFromMap(new IdentityHashMap<>());
        private final Set<CompletionQueue> changing = new HashSet<>();
        final Queue<String> broken = new ConcurrentLinkedQueue<>();

        Watchful(Context context) {
            this.context = context;
        }

        private synchronized <T extends VerbsObject> T born(T object) {
            alive.add(object);
            return object;
        }

        private synchronized void mustLive(VerbsObject object, String use) {
            if (!alive.contains(object)) {
                broken.add(use + " of a dead " + object.getClass().getSimpleName());
            }
        }

        private synchronized void die(VerbsObject object) {
            if (!alive.remove(object)) {
                broken.add("second death of a " + object.getClass().getSimpleName());
            }
        }

        synchronized int living() {
            return alive.size();
        }

        @Override
        public ProtectionDomain allocPd() {
            return born(new Fakes.FakePd(context));
        }

        @Override
        public void deallocPd(ProtectionDomain pd) {
            synchronized (this) {
                for (VerbsObject o : alive) {
                    if (o instanceof MemoryRegion mr && mr.pd() == pd || o instanceof QueuePair qp && qp.pd() == pd) {
                        broken.add("death of a domain in use");
                    }
                }
            }
            die(pd);
        }

        @Override
        public MemoryRegion regMr(ProtectionDomain pd, long addr, long length, int access) {
            mustLive(pd, "reg_mr");
            LockSupport.parkNanos(1);
            MemoryRegion mr = born(new Fakes.FakeMr(pd, addr, length, access));
            mustLive(pd, "reg_mr");
            return mr;
        }

        @Override
        public void deregMr(MemoryRegion mr) {
            die(mr);
        }

        @Override
        public CompletionQueue createCq(int cqe, Object userContext, CompletionChannel channel, int compVector) {
            return born(new Fakes.FakeCq(context, cqe, userContext, channel));
        }

        @Override
        public void resizeCq(CompletionQueue cq, int cqe) {
            synchronized (this) {
                if (!changing.add(cq)) {
                    broken.add("two changes at once");
                }
            }
            mustLive(cq, "resize_cq");
            LockSupport.parkNanos(1);
            mustLive(cq, "resize_cq");
            synchronized (this) {
                changing.remove(cq);
            }
        }

        @Override
        public void destroyCq(CompletionQueue cq) {
            synchronized (this) {
                for (VerbsObject o : alive) {
                    if (o instanceof QueuePair qp && qp.sendCq() == cq) {
                        broken.add("death of a queue in use");
                    }
                }
            }
            die(cq);
        }

        @Override
        public QueuePair createQp(ProtectionDomain pd, QpInitAttr attr) {
            mustLive(pd, "create_qp");
            mustLive(attr.sendCq(), "create_qp");
            LockSupport.parkNanos(1);
            QueuePair qp = born(new Fakes.FakeQp(pd, attr, 1));
            mustLive(pd, "create_qp");
            mustLive(attr.sendCq(), "create_qp");
            return qp;
        }

        @Override
        public void destroyQp(QueuePair qp) {
            die(qp);
        }
    }

    @Test
    void nothingDanglesWhileParentsAndChildrenComeAndGo() throws Exception {
        Fakes.FakeDevice device = new Fakes.FakeDevice("busy0");
        Fakes.FakeProvider provider = new Fakes.FakeProvider("busy", device);
        List<Watchful> made = new ArrayList<>();
        provider.opener = (d, c) -> {
            made.add(new Watchful(c));
            return made.get(0);
        };
        Context context = new Library(() -> List.of(provider.found()), TimeLimit::ofProperty).open(device, 1);
        Watchful watch = made.get(0);
        AtomicInteger unexpected = new AtomicInteger();
        AtomicInteger succeeded = new AtomicInteger();

        for (int round = 0; round < 150; round++) {
            ProtectionDomain pd = context.allocPd();
            CompletionQueue cq = context.createCq(4);
            CyclicBarrier start = new CyclicBarrier(THREADS);
            List<Background<Void>> threads = new ArrayList<>();
            for (int t = 0; t < THREADS; t++) {
                Random random = new Random(round * 31L + t);
                threads.add(Background.call(() -> {
                    start.await();
                    for (int i = 0; i < 12; i++) {
                        try {
                            step(random.nextInt(5), pd, cq);
                            succeeded.incrementAndGet();
                        } catch (VerbsException e) {
                            if (e.errno() != Errno.EBUSY && e.errno() != Errno.EINVAL) {
                                unexpected.incrementAndGet();
                            }
                        }
                    }
                    return null;
                }));
            }
            for (Background<Void> thread : threads) {
                assertThat(thread.thrown()).isNull();
            }
            cq.close();
            pd.close();
        }

        assertThat(watch.broken).isEmpty();
        assertThat(unexpected).hasValue(0);
        assertThat(succeeded.get()).isGreaterThan(THREADS * 150);
        assertThat(watch.living()).isZero();
        context.close();
    }

    private static void step(int what, ProtectionDomain pd, CompletionQueue cq) {
        switch (what) {
            case 0 -> pd.regMr(0x1000, 16, AccessFlags.LOCAL_WRITE).close();
            case 1 -> pd.createQp(Rig.qpInit(cq, QpType.RC)).close();
            case 2 -> cq.resize(8);
            case 3 -> pd.close();
            default -> cq.close();
        }
    }
}
