/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.bench;

import io.verbs4j.WrOpcode;
import io.verbs4j.tools.base.ToolException;
import io.verbs4j.tools.traffic.Pattern;
import java.lang.invoke.VarHandle;

/**
 * Sends one RDMA write and waits for one in return; measures the time from posting the one to finding the other in
 * memory. Only the memory shows that a write has arrived: each side polls the last byte of the next message, which it
 * has set to another value before. If the service loses messages, the client tells the server which answer it has
 * stopped waiting for.
 */
final class WriteLatency implements Test {
    /** Number of polls without a pause before checking other things and letting other threads run. */
    private static final int SPINS = 1000;

    private final Side side;
    private final Step step;
    private long posted;
    private long completed;

    WriteLatency(Side side) {
        this.side = side;
        this.step = side.step;
    }

    @Override
    public long client(Meter meter) {
        long number = 0;
        for (; meter.wantsMore(); number++) {
            expect(false, number);
            fill(true, number);
            meter.posted();
            long before = System.nanoTime();
            post(number);
            boolean answered = await(false, number, side.reliable() ? side.timeoutNanos : Side.LOSS_NANOS);
            long after = System.nanoTime();
            if (answered) {
                meter.took(after - before);
                look(false, number);
            } else if (side.reliable() || side.control.hasLine()) {
                throw ToolException.failed(
                        side.control.hasLine()
                                ? "the peer sent '" + side.control.receive() + "' out of turn"
                                : "nothing happened for " + side.timeoutNanos / 1_000_000_000L + " s");
            } else {
                side.control.send("lost number=" + number);
            }
            awaitSends();
            meter.completed();
        }
        return number;
    }

    @Override
    public void prepareServer() {
        for (int i = 0; i < MessageLatency.PLACES; i++) {
            expect(true, i);
        }
    }

    @Override
    public long server() {
        long received = 0;
        long number = 0;
        fill(false, 0);
        while (true) {
            boolean arrived = await(true, number, side.timeoutNanos);
            if (arrived) {
                post(number);
                look(true, number);
                received++;
            } else if (side.control.hasLine()) {
                String line = side.control.receive();
                if (line.startsWith("stop ")) {
                    return received;
                }
                if (!line.startsWith("lost ") || side.reliable()) {
                    throw ToolException.failed("unexpected message from the client: '" + line + "'");
                }
                if (Control.number(Control.pairs(line), "number") != number) {
                    continue; // the answer was lost, not the request
                }
            } else if (!side.control.heardWithin(side.timeoutNanos)) {
                throw ToolException.failed("nothing happened for " + side.timeoutNanos / 1_000_000_000L + " s");
            } else {
                continue;
            }
            expect(true, number + MessageLatency.PLACES);
            awaitSends();
            number++;
            fill(false, number);
        }
    }

    private static int place(Step step, long number) {
        return Layout.in(step, number % MessageLatency.PLACES);
    }

    /** {@return the last byte of a message} */
    private byte last(boolean fromClient, long number) {
        return Pattern.at(Side.seed(fromClient, number), step.size() - 1);
    }

    /** Makes sure that a message is not seen before it has arrived. */
    private void expect(boolean fromClient, long number) {
        side.buffer.put(place(step, number) + step.size() - 1, (byte) ~last(fromClient, number));
    }

    private void fill(boolean fromClient, long number) {
        side.fill(Layout.out(step, 0), fromClient, number);
        side.buffer.put(Layout.out(step, 0) + step.size() - 1, last(fromClient, number));
    }

    private void post(long number) {
        side.postRemote(WrOpcode.RDMA_WRITE, number, Layout.out(step, 0), place(step, number), step.size());
        posted++;
    }

    /**
     * Polls until a message has arrived.
     *
     * @return false if it did not come in time, or the peer has sent a line
     */
    @SuppressWarnings("ThreadPriorityCheck") // more threads may poll than there are processors
    private boolean await(boolean fromClient, long number, long nanos) {
        int at = place(step, number) + step.size() - 1;
        byte last = last(fromClient, number);
        long end = System.nanoTime() + nanos;
        for (int spins = 0; ; spins++) {
            VarHandle.acquireFence(); // another thread, or the device, writes it
            if (side.buffer.get(at) == last && isIt(fromClient, number)) {
                return true;
            }
            if (spins < SPINS) {
                Thread.onSpinWait();
                continue;
            }
            completed += side.completions().poll(); // throws if one has failed
            if (side.control.hasLine() || System.nanoTime() - end >= 0) {
                return false;
            }
            if (!fromClient) {
                side.control.alive();
            }
            Thread.yield();
        }
    }

    /**
     * Whether the message is the expected one: a message that was given up may come late, and its last byte may match
     * by chance.
     */
    private boolean isIt(boolean fromClient, long number) {
        return side.reliable() || side.awaitMemory(place(step, number), fromClient, number, 0);
    }

    /** Checks a message. Its last byte may be visible a moment before the others. */
    private void look(boolean fromClient, long number) {
        int offset = place(step, number);
        side.awaitMemory(offset, fromClient, number, Side.LOSS_NANOS);
        side.verify(offset, fromClient, number);
    }

    private void awaitSends() {
        while (completed < posted) {
            int n = side.awaitFor(side.timeoutNanos);
            if (n == 0 && !side.control.hasLine()) {
                side.await(); // throws an exception that says what is wrong
            }
            completed += n;
        }
    }
}
