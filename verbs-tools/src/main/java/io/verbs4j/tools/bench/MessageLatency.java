/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.bench;

import io.verbs4j.WcOpcode;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.tools.base.ToolException;

/**
 * Sends one message and waits for one in return; measures the time from posting the one to receiving the other.
 *
 * <p>Messages are filled before the measured time and checked after it: incoming messages use several places in turn.
 */
final class MessageLatency implements Test {
    /** Places for incoming messages on each side. */
    static final int PLACES = 4;

    private final Side side;
    private final Step step;
    private long sends;
    private long sendsDone;

    /** Messages that have arrived and were not taken yet: their receives, numbers and time stamps. */
    private final long[] slots = new long[PLACES];

    private final int[] numbers = new int[PLACES];
    private final long[] stamps = new long[PLACES];
    private long arrived;
    private long taken;

    /** The message taken last. */
    private long slot;

    private long sequence;
    private long stamp;

    MessageLatency(Side side) {
        this.side = side;
        this.step = side.step;
    }

    @Override
    public long client(Meter meter) {
        prepareServer();
        long number = 0;
        for (; meter.wantsMore(); number++) {
            side.fill(Layout.out(step, 0), true, number);
            meter.posted();
            long before = side.stopwatch.start();
            post(number);
            boolean answered = awaitAnswer(number);
            long after = side.stopwatch.end(stamp);
            if (answered) {
                meter.took(side.stopwatch.nanos(before, after));
                look(false);
            }
            awaitSends();
            meter.completed();
        }
        return number;
    }

    /** Waits for an answer, and skips late ones; if the service loses messages, it waits only for a short time. */
    private boolean awaitAnswer(long number) {
        while (take(number, side.reliable() ? side.timeoutNanos : Side.LOSS_NANOS)) {
            if (sequence == number) {
                return true;
            }
            side.postRecv(slot);
        }
        if (side.control.hasLine() || side.reliable()) {
            side.awaitOwn(); // throws an exception that says what is wrong
        }
        return false;
    }

    @Override
    public void prepareServer() {
        for (int i = 0; i < PLACES; i++) {
            side.postRecv(i);
        }
    }

    @Override
    public long server() {
        long received = 0;
        long expected = 0;
        side.fill(Layout.out(step, 0), false, 0);
        while (take(expected, side.timeoutNanos)) {
            if (sequence < expected) {
                side.postRecv(slot); // duplicate
                continue;
            }
            if (sequence > expected) {
                side.fill(Layout.out(step, 0), false, sequence); // the messages between are lost
            }
            expected = sequence + 1;
            post(sequence);
            look(true);
            awaitSends();
            received++;
            side.fill(Layout.out(step, 0), false, expected);
        }
        if (!side.control.hasLine()) {
            side.await(); // throws an exception that says what is wrong
        }
        Control.number(side.control.receive("stop"), "sent");
        return received;
    }

    private void post(long number) {
        side.postMessage(WrOpcode.SEND_WITH_IMM, number, Layout.out(step, 0), step.size(), number);
        sends++;
    }

    /**
     * Takes the next message that has arrived, or waits for it.
     *
     * @param expected its number, or one near it: only the lower half is sent
     * @return whether there is one
     */
    private boolean take(long expected, long nanos) {
        while (arrived == taken) {
            int n = side.awaitFor(nanos);
            if (n == 0) {
                return false;
            }
            note(n);
        }
        int at = (int) (taken++ % PLACES);
        slot = slots[at];
        stamp = stamps[at];
        sequence = expected + (numbers[at] - (int) expected);
        if (side.reliable() && sequence != expected) {
            throw ToolException.failed("message " + sequence + " arrived where " + expected + " was expected");
        }
        return true;
    }

    private void note(int n) {
        for (int i = 0; i < n; i++) {
            WorkCompletion wc = side.completions().get(i);
            if ((wc.opcode() & WcOpcode.RECV) == 0) {
                sendsDone++;
            } else {
                int at = (int) (arrived++ % PLACES);
                slots[at] = wc.wrId();
                numbers[at] = wc.immData();
                stamps[at] = wc.completionTs();
            }
        }
    }

    private void awaitSends() {
        while (sendsDone < sends) {
            int n = side.awaitFor(side.timeoutNanos);
            if (n == 0 && !side.control.hasLine()) {
                side.await(); // throws an exception that says what is wrong
            }
            note(n);
        }
    }

    /** Checks the message taken last, and frees its place. */
    private void look(boolean fromClient) {
        side.verify(Layout.in(step, slot) + step.service().headroom(), fromClient, sequence);
        side.postRecv(slot);
    }
}
