/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.pingpong;

import io.verbs4j.tools.text.Percentiles;
import io.verbs4j.tools.traffic.Service;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * What one side of a ping-pong measured.
 *
 * @param service transport service
 * @param size size of a message
 * @param iterations messages each way
 * @param warmUpMessages messages each way of the warm-up, which do not count
 * @param warmUpNanos how long the warm-up took
 * @param nanos how long the counted messages took
 * @param messagesVerified messages that arrived here and were verified
 * @param bytesVerified bytes of them that were compared
 * @param peerIsC whether the peer is one of the C programs
 * @param roundTrips times from sending a message to receiving the answer, in nanoseconds; empty at the server
 */
record PingPongResult(
        Service service,
        int size,
        int iterations,
        long warmUpMessages,
        long warmUpNanos,
        long nanos,
        long messagesVerified,
        long bytesVerified,
        boolean peerIsC,
        Histogram roundTrips) {

    long bytes() {
        return 2L * size * iterations;
    }

    double seconds() {
        return nanos / 1e9;
    }

    double mbitPerSecond() {
        return bytes() * 8 / (nanos / 1e3);
    }

    double usecPerIteration() {
        return nanos / 1e3 / iterations;
    }

    /** {@return a line about the warm-up, or an empty string if there was none} */
    String warmUp() {
        return warmUpMessages == 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        "warm-up: %d messages each way in %.2f seconds, not counted%n",
                        warmUpMessages,
                        warmUpNanos / 1e9);
    }

    /** {@return the last two lines of the C programs} */
    String summary() {
        return String.format(
                Locale.ROOT,
                "%d bytes in %.2f seconds = %.2f Mbit/sec%n%d iters in %.2f seconds = %.2f usec/iter%n",
                bytes(),
                seconds(),
                mbitPerSecond(),
                iterations,
                seconds(),
                usecPerIteration());
    }

    Map<String, Object> json() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("type", service.label());
        map.put("size", size);
        map.put("iterations", iterations);
        map.put("warmUpMessages", warmUpMessages);
        map.put("warmUpSeconds", warmUpNanos / 1e9);
        map.put("bytes", bytes());
        map.put("seconds", seconds());
        map.put("mbitPerSecond", mbitPerSecond());
        map.put("usecPerIteration", usecPerIteration());
        map.put("messagesVerified", messagesVerified);
        map.put("bytesVerified", bytesVerified);
        map.put("peer", peerIsC ? "C" : "verbs4j");
        if (roundTrips.getTotalCount() > 0) {
            map.put("roundTripUsec", Percentiles.json(roundTrips, 1));
        }
        return map;
    }
}
