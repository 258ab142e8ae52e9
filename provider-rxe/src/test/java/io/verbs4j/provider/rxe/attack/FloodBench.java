/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.attack;

import io.verbs4j.Gid;
import io.verbs4j.QpType;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.provider.rxe.TestContext;
import io.verbs4j.provider.rxe.link.Link;
import io.verbs4j.provider.rxe.packet.Subject;
import io.verbs4j.provider.rxe.packet.TransportCounters;
import io.verbs4j.provider.rxe.wire.Opcode;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Not a test: measures RDMA writes between two devices of this JVM, in MiB/s: beside a {@link FloodProgram} to one of
 * them, beside the same flood to a socket that nobody reads, beside a program that only uses as much CPU as the flood,
 * and alone; in turns. Arguments: packets per second, seconds per sample, samples (0: only what a hostile packet costs
 * the side that drops it).
 */
final class FloodBench {
    private static final int MESSAGE = 64 << 10;
    private static final int UNDER_WAY = 8;
    private static final int COST_SAMPLES = 2000;
    private static final int COST_PACKETS = 40; // fits into any receive buffer
    private static final long WARM_UP = 1_000_000_000;

    private enum Load {
        NONE,
        SPIN,
        NOWHERE,
        UNKNOWN_QUEUE_PAIR,
        WRONG_SOURCE
    }

    private final Subject a = new Subject(QpType.RC, null, 1 << 20);
    private final Subject b = new Subject(QpType.RC, null, 1 << 20);
    private final WorkCompletion[] wc = {new WorkCompletion()};
    private int share = 50;

    private FloodBench() {
        a.retryCnt = 7;
        a.connect(b.gid(), b.qp.qpNum(), 1, 1);
        b.connect(a.gid(), a.qp.qpNum(), 1, 1);
        fill();
        run(5 * WARM_UP);
    }

    public static void main(String[] args) throws IOException {
        int rate = args.length > 0 ? Integer.parseInt(args[0]) : 200_000;
        long nanos = (long) (1e9 * (args.length > 1 ? Double.parseDouble(args[1]) : 3));
        int samples = args.length > 2 ? Integer.parseInt(args[2]) : 7;
        FloodBench bench = new FloodBench();
        bench.costs();
        Load[] loads = Load.values();
        double[][] speeds = new double[loads.length][samples];
        if (samples == 0) {
            System.exit(0);
        }
        for (int n = 0; n < samples; n++) {
            for (int i = loads.length - 1; i >= 0; i--) { // the flood before the load of equal weight
                speeds[i][n] = bench.sample(loads[i], rate, nanos);
            }
        }
        for (int i = 0; i < loads.length; i++) {
            double[] s = speeds[i];
            Arrays.sort(s);
            System.out.printf(
                    Locale.ROOT,
                    "%-20s median %7.1f MiB/s [%.1f - %.1f]%n",
                    loads[i],
                    s[samples / 2],
                    s[0],
                    s[samples - 1]);
        }
        System.exit(0);
    }

    /** Measures the CPU time a hostile packet costs the receiving thread, including system time. */
    private void costs() {
        drain();
        Gid stranger = Gid.of(TestContext.newAddress());
        for (int payload : new int[] {32, 1024, 4096}) {
            cost("unknown queue pair", new Intruder(stranger, b.gid(), b.qp.qpNum() ^ 1), payload);
            cost("wrong source", new Intruder(stranger, b.gid(), b.qp.qpNum()), payload);
        }
        fill();
    }

    private void cost(String what, Intruder intruder, int payload) {
        double[] samples = new double[COST_SAMPLES];
        byte[] data = new byte[payload];
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        WorkCompletion[] none = {};
        for (int i = -COST_SAMPLES; i < COST_SAMPLES; ) {
            long before = hostile();
            for (int n = 0; n < COST_PACKETS; n++) {
                intruder.send(Opcode.RC_SEND_ONLY, n, data, null);
            }
            boolean alone = hostile() == before; // otherwise a thread of the device has received some
            long cpu = threads.getCurrentThreadCpuTime();
            while (hostile() < before + COST_PACKETS) {
                b.cq.poll(0, none);
            }
            if (alone && ++i > 0) {
                samples[i - 1] = (double) (threads.getCurrentThreadCpuTime() - cpu) / COST_PACKETS;
            }
        }
        intruder.close();
        Arrays.sort(samples);
        System.out.printf(
                Locale.ROOT,
                "%s, %d bytes: %.0f ns [%.0f - %.0f]%n",
                what,
                payload,
                samples[COST_SAMPLES / 2],
                samples[COST_SAMPLES / 4],
                samples[COST_SAMPLES * 3 / 4]);
    }

    private void fill() {
        for (int i = 0; i < UNDER_WAY; i++) {
            post();
        }
    }

    private void drain() {
        for (int done = 0; done < UNDER_WAY; ) {
            b.cq.poll(1, wc);
            done += a.cq.poll(1, wc);
        }
    }

    private void post() {
        a.post(a.wr(WrOpcode.RDMA_WRITE, 1, 0, MESSAGE).remoteAddr(b.mr.addr()).rkey(b.mr.rkey()));
    }

    /** Writes for a time; returns the bytes. */
    private long run(long nanos) {
        long bytes = 0;
        long end = System.nanoTime() + nanos;
        while (System.nanoTime() < end) {
            b.cq.poll(1, wc);
            if (a.cq.poll(1, wc) == 1) {
                if (wc[0].status() != WcStatus.SUCCESS) {
                    throw new AssertionError(WcStatus.toString(wc[0].status()));
                }
                bytes += MESSAGE;
                post();
            }
        }
        return bytes;
    }

    private double sample(Load load, int rate, long nanos) throws IOException {
        Process other = load == Load.NONE ? null : start(load, rate);
        run(WARM_UP);
        Duration before = cpu(other);
        long hostile = hostile();
        long overrun = overrun();
        Duration own = ownCpu();
        long start = System.nanoTime();
        long bytes = run(nanos);
        double seconds = (System.nanoTime() - start) / 1e9;
        double speed = bytes / seconds / (1 << 20);
        int percent = (int) (cpu(other).minus(before).toNanos() / seconds / 1e7);
        if (load == Load.UNKNOWN_QUEUE_PAIR) {
            share = percent;
        }
        System.out.printf(
                Locale.ROOT,
                "%-20s %7.1f MiB/s; other program %3d %% of a processor; own %.1f ms for a MiB; %7.0f hostile"
                        + " packets/s, %d overrun%n",
                load,
                speed,
                percent,
                ownCpu().minus(own).toNanos() / 1e6 / (bytes / (double) (1 << 20)),
                (hostile() - hostile) / seconds,
                overrun() - overrun);
        if (other != null) {
            other.destroy();
        }
        return speed;
    }

    private Process start(Load load, int rate) throws IOException {
        String address = b.gid().toInetAddress().getHostAddress();
        int unknown = b.qp.qpNum() ^ 1;
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                FloodProgram.class.getName()));
        command.addAll(
                switch (load) {
                    case SPIN -> List.of("spin", "" + share);
                    case NOWHERE -> List.of("nowhere", "" + rate);
                    case UNKNOWN_QUEUE_PAIR -> List.of("packets", address, "" + unknown, "" + rate);
                    default -> List.of("packets", address, "" + b.qp.qpNum(), "" + rate);
                });
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        process.getInputStream().read(); // it has started
        return process;
    }

    private long hostile() {
        TransportCounters c = b.counters();
        return c.get(TransportCounters.UNKNOWN_QP) + c.get(TransportCounters.WRONG_SOURCE);
    }

    private long overrun() {
        long sum = 0;
        for (Link link : b.context.port().openLinks()) {
            sum += link.counters().get("rx_overrun");
        }
        return sum;
    }

    private static Duration cpu(Process process) {
        return process == null
                ? Duration.ZERO
                : process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    private static Duration ownCpu() {
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return Duration.ofNanos(system.getProcessCpuTime());
    }
}
