/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.process;

import io.verbs4j.tools.base.ToolException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Makes the embedded device record its packets, and checks that it did. */
public final class Capture {
    private static final String PROPERTY = "io.verbs4j.rxe.pcap";

    private final Path file;

    private Capture(Path file) {
        this.file = file;
    }

    /**
     * Starts the recording; must be called before a device is opened.
     *
     * @param file where to record; null records nothing
     */
    public static Capture start(Path file) {
        if (file != null) {
            try {
                Files.deleteIfExists(file); // so that a file found afterwards is from this run
            } catch (IOException e) {
                throw ToolException.usage("--pcap " + file + ": can't be written: " + e);
            }
            Path folder = file.toAbsolutePath().getParent();
            if (folder == null || !Files.isDirectory(folder)) {
                throw ToolException.usage("--pcap " + file + ": no such folder: " + folder);
            }
            System.setProperty(PROPERTY, file.toString());
        }
        return new Capture(file);
    }

    /** Checks that something was recorded. */
    public void check() {
        if (file == null) {
            return;
        }
        try {
            if (Files.size(file) > 0) {
                return;
            }
        } catch (IOException e) {
            // there is no file
        }
        throw ToolException.notAvailable(
                "nothing was recorded to " + file + ": only the embedded device can (-d rxe_emb0)");
    }
}
