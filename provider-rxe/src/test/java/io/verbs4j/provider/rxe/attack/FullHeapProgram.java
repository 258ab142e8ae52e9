/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.attack;

import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.provider.rxe.TestContext;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;

/** A program that fills its heap while packets are in flight; started by {@link FullHeapTest}. */
final class FullHeapProgram {
    private static final int BYTES = 8192;
    private static final int UNKNOWN_QPN = 0x7ffff0;

    /** A thread started by JNA, which ends if it lacks memory: not one of ours. */
    private static final String JNAS = "JNA Cleaner";

    private static final AtomicReference<Thread> BROKEN = new AtomicReference<>();
    private static final AtomicReference<Throwable> ESCAPED = new AtomicReference<>();

    private static volatile boolean stopping;
    private static volatile int lastStatus = WcStatus.SUCCESS;
    private static long exchanged;

    private FullHeapProgram() {}

    public static void main(String[] arguments) throws Exception {
        int rounds = Integer.parseInt(arguments[0]);
        Way way = Way.valueOf(arguments[1]);
        Thread.setDefaultUncaughtExceptionHandler(FullHeapProgram::escaped);
        try (TestContext device = way.device();
                ProtectionDomain pd = device.allocPd();
                End a = new End(device, pd, QpType.RC);
                End b = new End(device, pd, QpType.RC);
                MemoryRegion mr = a.register(ByteBuffer.allocateDirect(BYTES))) {
            End.connect(a, b);
            if (way == Way.ONE_COPY) {
                a.awaitOneCopy();
            }
            SendWorkRequest write = End.request(WrOpcode.RDMA_WRITE, mr, mr, BYTES);
            Thread traffic = new Thread(() -> exchange(a, write), "traffic");
            traffic.start();
            for (int i = 0; i < rounds; i++) {
                fill(1000);
                Thread.sleep(200);
            }
            stopping = true;
            traffic.join();
            System.out.println(exchanged + " messages, the last " + WcStatus.toString(lastStatus));
            if (lastStatus != WcStatus.SUCCESS) {
                a.awaitState(QpState.ERR);
            }
            timersGoOn(device, pd, mr);
            trafficGoesOn(device, pd, mr);
        }
        Throwable escaped = ESCAPED.get();
        if (escaped != null) {
            System.err.println("ended by it: " + BROKEN.get());
            escaped.printStackTrace();
            System.exit(1);
        }
        System.out.println("goes on");
        System.exit(0);
    }

    private static void escaped(Thread thread, Throwable e) {
        if (!thread.getName().equals(JNAS)) {
            BROKEN.set(thread);
            ESCAPED.set(e);
        }
    }

    /** Allocates nothing: only the device can fail here. */
    private static void exchange(End a, SendWorkRequest write) {
        WorkCompletion[] wc = {new WorkCompletion()};
        while (!stopping && lastStatus == WcStatus.SUCCESS) {
            int error = a.qp.postSend(write);
            int n = 0;
            while (error == 0 && n == 0) {
                n = a.cq.poll(1, wc);
            }
            lastStatus = error != 0 || n < 0 ? WcStatus.FATAL_ERR : wc[0].status();
            exchanged++;
        }
    }

    /** Allocates everything in ever smaller pieces, and whatever is freed for a while afterwards. */
    private static void fill(long millis) {
        Object[] all = null;
        int size = 1 << 18;
        long full = Long.MAX_VALUE;
        while (full == Long.MAX_VALUE || System.nanoTime() - full < millis * 1_000_000) {
            try {
                Object[] more = new Object[size];
                more[0] = all;
                all = more;
            } catch (OutOfMemoryError e) {
                if (size == 1 && full == Long.MAX_VALUE) {
                    full = System.nanoTime();
                }
                size = Math.max(1, size >> 6);
            }
        }
    }

    private static void timersGoOn(TestContext device, ProtectionDomain pd, MemoryRegion mr) {
        try (End lonely = new End(device, pd, QpType.RC)) {
            lonely.toRts(device, UNKNOWN_QPN);
            lonely.post(End.request(WrOpcode.RDMA_WRITE, mr, mr, BYTES));
            lonely.expect(WcStatus.RETRY_EXC_ERR);
        }
    }

    private static void trafficGoesOn(TestContext device, ProtectionDomain pd, MemoryRegion mr) {
        try (End c = new End(device, pd, QpType.RC);
                End d = new End(device, pd, QpType.RC)) {
            End.connect(c, d);
            d.receive(1, mr, BYTES);
            c.post(End.request(WrOpcode.SEND, mr, mr, BYTES));
            c.expect(WcStatus.SUCCESS);
            d.expect(WcStatus.SUCCESS);
        }
    }
}
