/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import static io.verbs4j.BuilderFakes.say;

import io.verbs4j.BuilderFakes.OldQp;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Requests that a test expects of a builder. */
abstract class SendBuilderRig {
    static final int S = SendFlags.SIGNALED;
    static final int FENCED = SendFlags.SIGNALED | SendFlags.FENCE | 1 << 30;
    static final int RKEY = 0x80000001;
    static final long ADDR = 0x8000_0000_0000_0010L;

    static SendWorkRequest wr(int opcode, long id, int flags) {
        return new SendWorkRequest().opcode(opcode).wrId(id).sendFlags(flags);
    }

    static SendWorkRequest remote(int opcode, long id, int flags) {
        return wr(opcode, id, flags).rkey(RKEY).remoteAddr(ADDR);
    }

    static ScatterGatherElement e(int lkey, long addr, int length) {
        return new ScatterGatherElement().lkey(lkey).addr(addr).length(length);
    }

    final List<String> expected = new ArrayList<>();

    void expect(SendWorkRequest wr) {
        expected.add(say(wr));
    }

    static int built(OldQp qp, Consumer<SendBuilder> what) {
        SendBuilder b = qp.builder();
        b.start();
        what.accept(b);
        return b.complete();
    }
}
