/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.testsupport;

import java.lang.management.ManagementFactory;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * Measures how much of the heap is reachable. {@link java.lang.management.MemoryMXBean} reports more as used: a
 * collection leaves some dead objects, a megabyte or two in a small heap, and threads have allocated since.
 */
public final class LiveHeap {
    private static final Pattern TOTAL = Pattern.compile("^Total +\\d+ +(\\d+) *$", Pattern.MULTILINE);

    private LiveHeap() {}

    /**
     * Collects garbage, and adds up the sizes of the remaining objects.
     *
     * @return the size in bytes
     */
    public static long bytes() {
        String histogram;
        try {
            histogram = (String) ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName("com.sun.management:type=DiagnosticCommand"),
                            "gcClassHistogram",
                            new Object[] {new String[0]},
                            new String[] {String[].class.getName()});
        } catch (JMException e) {
            throw new IllegalStateException("this JVM does not count objects", e);
        }
        Matcher total = TOTAL.matcher(histogram);
        if (!total.find()) {
            throw new IllegalStateException("no total in: " + histogram);
        }
        return Long.parseLong(total.group(1));
    }
}
