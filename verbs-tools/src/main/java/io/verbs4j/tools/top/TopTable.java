/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.top;

import io.verbs4j.rxedv.RunningDevice;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;

/** Rates of devices, computed from the counters of the previous table. */
final class TopTable {
    private static final double MEGA = 1e6;
    private static final double NANOS = 1e9;

    private record Key(long pid, String device) {}

    private record Seen(Map<String, Long> counters, long nanos) {}

    private record Row(Key key, double sent, double received, double packets, double lost, double again) {}

    private Map<Key, Seen> before = new HashMap<>();

    /**
     * {@return the next table}
     *
     * @param devices the devices and their counters
     * @param nanos time of the counters
     */
    String next(List<RunningDevice> devices, long nanos) {
        Map<Key, Seen> now = new HashMap<>();
        List<Row> rows = new ArrayList<>();
        for (RunningDevice device : devices) {
            Key key = new Key(device.pid(), device.device());
            now.put(key, new Seen(device.counters(), nanos));
            rows.add(row(key, before.get(key), now.get(key)));
        }
        before = now;
        rows.sort(Comparator.comparingDouble((Row row) -> -(row.sent + row.received))
                .thenComparingLong(row -> row.key.pid())
                .thenComparing(row -> row.key.device()));
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "%9s  %-12s %12s %12s %12s %10s %10s%n",
                "PID",
                "DEVICE",
                "SENT MB/s",
                "RECV MB/s",
                "PACKETS/s",
                "DROPS/s",
                "RESENDS/s"));
        for (Row row : rows) {
            text.append(String.format(
                    Locale.ROOT,
                    "%9d  %-12s %12.1f %12.1f %12.0f %10.0f %10.0f%n",
                    row.key.pid(),
                    row.key.device(),
                    row.sent,
                    row.received,
                    row.packets,
                    row.lost,
                    row.again));
        }
        if (rows.isEmpty()) {
            text.append(String.format("no process of this user is exchanging packets%n"));
        }
        return text.toString();
    }

    private static Row row(Key key, Seen then, Seen now) {
        if (then == null) {
            return new Row(key, 0, 0, 0, 0, 0);
        }
        double seconds = (now.nanos - then.nanos) / NANOS;
        return new Row(
                key,
                rate(then, now, seconds, name -> name.startsWith("tx_") && name.endsWith("_bytes")) / MEGA,
                rate(then, now, seconds, name -> name.startsWith("rx_") && name.endsWith("_bytes")) / MEGA,
                rate(then, now, seconds, TopTable::countsPackets),
                rate(then, now, seconds, name -> name.contains("_drop_")),
                rate(then, now, seconds, name -> name.equals("go_backs")));
    }

    private static boolean countsPackets(String name) {
        return name.endsWith("x_packets") || name.endsWith("x_onecopy_records");
    }

    private static double rate(Seen then, Seen now, double seconds, Predicate<String> counted) {
        return (sum(now, counted) - sum(then, counted)) / seconds;
    }

    private static double sum(Seen seen, Predicate<String> counted) {
        return seen.counters.entrySet().stream()
                .filter(entry -> counted.test(entry.getKey()))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }
}
