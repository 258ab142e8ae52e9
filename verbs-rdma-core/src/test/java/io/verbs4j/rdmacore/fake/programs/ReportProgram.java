/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.fake.programs;

import io.verbs4j.core.Verbs;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;

/**
 * Prints the devices, the report and the loaded native libraries. The system property {@code report.services} names a
 * folder for the context class loader; with {@code report.broken} that loader cannot find claims.
 */
public final class ReportProgram {
    private ReportProgram() {}

    public static void main(String[] args) throws IOException {
        Thread.currentThread().setContextClassLoader(contextLoader());
        System.out.println("devices " + Verbs.devices());
        System.out.println(Verbs.report());
        Files.readAllLines(Path.of("/proc/self/maps")).stream()
                .filter(line -> line.contains("verbs.so") || line.contains("jnidispatch") || line.contains("/jna"))
                .filter(line -> line.contains(" r-xp ")) // code; open jars are mapped as well
                .forEach(line -> System.out.println("loaded " + line));
    }

    private static ClassLoader contextLoader() throws IOException {
        String services = System.getProperty("report.services");
        URL[] folders = services == null
                ? new URL[0]
                : new URL[] {Path.of(services).toUri().toURL()};
        return new URLClassLoader(folders, ReportProgram.class.getClassLoader()) {
            @Override
            public Enumeration<URL> getResources(String name) throws IOException {
                if (System.getProperty("report.broken") != null && name.endsWith("NativeClaim")) {
                    throw new IOException("the disk is gone");
                }
                return super.getResources(name);
            }
        };
    }
}
