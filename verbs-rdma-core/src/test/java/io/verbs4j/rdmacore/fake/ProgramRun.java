/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.fake;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The result of a program.
 *
 * @param status its exit status
 * @param output its standard output and error
 */
record ProgramRun(int status, String output) {
    private static final int PATIENCE_SECONDS = 120;

    static ProgramRun of(Path scratch, Map<String, String> environment, List<String> command)
            throws IOException, InterruptedException {
        Path output = Files.createTempFile(scratch, "output", ".txt");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        List.of("CLASSPATH", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "SYSFS_PATH")
                .forEach(builder.environment()::remove);
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("did not end: " + command + "\n" + Files.readString(output));
            }
        } finally {
            process.destroyForcibly();
        }
        return new ProgramRun(process.exitValue(), Files.readString(output));
    }

    List<String> lines() {
        return output.lines().toList();
    }
}
