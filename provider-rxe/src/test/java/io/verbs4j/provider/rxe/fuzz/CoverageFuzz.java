/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.fuzz;

import io.verbs4j.provider.rxe.qp.SendPath;
import io.verbs4j.provider.rxe.wire.Bth;
import io.verbs4j.provider.rxe.wire.Opcode;
import java.nio.ByteBuffer;
import java.util.BitSet;

/**
 * The entry point for Jazzer. An input is a few packets, each preceded by four bytes:
 *
 * <pre>
 * | queue pair | corrected fields | PSN, relative to the expected one | length in words | the packet ...
 * </pre>
 *
 * <p>A corrected field is a number that no generator would ever hit, such as a key, and that is replaced by a valid
 * one, so that the code behind the check is reached.
 */
public final class CoverageFuzz {
    private static final int HEAD = 4;
    private static final int RIGHT_QP = 1;
    private static final int RIGHT_PSN = 1 << 1;
    private static final int RIGHT_KEY = 1 << 2;
    private static final int RIGHT_ADDRESS = 1 << 3;
    private static final int RIGHT_PKEY = 1 << 4;
    private static final int RIGHT_QKEY = 1 << 5;
    private static final int FROM_STRANGER = 1 << 6;
    private static final int BURST_ENDS = 1 << 7;

    private static final int KEY_IN_RETH = 8;

    private static Range range;
    private static final ByteBuffer BUFFER = ByteBuffer.allocateDirect(1 << 12);
    private static final BitSet TOUCHED = new BitSet();

    private CoverageFuzz() {}

    /**
     * Processes an input.
     *
     * @param data the input
     */
    public static void fuzzerTestOneInput(byte[] data) {
        if (range == null) {
            range = new Range();
        }
        int at = 0;
        while (at + HEAD + Bth.LENGTH <= data.length) {
            int which = (data[at] & 0xff) % range.marks.size();
            int right = data[at + 1];
            int length = Math.min((data[at + 3] & 0xff) * Integer.BYTES, data.length - at - HEAD);
            BUFFER.put(0, data, at + HEAD, length);
            TOUCHED.set(which);
            packet(range.marks.get(which), right, data[at + 2], length);
            at += HEAD + Math.max(length, Bth.LENGTH);
        }
        range.settle();
        range.check();
        TOUCHED.stream().forEach(i -> range.marks.get(i).prepare());
        TOUCHED.clear();
        range.settle();
    }

    private static void packet(Mark mark, int right, byte psn, int length) {
        if ((right & RIGHT_QP) != 0) {
            BUFFER.putInt(4, BUFFER.getInt(4) & 0xff000000 | mark.qp.qpNum());
        }
        int opcode = Bth.opcode(BUFFER, 0);
        SendPath path = mark.qp.path();
        if ((right & RIGHT_PSN) != 0 && path != null) {
            int expected = Opcode.isResponse(opcode) ? path.sqPsn() - 1 : path.rqPsn();
            BUFFER.putInt(8, BUFFER.getInt(8) & 0xff000000 | expected + psn & 0xffffff);
        }
        if ((right & RIGHT_PKEY) != 0) {
            BUFFER.putShort(2, (short) Bth.DEFAULT_PKEY);
        }
        boolean hasKey = Opcode.hasReth(opcode) || Opcode.hasAtomicEth(opcode);
        if ((right & RIGHT_KEY) != 0 && hasKey) {
            BUFFER.putInt(Bth.LENGTH + KEY_IN_RETH, range.grounds.open.rkey());
        }
        if ((right & RIGHT_ADDRESS) != 0 && hasKey) {
            BUFFER.putLong(Bth.LENGTH, range.grounds.open.addr() + BUFFER.getShort(Bth.LENGTH + 6));
        }
        if ((right & RIGHT_QKEY) != 0 && Opcode.hasDeth(opcode)) {
            BUFFER.putInt(Bth.LENGTH, Mark.QKEY);
        }
        boolean stranger = (right & FROM_STRANGER) != 0;
        range.feed(BUFFER, 0, length, stranger ? range.link.localGid() : mark.peer(), range.link.localGid());
        if ((right & BURST_ENDS) != 0) {
            range.settle();
        }
    }

    /** Closes the device that inputs were sent to. */
    static void close() {
        if (range != null) {
            range.close();
            range = null;
        }
    }

    /** Returns how many packets of the inputs so far were messages to queue pair 1. */
    static long managed() {
        return range.manager.packets;
    }

    /** Summarizes the inputs so far. */
    static String summary() {
        return range.completed + " completions, " + range.answered + " answers, " + range.counters();
    }
}
