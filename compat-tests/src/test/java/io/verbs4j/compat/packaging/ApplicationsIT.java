/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.compat.built.Javac;
import io.verbs4j.testsupport.Extent;
import io.verbs4j.testsupport.program.Jdk;
import io.verbs4j.testsupport.program.Namespaces;
import io.verbs4j.testsupport.program.Program;
import io.verbs4j.testsupport.program.Suite;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example applications' own tests, on a network like that of macOS. */
class ApplicationsIT {
    private static final int SECONDS = 600;

    @TempDir
    Path folder;

    private static Map<String, String> sources(Path root) throws IOException {
        Map<String, String> sources = new HashMap<>();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.filter(file -> file.toString().endsWith(".java")
                            && !file.endsWith("module-info.java")
                            && !file.endsWith("package-info.java"))
                    .toList()) {
                sources.put(root.relativize(file).toString(), Files.readString(file));
            }
        }
        return sources;
    }

    @Test
    void testsOfApplicationsPassWithOneLoopbackAddress() throws Exception {
        Path examples = Path.of("..", "examples", "applications", "src");
        Map<String, String> sources = sources(examples.resolve("main/java"));
        sources.putAll(sources(examples.resolve("test/java")));
        String jars = System.getProperty("java.class.path");
        Javac.compile(sources, folder, List.of("-cp", jars));

        List<String> command = new ArrayList<>(Namespaces.withOneLoopbackAddress());
        command.addAll(List.of(
                Jdk.own().java().toString(),
                Jdk.QUICK,
                "-cp",
                folder + File.pathSeparator + jars,
                Suite.class.getName()));
        command.addAll(List.of("com.example", Extent.isFull() ? ".*Test" : ".*RpcTest"));
        Program.Result result = Program.run(command, SECONDS);
        assertThat(result.status()).as(result.text()).isZero();
        assertThat(result.text()).contains("passed ");
    }
}
