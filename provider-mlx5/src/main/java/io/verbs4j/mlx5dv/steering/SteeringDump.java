/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv.steering;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.call.Libc;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.quirk.Libmlx5;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Collects the text of libmlx5's steering dumps. The text goes to memory first, because libmlx5 holds its locks while
 * it writes and a stream may be slow.
 */
final class SteeringDump {
    private static final int SINCE = 28;

    private SteeringDump() {}

    static void of(String verb, SteeringHandle handle, OutputStream to) throws IOException {
        requireStream(verb, to);
        to.write(handle.object().use(verb, () -> bytes(verb, handle.address())));
    }

    static void requireStream(String verb, OutputStream to) {
        if (to == null) {
            throw new VerbsException(Errno.EINVAL, verb, "to is null; pass a stream for the text");
        }
    }

    /** Dumps an object, which the caller keeps open. */
    static byte[] bytes(String verb, long object) {
        try (Scratch c = new Scratch(2 * Long.BYTES)) {
            long size = c.address() + Long.BYTES;
            long file = Answers.checkPointer("open_memstream", Libc.open_memstream(c.address(), size));
            int answer;
            try {
                answer = (int) Libmlx5.function(verb, SINCE).call(file, object);
            } finally {
                Libc.fclose(file);
            }
            long text = NativeMemory.getLong(c.address());
            try {
                if (answer < 0) { // libmlx5 may also return the positive result of printing
                    throw Answers.failed(verb, Answers.errno(answer));
                }
                byte[] bytes = new byte[Math.toIntExact(NativeMemory.getLong(size))];
                NativeMemory.getBytes(text, bytes);
                return bytes;
            } finally {
                Libc.free(text);
            }
        }
    }
}
