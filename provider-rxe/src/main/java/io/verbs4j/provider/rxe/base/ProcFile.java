/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.base;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** What Linux tells in a file. Not by a channel: to load what that takes is most of the time until the first message. */
public final class ProcFile {
    private ProcFile() {}

    /** All of a file, a character for each byte; throws where there is none, as on other systems. */
    public static String read(String name) throws IOException {
        try (FileInputStream in = new FileInputStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }
}
