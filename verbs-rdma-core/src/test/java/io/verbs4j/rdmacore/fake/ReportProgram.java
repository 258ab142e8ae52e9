/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.fake;

import io.verbs4j.core.Verbs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Asks for the devices and the report, then tells which native libraries are loaded. */
public final class ReportProgram {
    private ReportProgram() {}

    public static void main(String[] args) throws IOException {
        System.out.println("devices " + Verbs.devices());
        System.out.println(Verbs.report());
        Files.readAllLines(Path.of("/proc/self/maps")).stream()
                .filter(line -> line.contains("libibverbs") || line.contains("jnidispatch") || line.contains("/jna"))
                .filter(line -> line.contains(" r-xp ")) // code: a jar that is open is mapped too
                .forEach(line -> System.out.println("loaded " + line));
    }
}
