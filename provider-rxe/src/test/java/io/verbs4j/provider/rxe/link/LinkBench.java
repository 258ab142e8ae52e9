/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import com.sun.management.ThreadMXBean;
import io.verbs4j.Gid;
import io.verbs4j.provider.rxe.wire.Bth;
import io.verbs4j.provider.rxe.wire.Opcode;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Not a test: measures the CPU time of a packet on one thread that sends and receives, including the ICRC. Arguments:
 * sizes of the UDP payload, including the ICRC.
 */
final class LinkBench {
    private static final int BATCH = 60;
    private static final long SAMPLE_NANOS = 40_000_000;
    private static final int SAMPLES = 25;

    private LinkBench() {}

    public static void main(String[] args) {
        int[] sizes = args.length == 0
                ? new int[] {64, 1056, 4128}
                : Arrays.stream(args).mapToInt(Integer::parseInt).toArray();
        LinkOptions udp = LinkOptions.defaults().withKind(LinkOptions.Kind.UDP);
        Map<String, LinkOptions> kinds = new LinkedHashMap<>();
        kinds.put("GSO, GRO", udp);
        kinds.put("GSO", udp.withOffload(true, false));
        kinds.put("neither", udp.withOffload(false, false));
        kinds.put("NIO", LinkOptions.defaults().withKind(LinkOptions.Kind.NIO));
        kinds.put("pipe", null);
        for (int size : sizes) {
            kinds.forEach((name, options) -> measure(name, options, size));
        }
    }

    private static void measure(String name, LinkOptions options, int size) {
        PipeFabric fabric = new PipeFabric();
        try (Link a = options == null ? fabric.open(Gid.of(0, 1)) : Traffic.open(options);
                Link b = options == null ? fabric.open(Gid.of(0, 2)) : Traffic.open(options)) {
            TxBatch batch = a.newBatch();
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            double[] samples = new double[SAMPLES];
            long allocated = 0;
            long packets = 0;
            run(b, batch, size, 10 * SAMPLE_NANOS);
            run(b, batch, size, 10 * SAMPLE_NANOS);
            for (int i = 0; i < SAMPLES; i++) {
                long bytes = threads.getCurrentThreadAllocatedBytes();
                long cpu = threads.getCurrentThreadCpuTime();
                long n = run(b, batch, size, SAMPLE_NANOS);
                samples[i] = (double) (threads.getCurrentThreadCpuTime() - cpu) / n;
                allocated += threads.getCurrentThreadAllocatedBytes() - bytes;
                packets += n;
            }
            Arrays.sort(samples);
            System.out.printf(
                    Locale.ROOT,
                    "%5d B  %-9s  %7.1f ns [%.1f-%.1f] min %.1f  %.4f B/packet%n",
                    size,
                    name,
                    samples[SAMPLES / 2],
                    samples[SAMPLES / 4],
                    samples[SAMPLES * 3 / 4],
                    samples[0],
                    (double) allocated / packets);
        }
    }

    private static long run(Link b, TxBatch batch, int size, long nanos) {
        long n = 0;
        long start = System.nanoTime();
        while (System.nanoTime() - start < nanos) {
            int sent = Math.min(BATCH, TxBatch.MAX_BYTES / size);
            for (int i = 0; i < sent; i++) {
                int at = batch.begin(b.localGid().subnetPrefix(), b.localGid().interfaceId(), size - 4);
                Bth.write(batch.buffer(), at, Opcode.RC_SEND_ONLY, false, false, 0, Bth.DEFAULT_PKEY, 17, false, i);
                batch.end(size - 4);
            }
            batch.flush();
            int got = 0;
            while (got < sent) {
                int now = b.poll(p -> {}, 256);
                if (now == 0) {
                    break; // lost
                }
                got += now;
            }
            n += got;
        }
        return n;
    }
}
