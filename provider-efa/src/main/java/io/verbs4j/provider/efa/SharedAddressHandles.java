/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa;

import io.verbs4j.Gid;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * One {@code struct ibv_ah} for each destination of a protection domain, however many handles programs make: the device does not want a second
 * one. Thread-safe.
 */
final class SharedAddressHandles {
    private record Way(Object domain, Gid to) {}

    private final Map<Way, Long> handles = new HashMap<>();
    private final Map<Long, Integer> users = new HashMap<>();
    private final Map<Long, Way> ways = new HashMap<>();

    /** One more user of the handle to an address, which is made where there is none. */
    synchronized long get(Object domain, Gid to, LongSupplier make) {
        Way way = new Way(domain, to);
        Long known = handles.get(way);
        long ah = known == null ? make.getAsLong() : known;
        if (known == null) {
            handles.put(way, ah);
            ways.put(ah, way);
        }
        users.merge(ah, 1, Integer::sum);
        return ah;
    }

    /** One user less; the last one has it destroyed. Where that fails, he is still there. */
    synchronized void giveBack(long ah, LongConsumer destroy) {
        int left = users.get(ah) - 1;
        if (left > 0) {
            users.put(ah, left);
            return;
        }
        destroy.accept(ah);
        users.remove(ah);
        handles.remove(ways.remove(ah));
    }
}
