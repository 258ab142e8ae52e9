/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

import io.verbs4j.bulk.ring.RingLayout;
import java.nio.ByteBuffer;

/** Writes submissions. Sets every field, because a slot still holds the values of an earlier entry. */
final class BulkEntries {
    private final ByteBuffer bytes;

    BulkEntries(ByteBuffer bytes) {
        this.bytes = bytes;
    }

    void remote(
            int entry,
            int opcode,
            int peer,
            int buffer,
            long localOffset,
            long window,
            long remoteOffset,
            long length,
            long userData) {
        bytes.putLong(entry + RingLayout.SQE_OPCODE, opcode | (long) peer << 32); // flags and stream are 0
        bytes.putLong(entry + RingLayout.SQE_USER_DATA, userData);
        bytes.putLong(entry + RingLayout.SQE_LENGTH, length);
        bytes.putLong(entry + RingLayout.SQE_BUFFER, buffer & 0xffff_ffffL); // the deadline is 0
        bytes.putLong(entry + RingLayout.SQE_LOCAL_OFFSET, localOffset);
        bytes.putLong(entry + RingLayout.SQE_WINDOW, window);
        bytes.putLong(entry + RingLayout.SQE_REMOTE_OFFSET, remoteOffset);
        bytes.putLong(entry + RingLayout.SQE_VALUE, 0);
    }

    void bare(int entry, int opcode, long userData) {
        remote(entry, opcode, 0, 0, 0, 0, 0, 0, userData);
    }

    void flags(int entry, int flags) {
        bytes.put(entry + RingLayout.SQE_FLAGS, (byte) flags);
    }

    void stream(int entry, int stream) {
        bytes.putShort(entry + RingLayout.SQE_STREAM, (short) stream);
    }

    void deadline(int entry, int millis) {
        bytes.putInt(entry + RingLayout.SQE_DEADLINE, millis);
    }

    void value(int entry, long value) {
        bytes.putLong(entry + RingLayout.SQE_VALUE, value);
    }
}
