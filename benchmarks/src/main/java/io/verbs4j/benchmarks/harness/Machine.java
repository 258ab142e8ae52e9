/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/** Facts about the machine of the measurements. */
public final class Machine {
    private static final Path CPU = Path.of("/proc/cpuinfo");

    private Machine() {}

    /** Returns the facts that belong to every figure. */
    public static Map<String, String> facts() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("java", System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"));
        facts.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        facts.put("cpu", cpu() + ", " + Runtime.getRuntime().availableProcessors() + " processors");
        return facts;
    }

    private static String cpu() {
        if (Files.isReadable(CPU)) {
            try (Stream<String> lines = Files.lines(CPU)) {
                return lines.filter(l -> l.startsWith("model name"))
                        .map(l -> l.substring(l.indexOf(':') + 1).trim())
                        .findFirst()
                        .orElse(System.getProperty("os.arch"));
            } catch (IOException e) {
                // same as without the file
            }
        }
        return System.getProperty("os.arch");
    }
}
