/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.base;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * Reads Linux's /proc files. Uses a stream: loading the classes of a channel would take most of the time until the
 * first message.
 */
public final class ProcFile {
    private ProcFile() {}

    /** Reads a whole file, one character for each byte. Throws if the file does not exist, as on other systems. */
    public static String read(String name) throws IOException {
        try (FileInputStream in = new FileInputStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }
}
