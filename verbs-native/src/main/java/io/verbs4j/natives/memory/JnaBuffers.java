/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.natives.memory;

import com.sun.jna.Pointer;
import java.nio.ByteBuffer;

/** Buffers over memory of C, by JNA. Apart, as that is not to be loaded where it is not used. */
final class JnaBuffers {
    private JnaBuffers() {}

    /** A direct buffer over memory that stays allocated as long as the buffer is used. */
    static ByteBuffer at(long address, int size) {
        return new Pointer(address).getByteBuffer(0, size);
    }
}
