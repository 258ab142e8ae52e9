/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.bench;

import io.verbs4j.WcOpcode;
import io.verbs4j.WrOpcode;
import io.verbs4j.tools.ToolException;
import io.verbs4j.tools.traffic.Pattern;
import java.util.Map;

/**
 * As many RDMA writes as fit are under way, each to a slot of its own. When all slots are written the server looks at
 * them, while the clock stands still. The last write of a round brings immediate data: its receive tells that the memory
 * holds all that was written before.
 */
final class WriteBandwidth implements Test {
    private static final int RECEIVES = 4;

    private final Side side;
    private final Step step;
    private long sent;
    private long acknowledged;
    private long arrived;

    WriteBandwidth(Side side) {
        this.side = side;
        this.step = side.step;
    }

    @Override
    public long client(Meter meter) {
        while (meter.wantsMore()) {
            long first = sent;
            while (meter.wantsMore() && sent - first < step.slots()) {
                post(first, meter);
                drain(meter, step.depth() - 1);
            }
            drain(meter, 0);
            if (step.verify()) {
                meter.pause();
                confirm(first);
                meter.resume();
            }
        }
        return sent;
    }

    private void post(long first, Meter meter) {
        int offset = Layout.out(step, sent % step.depth());
        side.fill(offset, true, sent);
        boolean last = step.verify() && sent - first == step.slots() - 1;
        int opcode = last ? WrOpcode.RDMA_WRITE_WITH_IMM : WrOpcode.RDMA_WRITE;
        side.postRemote(opcode, sent, offset, Layout.in(step, sent - first), step.size());
        meter.posted();
        sent++;
    }

    private void drain(Meter meter, int allowed) {
        while (sent - acknowledged > allowed) {
            int n = side.awaitOwn();
            for (int i = 0; i < n; i++) {
                acknowledged++;
                meter.completed();
            }
        }
    }

    /** Has the server look at what was written since {@code first}. */
    private void confirm(long first) {
        boolean whole = sent - first == step.slots();
        if (!whole) {
            // The round was cut short: one more write, of the last slot written again, brings the immediate data.
            int offset = Layout.out(step, (sent - 1) % step.depth());
            side.postRemote(WrOpcode.RDMA_WRITE_WITH_IMM, sent, offset, Layout.in(step, sent - 1 - first), step.size());
            side.awaitOwn();
        }
        side.control.send("check first=" + first + " count=" + (sent - first));
        side.control.receive("checked");
    }

    @Override
    public void prepareServer() {
        for (int i = 0; i < RECEIVES; i++) {
            side.postRecv(i);
        }
        clear(step.slots());
    }

    @Override
    public long server() {
        long lost = 0;
        while (true) {
            while (!side.control.hasLine()) {
                count(side.await());
            }
            String line = side.control.receive();
            Map<String, String> pairs = Control.pairs(line);
            if (line.startsWith("stop ")) {
                return Control.number(pairs, "sent") - lost;
            }
            if (!line.startsWith("check ")) {
                throw ToolException.failed("the client says '" + line + "'");
            }
            awaitRound();
            long missing = check(Control.number(pairs, "first"), Control.number(pairs, "count"));
            lost += missing;
            side.control.send("checked lost=" + missing);
        }
    }

    private void count(int n) {
        for (int i = 0; i < n; i++) {
            if ((side.completions().get(i).opcode() & WcOpcode.RECV) != 0) {
                arrived++;
                side.postRecv(side.completions().get(i).wrId());
            }
        }
    }

    private void awaitRound() {
        if (arrived == 0) {
            count(side.awaitFor(side.reliable() ? side.timeoutNanos : Side.LOSS_NANOS));
        }
        if (arrived == 0 && side.reliable()) {
            throw ToolException.failed("the last write of a round did not arrive");
        }
        arrived = 0;
    }

    private long check(long first, long count) {
        if (first < 0 || count < 1 || count > step.slots()) {
            throw ToolException.failed("the client asks to check " + count + " writes from " + first);
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

    /** Whether nothing, or only parts, of a write that may be lost have arrived: what is not there is 0 still. */
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
