/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.text;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Whether the standard streams are terminals. */
public final class Terminal {
    private static final int STANDARD_OUTPUT = 1;
    private static final int STANDARD_ERROR = 2;

    private Terminal() {}

    /** {@return whether standard output is a terminal; false also if that is unknown} */
    public static boolean isStandardOutput() {
        return is(STANDARD_OUTPUT);
    }

    /** {@return whether standard error is a terminal; false also if that is unknown} */
    public static boolean isStandardError() {
        return is(STANDARD_ERROR);
    }

    private static boolean is(int fileDescriptor) {
        try {
            String target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + fileDescriptor))
                    .toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
        } catch (IOException | UnsupportedOperationException | SecurityException e) {
            return false; // not Linux: separate lines do no harm
        }
    }
}
