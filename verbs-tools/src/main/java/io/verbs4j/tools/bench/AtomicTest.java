/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.bench;

import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.tools.base.ToolException;
import java.nio.ByteOrder;

/**
 * Atomics on a number at the server, alternating between fetch and add of 1, and compare and swap that also adds 1.
 * Each returns the former value, so the client knows what it must be, and the server what the number must be in the
 * end.
 */
final class AtomicTest implements Test {
    private static final int LENGTH = 8;

    private final Side side;
    private final Step step;

    AtomicTest(Side side) {
        this.side = side;
        this.step = side.step;
    }

    @Override
    public long client(Meter meter) {
        long posted = 0;
        long done = 0;
        long before = 0;
        while (meter.wantsMore() || done < posted) {
            while (meter.wantsMore() && posted - done < step.depth()) {
                before = side.stopwatch.start();
                post(posted);
                meter.posted();
                posted++;
            }
            int n = side.awaitOwn();
            long after = side.stopwatch.end(side.completions().get(0).completionTs());
            for (int i = 0; i < n; i++) {
                WorkCompletion wc = side.completions().get(i);
                if (step.latency()) {
                    meter.took(side.stopwatch.nanos(before, after));
                }
                check(
                        number(Layout.out(step, wc.wrId() % step.depth())),
                        wc.wrId(),
                        "atomic " + wc.wrId() + " returned");
                meter.completed();
                done++;
            }
        }
        return posted;
    }

    private void post(long value) {
        boolean add = value % 2 == 0;
        side.request.compareAdd(add ? 1 : value).swap(value + 1);
        side.postRemote(
                add ? WrOpcode.ATOMIC_FETCH_AND_ADD : WrOpcode.ATOMIC_CMP_AND_SWP,
                value,
                Layout.out(step, value % step.depth()),
                Layout.in(step, 0),
                LENGTH);
    }

    private void check(long found, long expected, String what) {
        if (!step.verify()) {
            return;
        }
        if (found != expected) {
            throw ToolException.failed("data mismatch: " + what + " " + found + " where " + expected + " was expected");
        }
        side.verified(LENGTH);
    }

    /** {@return the number at an offset} Devices keep it in the native byte order. */
    private long number(int offset) {
        long littleEndian = side.buffer.getLong(offset);
        return ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? littleEndian : Long.reverseBytes(littleEndian);
    }

    @Override
    public void prepareServer() {
        side.buffer.putLong(Layout.in(step, 0), 0);
    }

    @Override
    public long server() {
        long sent = Control.number(side.control.receive("stop"), "sent");
        check(number(Layout.in(step, 0)), sent, "the final number is");
        return sent;
    }
}
