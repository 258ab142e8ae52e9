/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.wire;

import io.verbs4j.benchmarks.harness.Metric;
import io.verbs4j.benchmarks.harness.Rounds;
import io.verbs4j.benchmarks.harness.Side;
import io.verbs4j.benchmarks.harness.Unit;
import io.verbs4j.benchmarks.harness.WarmSide;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** This process and a second one like it, with the transports between them. */
public final class TwoProcesses implements AutoCloseable {
    private static final int START_MILLIS = 30_000;
    private static final int END_SECONDS = 5;

    /** Determined before this process is pinned, since it sees only one processor afterwards. */
    private static final int LAST_PROCESSOR = Runtime.getRuntime().availableProcessors() - 1;

    private final Process process;
    private final Link link;
    private final List<Transport> transports = new ArrayList<>();
    private long seed;

    /**
     * Restricts the embedded device to packets: the second process can then not be found by one-copy, and does not look
     * for the first.
     */
    private static final String PACKETS = "-Dio.verbs4j.rxe.onecopy=false";

    /**
     * Starts the second process.
     *
     * @param pinned whether to pin the two processes to the first and the last processor
     * @param way how messages of the embedded device travel between the two
     */
    public TwoProcesses(boolean pinned, Way way) throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            server.setSoTimeout(START_MILLIS);
            process = new ProcessBuilder(command(server.getLocalPort(), way))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
            link = new Link(server.accept());
        }
        if (pinned) {
            pin(ProcessHandle.current().pid(), 0);
            pin(process.pid(), LAST_PROCESSOR);
        }
    }

    private static void pin(long pid, int processor) throws IOException {
        Process taskset = new ProcessBuilder(
                        "taskset", "-a", "-p", "-c", Integer.toString(processor), Long.toString(pid))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            if (taskset.waitFor() != 0) {
                throw new IOException("--pin: taskset failed");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the command of this JVM with its arguments. */
    private static List<String> command(int port, Way way) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        if (way == Way.PACKETS) {
            command.add(PACKETS);
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Peer.class.getName()));
        command.add(Integer.toString(port));
        return command;
    }

    /** Opens a side that is measured between two processes. */
    @FunctionalInterface
    public interface Opener {
        /** Opens the side. */
        Side open(TwoProcesses processes) throws Exception;
    }

    /**
     * Compares two sides between a new pair of processes, unless their first metric is left out.
     *
     * @param rounds measures the sides
     * @param way how messages of the embedded device travel
     * @param warmUps number of additional runs of each side before it is measured
     * @param ours our side
     * @param theirs the other side
     * @param metrics the metrics of their values
     * @throws Exception if a side fails, or the data was wrong
     */
    public static void compare(Rounds rounds, Way way, int warmUps, Opener ours, Opener theirs, Metric... metrics)
            throws Exception {
        if (!rounds.measures(metrics[0].what())) {
            return;
        }
        try (TwoProcesses processes = new TwoProcesses(rounds.pinned(), way)) {
            rounds.compare(
                    new WarmSide(ours.open(processes), warmUps),
                    new WarmSide(theirs.open(processes), warmUps),
                    metrics);
        }
    }

    /** Opens a transport at both ends. */
    private int open(TransportType which, int size) throws Exception {
        link.tell(Peer.OPEN + " " + TransportType.label(which) + " " + size);
        transports.add(which.open(link, true, size));
        link.expect(Peer.READY);
        return transports.size() - 1;
    }

    /**
     * Opens a stream of messages in one direction. It measures their rate or the time of each, the processor time of
     * both processes, and the bytes that the sending thread has allocated for each.
     *
     * @param which the transport
     * @param size size of a message in bytes
     * @param unit {@link Unit#MEGABYTES_PER_SECOND}, {@link Unit#NANOSECONDS}, or a rate of messages; with the first,
     *     processor time is in seconds per gigabyte, otherwise in microseconds per message
     */
    public Side stream(TransportType which, int size, Unit unit) throws Exception {
        int index = open(which, size);
        return new Counted() {
            @Override
            double[] run(long messages) throws IOException {
                Transport transport = begin(index, Peer.STREAM, messages);
                long busy = ProcessorTime.nanos();
                long allocated = Allocated.bytes();
                long start = System.nanoTime();
                transport.send(messages);
                allocated = Allocated.bytes() - allocated;
                if (!transport.isOneSided()) {
                    link.expect(Peer.RECEIVED);
                }
                long nanos = System.nanoTime() - start;
                if (transport.isOneSided()) {
                    link.expect(Peer.RECEIVED);
                }
                busy = ProcessorTime.nanos() - busy + end();
                if (transport.isRead()) {
                    transport.check(messages);
                }
                boolean bytes = unit == Unit.MEGABYTES_PER_SECOND;
                return new double[] {
                    nanos,
                    value(nanos, messages, size, unit),
                    (double) busy / messages / (bytes ? size : 1e3),
                    (double) allocated / messages
                };
            }
        };
    }

    private static double value(long nanos, long messages, int size, Unit unit) {
        return switch (unit) {
            case MEGABYTES_PER_SECOND -> 1e3 * messages * size / nanos;
            case NANOSECONDS -> (double) nanos / messages;
            default -> 1e9 * messages / nanos;
        };
    }

    /**
     * Opens a ping-pong, one message at a time. It measures the median and the 99th percentile of the round trip, and
     * the processor time of both processes for each, all in microseconds.
     *
     * @param which the transport
     * @param size size of a message in bytes
     */
    public Side roundTrip(TransportType which, int size) throws Exception {
        int index = open(which, size);
        return new Counted() {
            private final Histogram roundTrips = new Histogram(3);

            @Override
            double[] run(long messages) throws IOException {
                roundTrips.reset();
                Transport transport = begin(index, Peer.ECHO, messages);
                long busy = ProcessorTime.nanos();
                long start = System.nanoTime();
                transport.ping(messages, roundTrips);
                long nanos = System.nanoTime() - start;
                link.expect(Peer.RECEIVED);
                busy = ProcessorTime.nanos() - busy + end();
                transport.check(messages);
                return new double[] {
                    nanos,
                    roundTrips.getValueAtPercentile(50) / 1e3,
                    roundTrips.getValueAtPercentile(99) / 1e3,
                    busy / 1e3 / messages
                };
            }
        };
    }

    /**
     * Opens a transport's own kind of operation, with the values that it returns.
     *
     * @param which the transport
     * @param most maximum number of operations; short measurements have fewer
     * @param perSecond number of operations for each second of a measurement
     */
    public Side performance(TransportType which, int most, int perSecond) throws Exception {
        int index = open(which, 1);
        return seconds -> {
            long operations = Math.max(1, Math.min(most, Math.round(seconds * perSecond)));
            double[] values = begin(index, Peer.ECHO, operations).perform(operations);
            link.expect(Peer.RECEIVED);
            long unused = end();
            return values;
        };
    }

    private Transport begin(int index, String how, long messages) throws IOException {
        Transport transport = transports.get(index);
        transport.prepare(++seed);
        link.tell(how + " " + index + " " + messages + " " + seed);
        link.expect(Peer.READY);
        return transport;
    }

    /** Makes the other end check the received data, and returns its processor time. */
    private long end() throws IOException {
        link.tell(Peer.CHECK);
        String[] words = link.hear().split(" ", -1);
        if (!words[0].equals(Peer.RIGHT)) {
            throw new IOException("the other process sent '" + words[0] + "' instead of '" + Peer.RIGHT + "'");
        }
        return Long.parseLong(words[1]);
    }

    @Override
    public void close() throws IOException {
        try {
            link.tell(Peer.END);
            link.expect(Peer.END); // the peer closes its ends before we close ours
            for (Transport t : transports) {
                t.close();
            }
            process.waitFor(END_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            link.close();
            process.destroyForcibly();
        }
    }

    /**
     * A side whose number of messages both ends must know in advance: the number that took the requested time before.
     */
    private abstract static class Counted implements Side {
        private static final int FIRST = 16;
        private static final double NEAR_ENOUGH = 0.5;
        private static final int MOST_GROWTH = 32;

        private long messages = FIRST;

        /**
         * Moves messages.
         *
         * @return the elapsed nanoseconds, then the values
         */
        abstract double[] run(long messages) throws IOException;

        @Override
        public double[] measure(double seconds) throws IOException {
            double wanted = seconds * 1e9;
            while (true) {
                double[] values = run(messages);
                double nanos = values[0];
                double fits = messages * wanted / nanos;
                messages = Math.max(FIRST, (long) Math.min(fits, (double) messages * MOST_GROWTH));
                if (nanos >= wanted * NEAR_ENOUGH) {
                    return Arrays.copyOfRange(values, 1, values.length);
                }
            }
        }
    }
}
