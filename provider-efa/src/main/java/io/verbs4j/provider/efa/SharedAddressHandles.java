/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa;

import io.verbs4j.Gid;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Shares one {@code struct ibv_ah} for each destination of a protection domain, however many handles the program
 * creates: the device does not expect a second one. Thread-safe.
 */
final class SharedAddressHandles {
    private record Way(Object domain, Gid to) {}

    private final Map<Way, Long> handles = new HashMap<>();
    private final Map<Long, Integer> users = new HashMap<>();
    private final Map<Long, Way> ways = new HashMap<>();

    /** Returns the handle of a destination and adds a reference. Creates the handle if there is none. */
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

    /** Drops a reference; the last one destroys the handle. On failure the reference is kept. */
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
