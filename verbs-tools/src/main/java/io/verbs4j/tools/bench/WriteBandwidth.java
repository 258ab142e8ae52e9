/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.bench;

import io.verbs4j.WrOpcode;
import io.verbs4j.tools.base.ToolException;
import io.verbs4j.tools.traffic.Pattern;
import java.util.Map;

/**
 * Keeps as many RDMA writes in flight as fit, each to its own slot. When all slots are written, or at the end, the
 * client stops the clock and makes the server check them, because a server learns of writes only from its memory.
 */
final class WriteBandwidth implements Test {
    private final Side side;
    private final Step step;
    private final Places outgoing;
    private long sent;

    WriteBandwidth(Side side) {
        this.side = side;
        this.step = side.step;
        outgoing = new Places(step.depth());
    }

    @Override
    public long client(Meter meter) {
        while (meter.wantsMore()) {
            long first = sent;
            while (meter.wantsMore() && sent - first < step.slots()) {
                int place = outgoing.take();
                int offset = Layout.out(step, place);
                side.fill(offset, true, sent);
                side.postRemote(WrOpcode.RDMA_WRITE, place, offset, Layout.in(step, sent - first), step.size());
                meter.posted();
                sent++;
                drain(meter, step.depth() - 1);
            }
            drain(meter, 0);
            if (step.verify() && sent > first) {
                meter.pause();
                side.control.send("check first=" + first + " count=" + (sent - first));
                side.control.receive("checked");
                meter.resume();
            }
        }
        return sent;
    }

    private void drain(Meter meter, int allowed) {
        while (outgoing.taken() > allowed) {
            int n = side.awaitOwn();
            for (int i = 0; i < n; i++) {
                outgoing.giveBack((int) side.completions().get(i).wrId());
                meter.completed();
            }
        }
    }

    @Override
    public void prepareServer() {
        clear(step.slots());
    }

    @Override
    public long server() {
        long lost = 0;
        while (true) {
            String line = side.control.receive();
            Map<String, String> pairs = Control.pairs(line);
            if (line.startsWith("stop ")) {
                return Control.number(pairs, "sent") - lost;
            }
            if (!line.startsWith("check ")) {
                throw ToolException.failed("unexpected message from the client: '" + line + "'");
            }
            long missing = check(Control.number(pairs, "first"), Control.number(pairs, "count"));
            lost += missing;
            side.control.send("checked lost=" + missing);
        }
    }

    private long check(long first, long count) {
        if (first < 0 || count < 1 || count > step.slots()) {
            throw ToolException.failed("invalid request from the client: check " + count + " writes from " + first);
        }
        // If writes arrive in order and the last one is there, no more will come.
        for (long slot = step.service().keepsOrder() ? count - 1 : 0; slot < count; slot++) {
            side.awaitMemory(Layout.in(step, slot), true, first + slot, Side.LOSS_NANOS);
        }
        long missing = 0;
        for (int slot = 0; slot < count; slot++) {
            if (side.reliable() || !incomplete(slot, first + slot)) {
                side.verify(Layout.in(step, slot), true, first + slot);
            } else {
                missing++;
            }
        }
        clear((int) count);
        return missing;
    }

    /** Whether a write that may be lost has arrived only in part or not at all: missing bytes are still 0. */
    private boolean incomplete(int slot, long sequence) {
        int offset = Layout.in(step, slot);
        int at = Pattern.firstDifference(side.buffer, offset, step.size(), Side.seed(true, sequence));
        if (at < 0) {
            return false;
        }
        for (int i = 0; i < step.size(); i++) {
            byte found = side.buffer.get(offset + i);
            if (found != 0 && found != Pattern.at(Side.seed(true, sequence), i)) {
                throw side.differs(offset, i, true, sequence);
            }
        }
        return true;
    }

    private void clear(int slots) {
        if (side.reliable()) {
            return;
        }
        for (int i = 0; i < Layout.in(step, slots); i++) {
            side.buffer.put(i, (byte) 0);
        }
    }
}
