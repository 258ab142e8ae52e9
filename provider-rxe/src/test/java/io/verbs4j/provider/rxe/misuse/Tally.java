/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.misuse;

import java.util.Map;
import java.util.TreeMap;

/** How often each verb succeeded and failed: misuse that never succeeds would show nothing. */
final class Tally {
    private final Map<String, long[]> byVerb = new TreeMap<>();

    void count(String verb, boolean success) {
        byVerb.computeIfAbsent(verb, v -> new long[2])[success ? 0 : 1]++;
    }

    void add(Tally other) {
        other.byVerb.forEach((verb, counts) -> {
            long[] sum = byVerb.computeIfAbsent(verb, v -> new long[2]);
            sum[0] += counts[0];
            sum[1] += counts[1];
        });
    }

    long successes(String verb) {
        long[] counts = byVerb.get(verb);
        return counts == null ? 0 : counts[0];
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        byVerb.forEach((verb, counts) -> text.append(text.length() == 0 ? "" : ", ")
                .append(verb)
                .append(' ')
                .append(counts[0])
                .append('/')
                .append(counts[1]));
        return text.toString();
    }
}
