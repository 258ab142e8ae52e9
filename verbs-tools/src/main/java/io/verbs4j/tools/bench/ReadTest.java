/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.bench;

import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;

/**
 * RDMA reads of the server's slots, which it fills once. There is one slot more than reads can be under way, so that a
 * place here never receives the same bytes twice in a row.
 */
final class ReadTest implements Test {
    private final Side side;
    private final Step step;

    ReadTest(Side side) {
        this.side = side;
        this.step = side.step;
    }

    private int remoteSlots() {
        return step.slots() + 1;
    }

    @Override
    public long client(Meter meter) {
        long posted = 0;
        long done = 0;
        long before = 0;
        while (meter.wantsMore() || done < posted) {
            while (meter.wantsMore() && posted - done < step.depth()) {
                int remote = Layout.in(step, posted % remoteSlots());
                before = side.stopwatch.start();
                side.postRemote(
                        WrOpcode.RDMA_READ, posted, Layout.out(step, posted % step.depth()), remote, step.size());
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
                side.verify(Layout.out(step, wc.wrId() % step.depth()), false, wc.wrId() % remoteSlots());
                meter.completed();
                done++;
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
