/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.bench;

import io.verbs4j.WrOpcode;
import io.verbs4j.tools.base.ToolException;
import io.verbs4j.tools.traffic.Pattern;
import java.lang.invoke.VarHandle;

/**
 * One RDMA write goes and one comes back; the time from posting the one to finding the other in memory is taken. Nothing but
 * the memory tells of a write: each side looks at the last byte of the next message, which it has set to something else
 * before. With a service that loses messages the client tells the server which answer it does not wait for any more.
 */
final class WriteLatency implements Test {
    /** How often to look without a pause before looking at other things too, and letting other threads run. */
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
                                ? "the peer says '" + side.control.receive() + "' out of turn"
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
                    throw ToolException.failed("the client says '" + line + "'");
                }
                if (Control.number(Control.pairs(line), "number") != number) {
                    continue; // it was the answer that is lost
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

    /** What the last byte of a message is. */
    private byte last(boolean fromClient, long number) {
        return Pattern.at(Side.seed(fromClient, number), step.size() - 1);
    }

    /** Makes sure that a message is not taken for there before it is. */
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
     * Looks until a message is there.
     *
     * @return false where it did not come in time, or the peer has said something
     */
    @SuppressWarnings("ThreadPriorityCheck") // there may be fewer processors than threads that look
    private boolean await(boolean fromClient, long number, long nanos) {
        int at = place(step, number) + step.size() - 1;
        byte last = last(fromClient, number);
        long end = System.nanoTime() + nanos;
        for (int spins = 0; ; spins++) {
            VarHandle.acquireFence(); // it is not this thread that writes
            if (side.buffer.get(at) == last && isIt(fromClient, number)) {
                return true;
            }
            if (spins < SPINS) {
                Thread.onSpinWait();
                continue;
            }
            completed += side.completions().poll(); // one that has failed is told
            if (side.control.hasLine() || System.nanoTime() - end >= 0) {
                return false;
            }
            if (!fromClient) {
                side.control.alive();
            }
            Thread.yield();
        }
    }

    /** What was given up may come late, and one byte of it may be the right one. */
    private boolean isIt(boolean fromClient, long number) {
        return side.reliable() || side.awaitMemory(place(step, number), fromClient, number, 0);
    }

    /** The last byte may be there a moment before the others. */
    private void look(boolean fromClient, long number) {
        int offset = place(step, number);
        side.awaitMemory(offset, fromClient, number, Side.LOSS_NANOS);
        side.verify(offset, fromClient, number);
    }

    private void awaitSends() {
        while (completed < posted) {
            int n = side.awaitFor(side.timeoutNanos);
            if (n == 0 && !side.control.hasLine()) {
                side.await(); // tells what is wrong
            }
            completed += n;
        }
    }
}
