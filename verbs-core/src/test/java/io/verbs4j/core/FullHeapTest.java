/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.testsupport.Full;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A provider that fills the heap: told to the program, which goes on once there is memory again. */
@Full
@Tag("attack")
class FullHeapTest {
    @TempDir
    Path directory;

    @Test
    void otherProvidersWorkAgainAfterFullHeap() throws Exception {
        Compiled program = new Compiled(directory);
        program.provider("Hog", """
                static List<Object> kept = new ArrayList<>();
                static boolean sated;
                public List<? extends Device> devices() {
                  for (int size = 1 << 20; !sated; ) {
                    try { kept.add(new byte[size]); }
                    catch (OutOfMemoryError e) { if (size == 16) throw e; size /= 2; } }
                  return List.of(); }""");
        program.provider(
                "Good",
                "public List<? extends Device> devices() { return List.of(new Device(\"good0\", 1, 1, 0) {}); }");
        program.services("broken.Hog\nbroken.Good\n");
        program.source("""
                package broken; import io.verbs4j.*; import io.verbs4j.core.*; import java.util.List;
                public class Main {
                  public static void main(String[] none) {
                    Hog.sated = false; // what is loaded now needs no memory later
                    String first;
                    try { List<Device> devices = Verbs.devices(); first = "listed"; }
                    catch (OutOfMemoryError e) { first = "let through"; }
                    Hog.sated = true; Hog.kept = null;
                    System.out.println(first);
                    System.out.println(Verbs.devices() + "\\n" + Verbs.report()); } }""");
        String path = Compiled.header() + File.pathSeparator + Compiled.locationOf(Verbs.class);
        program.compile("-classpath", path);
        Process java = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx16m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        path + File.pathSeparator + program.classes(),
                        "broken.Main")
                .redirectErrorStream(true)
                .start();
        try {
            List<String> out = new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
            assertThat(java.waitFor(2, TimeUnit.MINUTES)).isTrue();
            // Which of the two depends on how much the collector could find once more.
            assertThat(out).anyMatch(l -> l.equals("listed") || l.equals("let through"));
            assertThat(out).contains("[good0]").doesNotContain("Exception in thread");
            assertThat(String.join("\n", out)).containsPattern("hog +1 \\(library 1\\+\\) +1 +yes");
            assertThat(java.exitValue()).isZero();
        } finally {
            java.destroyForcibly();
        }
    }
}
