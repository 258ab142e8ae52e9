/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.guest.wire;

import io.verbs4j.FlushLevel;
import io.verbs4j.FlushType;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import java.util.List;

/** An atomic write or a flush, in one list between a write and a send. */
final class AnsweredCase extends Case {
    private static final int AT = End.HALF + 4096;
    private static final int WORD = 2 * End.HALF - 64;
    private final int level;

    private AnsweredCase(int opcode, int size, int level) {
        super(opcode, size, Form.WHOLE);
        this.level = level;
    }

    static List<Case> all() {
        return List.of(
                new AnsweredCase(WrOpcode.ATOMIC_WRITE, 100, 0),
                new AnsweredCase(WrOpcode.ATOMIC_WRITE, 40_000, 0),
                new AnsweredCase(WrOpcode.FLUSH, 100, FlushLevel.RANGE),
                new AnsweredCase(WrOpcode.FLUSH, 40_000, FlushLevel.MR),
                new AnsweredCase(WrOpcode.FLUSH, 5000, FlushLevel.RANGE));
    }

    @Override
    String name() {
        return WrOpcode.toString(opcode) + " behind a write of " + size
                + (opcode == WrOpcode.FLUSH ? ", " + FlushLevel.toString(level) : "");
    }

    private long value() {
        return 0x1122_3344_5566_0000L + size;
    }

    @Override
    void prepare(End end, boolean requests) {
        end.blank(AT, size);
        end.memory.putLong(WORD, 0);
        if (!requests) {
            end.receive(7);
        }
    }

    @Override
    void request(End end) {
        SendWorkRequest write = end.to(AT, end.request(WrOpcode.RDMA_WRITE, 5, end.list(size, size, false)));
        SendWorkRequest answered = opcode == WrOpcode.FLUSH
                ? end.to(AT, end.request(opcode, 6))
                        .flushType(FlushType.GLOBAL)
                        .flushLevel(level)
                        .flushLength(size)
                : end.to(WORD, end.request(opcode, 6)).atomicWriteValue(value());
        end.post(write.next(answered.next(end.request(WrOpcode.SEND, 8))));
        end.next(WcStatus.SUCCESS);
        int done = end.next(WcStatus.SUCCESS).opcode();
        int expected = opcode == WrOpcode.FLUSH ? WcOpcode.FLUSH : WcOpcode.ATOMIC_WRITE;
        if (done != expected) {
            throw new IllegalStateException(WcOpcode.toString(done) + " and not " + WcOpcode.toString(expected));
        }
        end.next(WcStatus.SUCCESS);
    }

    @Override
    void respond(End end) {
        end.next(WcStatus.SUCCESS);
    }

    @Override
    void verify(End end) {
        end.holds(AT, size, End.pattern(REQUESTER), size);
        long expected = opcode == WrOpcode.FLUSH ? 0 : value();
        if (end.memory.getLong(WORD) != expected) {
            throw new IllegalStateException("the word is " + Long.toHexString(end.memory.getLong(WORD)));
        }
    }
}
