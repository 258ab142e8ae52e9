/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools;

import io.verbs4j.tools.base.ExitCode;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.util.Locale;

/**
 * Standard output that remembers write failures, which {@link PrintStream} swallows: output that was lost is not a
 * success.
 */
final class StandardOutput {
    private final PrintStream stream;
    private IOException failure;

    StandardOutput() {
        this(new FileOutputStream(FileDescriptor.out));
    }

    StandardOutput(OutputStream target) {
        stream = new PrintStream(new BufferedOutputStream(new Watched(target)), true, charset());
    }

    /** {@return the charset of System.out} Only newer JDKs report it themselves. */
    private static Charset charset() {
        String name = System.getProperty("stdout.encoding", System.getProperty("sun.stdout.encoding"));
        return name == null ? Charset.defaultCharset() : Charset.forName(name);
    }

    PrintStream stream() {
        return stream;
    }

    /**
     * Checks that all output was written; reports a failure unless the reader closed the pipe.
     *
     * @param exitCode exit code so far
     * @param err where to report a failure
     * @return the exit code, {@link ExitCode#FAILED} if it was OK but output was lost
     */
    int check(int exitCode, PrintStream err) {
        stream.flush();
        if (failure == null) {
            return exitCode;
        }
        if (!isBrokenPipe(failure)) {
            err.println("verbs: couldn't write to standard output: " + failure.getMessage());
        }
        return exitCode == ExitCode.OK ? ExitCode.FAILED : exitCode;
    }

    /** Whether the reader closed the pipe, as head(1) does: other programs end silently then too. */
    private static boolean isBrokenPipe(IOException e) {
        return String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT).contains("broken pipe");
    }

    /** Passes bytes on and remembers the first failure. */
    private final class Watched extends OutputStream {
        private final OutputStream target;

        Watched(OutputStream target) {
            this.target = target;
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            try {
                target.write(bytes, offset, length);
            } catch (IOException e) {
                failure = failure == null ? e : failure;
                throw e;
            }
        }
    }
}
