/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.bench;

import io.verbs4j.Context;
import io.verbs4j.Mtu;
import io.verbs4j.PortAttr;
import io.verbs4j.efadv.EfaDv;
import io.verbs4j.tools.base.ToolException;
import io.verbs4j.tools.device.Efa;
import io.verbs4j.tools.text.Printable;
import io.verbs4j.tools.traffic.Limits;
import io.verbs4j.tools.traffic.PathOptions;
import io.verbs4j.tools.traffic.Service;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What to measure, and how. */
public final class BenchOptions {
    private static final int DEFAULT_DEPTH = 64;
    private static final int MOST_DEPTH = 1024;
    private static final int ATOMIC_SIZE = 8;
    private static final int BANDWIDTH_SIZE = 65536;
    private static final int LATENCY_SIZE = 64;
    private static final double WARM_UP_SECONDS = 3;

    // picocli writes these fields.

    /** At most one of the two. */
    static final class Measure {
        @Option(names = "--lat", description = "latency: one operation at a time")
        boolean latency;

        @Option(names = "--bw", description = "bandwidth: up to --depth operations in flight (default)")
        boolean bandwidth;
    }

    /** At most one of the two. */
    static final class Sizes {
        @Option(
                names = {"-s", "--size"},
                paramLabel = "BYTES",
                converter = SizeConverter.class,
                description =
                        "size; K and M stand for 1024 and 1048576 (default: 64K, or 64 with --lat; ud: at most the MTU;"
                                + " srd: at most the device's limit)")
        Integer size;

        @Option(
                names = "--all",
                description = "all powers of two from 2 bytes to 8M (ud: to the MTU; srd: to the device's limit)")
        boolean all;
    }

    /** At most one of the two. */
    static final class Length {
        @Option(
                names = {"-n", "--iters"},
                paramLabel = "COUNT",
                description = "number of operations to measure for each size")
        Integer iterations;

        @Option(
                names = "--duration",
                paramLabel = "SECONDS",
                description = "how long to measure each size (default: 1)")
        Double seconds;
    }

    @Mixin
    PathOptions path = new PathOptions();

    @ArgGroup
    Measure measure = new Measure();

    @ArgGroup
    Sizes sizes = new Sizes();

    @ArgGroup
    Length length = new Length();

    @Option(
            names = "--warm-up",
            paramLabel = "SECONDS",
            description =
                    "how long to warm up before the first size (default: 3; later sizes warm up for a fifth of the"
                            + " time, at most half a second, or a tenth of the operations, at most 1000)")
    Double warmUpSeconds;

    @Option(
            names = {"-c", "--qp"},
            paramLabel = "SERVICE",
            description = "rc, uc, ud or srd (EFA only; default: rc)",
            defaultValue = "rc")
    String qp;

    @Option(
            names = "--depth",
            paramLabel = "COUNT",
            description = "operations in flight (default: 64; fewer if large ones would need more than 64 MiB)")
    Integer depth;

    @Option(
            names = "--verify",
            negatable = true,
            defaultValue = "true",
            fallbackValue = "true",
            description = "verify all data that arrives (default); --no-verify verifies none")
    boolean verify;

    @Option(
            names = {"-m", "--mtu"},
            paramLabel = "BYTES",
            description = "path MTU (default: the lower of the two ports')")
    Integer mtu;

    @Option(
            names = "--timestamps",
            description =
                    "with --lat: measure by the device's clock, from the post to the completion's time stamp; not for"
                            + " write, whose target gets no completion")
    boolean timestamps;

    Service service() {
        Service service = Service.of(qp.toLowerCase(Locale.ROOT)); // perftest writes them in capitals
        if (service == null || service == Service.SRQ) {
            throw ToolException.usage("--qp " + qp + ": the services are rc, uc, ud and srd");
        }
        return service;
    }

    /** Refuses invalid values, and says which are valid. */
    void validate() {
        service();
        path.validate();
        path.validateCm(service(), mtu != null);
        Limits.checkMtu(mtu);
        Limits.checkTime("--duration", length.seconds, false);
        Limits.checkTime("--warm-up", warmUpSeconds, true);
        if (depth != null) {
            Limits.check("--depth", depth, 1, MOST_DEPTH);
        }
        if (length.iterations != null) {
            Limits.check("-n", length.iterations, 1, Integer.MAX_VALUE);
        }
        if (sizes.size != null) {
            Limits.check("-s", sizes.size, 1, Step.LONGEST);
        }
    }

    Settings settings() {
        return new Settings(path, mtu == null ? 0 : mtu, timestamps);
    }

    Session.Limit limit() {
        long warmUp = nanos(warmUpSeconds == null ? WARM_UP_SECONDS : warmUpSeconds);
        return length.iterations != null
                ? new Session.Limit(length.iterations, 0, warmUp)
                : new Session.Limit(0, Math.max(1, nanos(length.seconds == null ? 1 : length.seconds)), warmUp);
    }

    private static long nanos(double seconds) {
        return (long) (seconds * 1e9);
    }

    /** {@return the requested steps} */
    List<Step> steps(Operation operation, Context context) {
        Service service = service();
        if (!operation.works(service)) {
            throw ToolException.usage(
                    "--qp " + qp + " does not support " + operation.label() + "; use it with " + operation.services());
        }
        int most = longest(operation, service, context);
        if (operation == Operation.WRITE && measure.latency && path.events()) {
            throw ToolException.usage("-e: a write raises no event at its target; leave out -e with write --lat");
        }
        if (timestamps && (!measure.latency || operation == Operation.WRITE)) {
            throw ToolException.usage("--timestamps works only with --lat and send, read or atomic");
        }
        List<Step> steps = new ArrayList<>();
        for (int size : sizes(operation, most)) {
            steps.add(
                    Step.of(operation, service, measure.latency, size, depth == null ? DEFAULT_DEPTH : depth, verify));
        }
        return steps;
    }

    /** {@return the longest message of the device} */
    private int longest(Operation operation, Service service, Context context) {
        if (service != Service.UD && service != Service.SRD) {
            return Step.LONGEST;
        }
        PortAttr port = context.queryPort(path.port());
        if (service == Service.UD) {
            return Settings.usualMtu(path, Mtu.toBytes(port.activeMtu()));
        }
        EfaDv efa = Efa.of(context);
        if (efa == null) {
            throw ToolException.notAvailable("--qp " + qp + ": SRD needs an EFA device, and "
                    + Printable.of(context.device().name()) + " is not one; 'verbs devices' lists the devices");
        }
        long most = operation == Operation.SEND
                ? port.maxMsgSz()
                : Integer.toUnsignedLong(efa.queryDevice().maxRdmaSize());
        return (int) Math.min(Step.LONGEST, most);
    }

    private List<Integer> sizes(Operation operation, int most) {
        if (operation == Operation.ATOMIC) {
            if (sizes.size != null && sizes.size != ATOMIC_SIZE) {
                throw ToolException.usage("-s " + sizes.size + ": an atomic is always 8 bytes");
            }
            return List.of(ATOMIC_SIZE);
        }
        if (sizes.size != null && sizes.size > most) {
            throw ToolException.usage("-s " + sizes.size
                    + (service() == Service.UD
                            ? ": a datagram is one packet, and the port's MTU is "
                            : ": the longest " + operation.label() + " over SRD on this device is ")
                    + most);
        }
        if (!sizes.all) {
            int usual = measure.latency ? LATENCY_SIZE : BANDWIDTH_SIZE;
            return List.of(sizes.size != null ? sizes.size : Math.min(usual, most));
        }
        List<Integer> all = new ArrayList<>();
        for (int size = 2; size <= most; size *= 2) {
            all.add(size);
        }
        return all;
    }

    /** {@return the command line of the server process} */
    List<String> serverArguments(String deviceName) {
        List<String> a = new ArrayList<>(List.of("bench", "--server", "--child"));
        a.addAll(path.forPeer(deviceName));
        if (mtu != null) {
            a.addAll(List.of("-m", "" + mtu));
        }
        return a;
    }
}
