/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.traffic.programs;

import io.verbs4j.Gid;
import io.verbs4j.QueuePair;
import io.verbs4j.rdmacore.sim.Check;
import io.verbs4j.rdmacore.sim.Simulator;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Two processes with a device each write to each other in turn and check what arrives. The first starts the second, and
 * they exchange numbers and addresses as lines of text. A thread of the simulator drives each device.
 */
public final class TwoProcessesProgram {
    private static final int ROUNDS = 100;
    private static final int THERE = 1 << 20;
    private static final long PATIENCE_NANOS = 60_000_000_000L;

    private final GaudiRig side;
    private final BufferedReader in;
    private final PrintStream out;
    private final boolean first;

    private TwoProcessesProgram(GaudiRig side, BufferedReader in, PrintStream out, boolean first) {
        this.side = side;
        this.in = in;
        this.out = out;
        this.first = first;
    }

    public static void main(String... args) throws Exception {
        if (args.length > 0) {
            run(1, System.in, System.out);
            return;
        }
        Process other = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseParallelGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        TwoProcessesProgram.class.getName(),
                        "second"))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            run(0, other.getInputStream(), new PrintStream(other.getOutputStream(), true, StandardCharsets.UTF_8));
            Check.equal(0, other.waitFor(), "exit of the other process");
        } finally {
            other.destroyForcibly();
        }
        System.out.println("two processes ok");
    }

    private static void run(int device, InputStream from, PrintStream to) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(from, StandardCharsets.UTF_8));
        for (int port : new int[] {GaudiRig.INTERNAL, GaudiRig.EXTERNAL}) {
            try (GaudiRig side = new GaudiRig(device, port, 16);
                    QueuePair qp = side.qp(15)) {
                new TwoProcessesProgram(side, lines, to, device == 0).play(qp);
            }
        }
        Simulator.requireClean();
    }

    private String swap(String line) throws IOException {
        out.println(line);
        String answer = in.readLine();
        Check.require(answer != null, "the other process is gone");
        return answer;
    }

    private void play(QueuePair qp) throws IOException {
        String[] peer = swap(qp.qpNum() + " " + side.mr.addr() + " "
                        + HexFormat.of().formatHex(side.gid().toBytes()))
                .split(" ", -1);
        side.connect(
                qp, Integer.parseInt(peer[0]), Gid.of(HexFormat.of().parseHex(peer[2])), GaudiRig.KEY, GaudiRig.KEY, 7);
        swap("ready");
        long memory = Long.parseLong(peer[1]);
        for (int i = 1; i <= ROUNDS; i++) {
            if (first) {
                write(qp, memory, i);
            }
            await(i);
            if (!first) {
                write(qp, memory, i);
            }
        }
        swap("done");
    }

    private void write(QueuePair qp, long memory, int i) {
        side.memory.putInt(0, i);
        GaudiRig.post(qp, side.write(i, 0, memory + THERE, 4));
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (!side.isDone(i)) {
            Check.require(System.nanoTime() < deadline, "no completion of " + i + ": " + Simulator.message());
            LockSupport.parkNanos(20_000);
        }
    }

    private void await(int i) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (side.come(THERE) != i) {
            Check.require(System.nanoTime() < deadline, "number " + i + " did not arrive: " + Simulator.message());
            LockSupport.parkNanos(20_000);
        }
    }
}
