/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.bench;

import io.verbs4j.WrOpcode;
import java.util.Arrays;

/**
 * RDMA reads of the server's slots, which it fills once. There is one slot more than reads can be in flight, so that a
 * place on this side never receives the same bytes twice in a row.
 */
final class ReadTest implements Test {
    private final Side side;
    private final Step step;
    private final Places places;

    /** Which slot was last read into each place. */
    private final int[] lastRead;

    ReadTest(Side side) {
        this.side = side;
        this.step = side.step;
        places = new Places(step.depth());
        lastRead = new int[step.depth()];
        Arrays.fill(lastRead, -1);
    }

    private int remoteSlots() {
        return step.slots() + 1;
    }

    private int next(int slot) {
        return slot + 1 == remoteSlots() ? 0 : slot + 1;
    }

    @Override
    public long client(Meter meter) {
        long posted = 0;
        long before = 0;
        int slot = 0;
        while (meter.wantsMore() || places.taken() > 0) {
            while (meter.wantsMore() && places.any()) {
                int place = places.take();
                slot = lastRead[place] == slot ? next(slot) : slot;
                lastRead[place] = slot;
                before = side.stopwatch.start();
                side.postRemote(WrOpcode.RDMA_READ, place, Layout.out(step, place), Layout.in(step, slot), step.size());
                meter.posted();
                posted++;
                slot = next(slot);
            }
            int n = side.awaitOwn();
            long after = side.stopwatch.end(side.completions().get(0).completionTs());
            for (int i = 0; i < n; i++) {
                int place = (int) side.completions().get(i).wrId();
                if (step.latency()) {
                    meter.took(side.stopwatch.nanos(before, after));
                }
                side.verify(Layout.out(step, place), false, lastRead[place]);
                places.giveBack(place);
                meter.completed();
            }
        }
        return posted;
    }

    @Override
    public void prepareServer() {
        for (int i = 0; i < remoteSlots(); i++) {
            side.fill(Layout.in(step, i), false, i);
        }
    }

    @Override
    public long server() {
        return Control.number(side.control.receive("stop"), "sent");
    }
}
