/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.guest;

import java.util.List;
import java.util.stream.Stream;

/**
 * A line of {@link TestsMain} or of the program on the wire.
 *
 * @param word pass, skip or fail
 * @param where class and method, or the subject
 * @param name the name of the test
 * @param said why the test was skipped or failed; or figures
 */
record Outcome(String word, String where, String name, String said) {

    /** {@return the outcomes among the lines} */
    static List<Outcome> of(List<String> lines) {
        return lines.stream()
                .filter(line -> line.startsWith("pass\t") || line.startsWith("skip\t") || line.startsWith("fail\t"))
                .flatMap(line -> {
                    String[] parts = line.split("\t", 4);
                    return parts.length < 4
                            ? Stream.empty()
                            : Stream.of(new Outcome(parts[0], parts[1], parts[2], parts[3]));
                })
                .toList();
    }

    /** {@return the number of outcomes that the last line reports; -1 if the program did not get so far} */
    static int told(List<String> lines) {
        return lines.stream()
                .filter(line -> line.startsWith("done\t"))
                .mapToInt(line -> Integer.parseInt(line.substring(5)))
                .reduce(-1, (before, last) -> last);
    }

    /** {@return the rule's number, or class and method} */
    String id() {
        return name.matches("R\\d+\\.\\d\\d .*") ? name.substring(0, name.indexOf(' ')) : where;
    }
}
