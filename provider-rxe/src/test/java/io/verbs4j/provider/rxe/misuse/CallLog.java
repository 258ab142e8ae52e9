/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.misuse;

import io.verbs4j.VerbsObject;
import java.util.Arrays;
import java.util.List;

/** The last calls of one thread, formatted only on demand. Written by that thread. */
final class CallLog {
    private static final int KEPT = 200;

    private record Call(String verb, List<Object> arguments) {}

    private final Call[] calls = new Call[KEPT];
    private final Object[] answers = new Object[KEPT];
    private int count;

    void begin(String verb, Object... arguments) {
        calls[count % KEPT] = new Call(verb, Arrays.asList(arguments));
        answers[count % KEPT] = "...";
    }

    void end(Object answer) {
        answers[count % KEPT] = answer;
        count++;
    }

    int count() {
        return count;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int i = Math.max(0, count - KEPT + 1); i <= count; i++) {
            Call call = calls[i % KEPT];
            if (call != null) {
                text.append("    ").append(call.verb);
                for (Object argument : call.arguments) {
                    text.append(' ').append(name(argument));
                }
                text.append(" -> ").append(name(answers[i % KEPT])).append('\n');
            }
        }
        return text.toString();
    }

    static String name(Object o) {
        if (o instanceof VerbsObject) {
            return o.getClass().getSimpleName() + "@" + Integer.toHexString(System.identityHashCode(o));
        }
        return o instanceof Object[] list ? Arrays.toString(list) : String.valueOf(o);
    }
}
