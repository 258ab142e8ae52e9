/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.natives.memory;

import com.sun.jna.Pointer;
import java.nio.ByteBuffer;

/** Buffers over native memory, made by JNA. A class of its own, so that JNA is not loaded when it is unused. */
final class JnaBuffers {
    private JnaBuffers() {}

    /** {@return a direct buffer over memory that must stay allocated as long as the buffer is used} */
    static ByteBuffer at(long address, int size) {
        return new Pointer(address).getByteBuffer(0, size);
    }
}
