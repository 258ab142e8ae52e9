/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

/**
 * The number of packets that may be outstanding. It starts at what fits into the receive buffer that Linux gives an
 * ordinary program, grows while all goes well and halves when packets are lost, because the buffer that overflows
 * belongs to someone else and has an unknown size.
 */
final class SendWindow {
    private static final int START_BYTES = 256 << 10;
    private static final int MOST_BYTES = 1 << 20;
    private static final int LEAST = 16;
    private static final int SMALL_START = 64;
    private static final int LARGE_START = 128;
    private static final int STEP = 8;

    private final int most;
    private int size;
    private int passed;

    SendWindow(int mtu) {
        int packets = START_BYTES / mtu;
        size = Math.max(SMALL_START, Math.min(LARGE_START, packets));
        most = size * (MOST_BYTES / START_BYTES);
    }

    int size() {
        return size;
    }

    void arrived(int packets) {
        passed += packets;
        if (passed >= size) {
            passed = 0;
            size = Math.min(most, size + STEP);
        }
    }

    void lost() {
        passed = 0;
        size = Math.max(LEAST, size / 2);
    }
}
