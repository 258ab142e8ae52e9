/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.pingpong;

import io.verbs4j.tools.base.ToolException;
import io.verbs4j.tools.traffic.Limits;
import io.verbs4j.tools.traffic.PathOptions;
import io.verbs4j.tools.traffic.Service;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of {@code ibv_rc_pingpong(1)} and its relatives, and a few more. */
public final class PingPongOptions {
    private static final int MOST_QUEUE_PAIRS = 255;
    private static final int LONGEST = 1 << 30;
    private static final int MOST_RECEIVES = 1 << 24;
    private static final double WARM_UP_SECONDS = 3;
    private static final int USUAL_MTU = 1024;

    // picocli writes these fields.

    @Mixin
    PathOptions path = new PathOptions();

    @Option(
            names = {"-s", "--size"},
            paramLabel = "BYTES",
            description = "size of a message (default: 4096; ud: 1024)")
    Integer size;

    @Option(
            names = {"-m", "--mtu"},
            paramLabel = "BYTES",
            defaultValue = "" + USUAL_MTU,
            description = "path MTU: 256, 512, 1024, 2048 or 4096 (default: ${DEFAULT-VALUE}; ud: the port's)")
    int mtu;

    @Option(
            names = {"-r", "--rx-depth"},
            paramLabel = "DEPTH",
            description = "receives posted at a time (default: 500; srq: fewer if messages are long)")
    Integer rxDepth;

    @Option(
            names = {"-n", "--iters"},
            paramLabel = "COUNT",
            defaultValue = "1000",
            description = "messages each way (default: ${DEFAULT-VALUE})")
    int iterations;

    @Option(
            names = {"-c", "--chk"},
            description = {
                "send and check what the C programs check with -c: the first byte of every page is 0.",
                "All other bytes are always checked."
            })
    boolean check;

    @Option(
            names = "--write",
            description = {
                "write each message into memory that the peer polls (rc, uc, srd): for devices without receives.",
                "Both sides must use it."
            })
    boolean write;

    @Option(
            names = {"-q", "--num-qp"},
            paramLabel = "COUNT",
            description = "srq: number of queue pairs (default: 16)")
    Integer queuePairs;

    @Option(
            names = "--warm-up",
            paramLabel = "SECONDS",
            description = {
                "with both sides on this machine: how long to warm up before counting (default: 3).",
                "A separate peer counts all messages; there, a large -n makes up for a cold JVM."
            })
    Double warmUpSeconds;

    /** Refuses invalid values, and says which are valid. */
    void validate(Service service) {
        path.validate();
        path.validateCm(service, mtu != USUAL_MTU);
        Limits.checkMtu(mtu);
        Limits.checkTime("--warm-up", warmUpSeconds, true);
        Limits.check("-n", iterations, 1, Integer.MAX_VALUE);
        Limits.check("-s", size(service), 1, LONGEST);
        Limits.check("-r", rxDepth(service), 1, MOST_RECEIVES);
        if (write) {
            validateWrite(service);
        }
        if (queuePairs != null && service != Service.SRQ) {
            throw ToolException.usage("-q is for srq only; " + service.label() + " uses one queue pair");
        }
        Limits.check("-q", queuePairs(), 1, MOST_QUEUE_PAIRS);
        if (service == Service.SRQ && queuePairs() > rxDepth(service)) {
            throw ToolException.usage("-r " + rxDepth(service) + " is too small for " + queuePairs()
                    + " queue pairs: each needs at least one receive");
        }
        if (bufferLength(service) > Integer.MAX_VALUE) {
            throw ToolException.usage("messages of " + size(service) + " bytes and " + rxDepth(service)
                    + " receives need " + (bufferLength(service) >> 20) + " MiB: give a smaller -s, -r or -q");
        }
    }

    private void validateWrite(Service service) {
        if (service == Service.UD || service == Service.SRQ) {
            throw ToolException.usage("--write is for rc, uc and srd; " + service.label() + " needs receives");
        }
        if (check || rxDepth != null || path.events()) {
            throw ToolException.usage(
                    "--write uses no receives and no events, and no C program supports it: leave out -c, -r and -e");
        }
        if (2L * size(service) > Integer.MAX_VALUE) {
            throw ToolException.usage(
                    "-s " + size(service) + ": two messages must fit into " + Integer.MAX_VALUE + " bytes");
        }
    }

    int size(Service service) {
        return size != null ? size : service == Service.UD ? 1024 : 4096;
    }

    int queuePairs() {
        return queuePairs == null ? 16 : queuePairs;
    }

    int queuePairs(Service service) {
        return service == Service.SRQ ? queuePairs() : 1;
    }

    int rxDepth(Service service) {
        if (rxDepth != null) {
            return rxDepth;
        }
        return service == Service.SRQ ? Math.max(queuePairs(), Math.min(500, (64 << 20) / size(service))) : 500;
    }

    /**
     * {@return the number of receive buffers} With one queue pair at most one message is in flight, so all receives
     * share a buffer. Receives of a shared receive queue fill in any order, so each has its own.
     */
    int recvBuffers(Service service) {
        return service == Service.SRQ ? rxDepth(service) : 1;
    }

    long bufferLength(Service service) {
        long size = size(service);
        return queuePairs(service) * size + recvBuffers(service) * (size + service.headroom());
    }

    /** {@return the length of the warm-up with both sides on this machine} */
    long warmUpNanos() {
        return (long) ((warmUpSeconds == null ? WARM_UP_SECONDS : warmUpSeconds) * 1e9);
    }
}
