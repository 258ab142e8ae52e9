/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.rxedv.RxeDv;
import java.util.Objects;

/**
 * Registers the counters of an open device with a meter registry. They are read when the registry is, so messages cost
 * nothing more. The counters of {@link RxeDv#counters} become:
 *
 * <table>
 * <caption>meters</caption>
 * <tr><th>meter<th>counts<th>tags in addition to {@code device}
 * <tr><td>{@code verbs4j.packets}<td>packets through sockets<td>{@code direction}: rx, tx
 * <tr><td>{@code verbs4j.bytes}<td>their bytes (unit: bytes), and bytes transferred by one copy <td>{@code direction};
 * {@code way}: packets, onecopy
 * <tr><td>{@code verbs4j.drops}<td>dropped packets<td>{@code direction}; {@code reason}
 * <tr><td>{@code verbs4j.events}<td>everything else: retransmissions, acknowledgements that request them, overruns
 * <td>{@code event}, the counter's name
 * </table>
 *
 * <p>There are as many meters as the device has counters: no tag names a queue pair or a peer. They refer to the
 * device's counters, not to the context, and keep their values when it is closed. Thread-safe.
 */
public final class DeviceMetrics implements MeterBinder {
    private static final String DIRECTION = "direction";

    private final RxeDv device;
    private final Tags tags;

    /**
     * Creates the meters of a device.
     *
     * @param context the open device, an embedded one
     * @throws VerbsException {@link Errno#EOPNOTSUPP} if the device has no such counters: the kernel counts for
     *     adapters, see {@code /sys/class/infiniband/DEVICE/ports/PORT/counters}
     */
    public DeviceMetrics(Context context) {
        this(context, Tags.empty());
    }

    /**
     * Creates the meters of a device with more tags.
     *
     * @param context the open device, an embedded one
     * @param more tags that each meter gets in addition to its own
     * @throws VerbsException {@link Errno#EOPNOTSUPP} if the device has no such counters
     */
    public DeviceMetrics(Context context, Iterable<Tag> more) {
        Objects.requireNonNull(context, "context");
        device = context.vendor(RxeDv.class);
        tags = Tags.of("device", context.device().name()).and(more);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        for (String counter : device.counters().keySet()) {
            bind(registry, counter);
        }
    }

    private void bind(MeterRegistry registry, String counter) {
        String direction = counter.split("_", -1)[0];
        boolean moves = "rx".equals(direction) || "tx".equals(direction);
        String what = moves ? counter.substring(direction.length() + 1) : counter;
        Tags its = moves ? tags.and(DIRECTION, direction) : tags;
        switch (what) {
            case "packets" -> meter(registry, counter, "packets", "packets", its);
            case "bytes" -> meter(registry, counter, "bytes", "bytes", its.and("way", "packets"));
            case "onecopy_bytes" -> meter(registry, counter, "bytes", "bytes", its.and("way", "onecopy"));
            default -> {
                int drop = what.indexOf("drop_");
                if (moves && drop >= 0) {
                    // drop_full belongs to a socket, onecopy_drop_full to a ring
                    String reason = what.substring(0, drop) + what.substring(drop + "drop_".length());
                    meter(registry, counter, "drops", "packets", its.and("reason", reason));
                } else {
                    meter(registry, counter, "events", null, tags.and("event", counter));
                }
            }
        }
    }

    private void meter(MeterRegistry registry, String counter, String name, String unit, Tags its) {
        // The registry refers weakly to the object that it is given, so pass the registry itself.
        FunctionCounter.builder("verbs4j." + name, registry, asked -> value(counter))
                .tags(its)
                .baseUnit(unit)
                .register(registry);
    }

    private double value(String counter) {
        return device.counters().getOrDefault(counter, 0L);
    }
}
