/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package app;

import java.util.Arrays;
import java.util.function.UnaryOperator;

/** What the program of each scheme tells. */
final class Results {
    /** All that a look-up by name says. */
    static final int NO_SUCH_NAME = Integer.MIN_VALUE;

    private Results() {}

    /** The verbs of the first release: a queue pair, and bytes that come back. */
    static void old(int qp, UnaryOperator<byte[]> loop) {
        byte[] sent = new byte[64];
        for (int i = 0; i < sent.length; i++) {
            sent[i] = (byte) (i * 7 + 1);
        }
        byte[] got = loop.apply(sent);
        boolean works = qp == 17 && got != sent && Arrays.equals(got, sent);
        tell("old", "data", works ? "works" : "wrong", got.length + " bytes");
    }

    /** The verb of the second release. */
    static void answered(int answer) {
        String status = switch (answer) {
            case 5 -> "works";
            case -38 -> "ENOSYS";
            case -95 -> "EOPNOTSUPP";
            case NO_SUCH_NAME -> "unknown";
            default -> "wrong";
        };
        tell("new", "open_xrcd", status, String.valueOf(answer));
    }

    private static void tell(String group, String step, String status, String text) {
        System.out.println(String.join("\t", "result", group, step, status, text));
    }
}
