/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.guest.wire;

import io.verbs4j.AccessFlags;
import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.FlushLevel;
import io.verbs4j.FlushType;
import io.verbs4j.QpType;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.VerbsLevel;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import io.verbs4j.core.Verbs;
import java.io.IOException;

/**
 * The embedded end of atomic writes and flushes; the kernel's end is {@code guest/tests/answered.c}.
 *
 * <pre>
 * HOST MODE
 * </pre>
 */
public final class AnsweredMain {
    private static final int LENGTH = 5000;
    private static final int WORD = 8192;
    private static final int WRITES = 300;
    private static final int FLUSHES = 50;
    private static final long FIRST = 0x1122_3344_5566_7788L;
    private static final long THEIRS = 0x8877_6655_4433_2211L;

    private AnsweredMain() {}

    public static void main(String... args) throws Exception {
        Device device = Verbs.devices().stream()
                .filter(d -> d.name().startsWith("rxe_emb"))
                .findFirst()
                .orElseThrow();
        try (Talk talk = Talk.connect(args[0]);
                Context context = Verbs.open(device, VerbsLevel.CURRENT);
                End end = new End(context, 0, QpType.RC, 7, AccessFlags.FLUSH_GLOBAL)) {
            end.connect(talk);
            switch (args[1]) {
                case "asking" -> {
                    // the kernel's end requests
                }
                case "flushes" -> {
                    for (int i = 0; i < FLUSHES; i++) {
                        end.post(flush(end, 64 * i, LENGTH));
                        end.next(WcStatus.SUCCESS);
                    }
                    System.out.println("embedded requests: " + FLUSHES + " flushes");
                    talk.meet(null);
                }
                default -> request(end);
            }
            talk.meet(null);
            if (args[1].equals("writes")) {
                respond(end, talk);
            }
            System.out.println("done " + args[1]);
        }
    }

    private static SendWorkRequest flush(End end, int offset, int length) {
        return end.to(offset, end.request(WrOpcode.FLUSH, 2))
                .flushType(FlushType.GLOBAL)
                .flushLevel(FlushLevel.RANGE)
                .flushLength(length);
    }

    private static void request(End end) {
        for (int i = 0; i < WRITES; i++) {
            SendWorkRequest write = end.to(WORD, end.request(WrOpcode.ATOMIC_WRITE, 3));
            end.post(write.atomicWriteValue(FIRST + i));
            end.next(WcStatus.SUCCESS);
        }
    }

    private static void respond(End end, Talk talk) throws IOException {
        talk.meet(null); // it has sent its requests
        for (int i = 1; i < LENGTH; i++) {
            if (end.memory.get(i) != (byte) (i * 7 + 5)) {
                throw new IllegalStateException("byte " + i + " is " + end.memory.get(i));
            }
        }
        if (end.memory.get(0) != (byte) (WRITES - 1) || end.memory.getLong(WORD) != THEIRS + WRITES - 1) {
            throw new IllegalStateException("the last are " + end.memory.get(0) + ", " + end.memory.getLong(WORD));
        }
        talk.meet(null);
    }
}
