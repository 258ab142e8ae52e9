/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

import io.verbs4j.bulk.memory.RegisteredMemory;
import java.nio.ByteBuffer;

/**
 * Memory that is registered with the devices of an endpoint: made by {@link BulkEndpoint#register} or {@link
 * BulkEndpoint#allocate}, used by entries of its rings. All methods may be called from any thread.
 *
 * <p>Peers reach it by {@link #window windows} only; but a peer that takes a long message of this side's learns a key
 * that lets it read the whole buffer, until the buffer is closed. Send to peers that you do not trust from a buffer
 * that has nothing else.
 */
public final class BulkBuffer implements AutoCloseable {
    private final BulkEndpoint endpoint;
    private final RegisteredMemory memory;

    BulkBuffer(BulkEndpoint endpoint, RegisteredMemory memory) {
        this.endpoint = endpoint;
        this.memory = memory;
    }

    RegisteredMemory memory() {
        return memory;
    }

    /** {@return the number that entries name the buffer by; never used again in its endpoint} */
    public int index() {
        return memory.index();
    }

    /** {@return the length in bytes} */
    public long length() {
        return memory.length();
    }

    /** {@return the memory, from position 0 to its capacity; big-endian, as all new buffers} */
    public ByteBuffer bytes() {
        return memory.isWritable() ? memory.bytes().duplicate() : memory.bytes().asReadOnlyBuffer();
    }

    /**
     * Lets peers use a part of the memory, by an identifier that the program tells them as it likes. The device guards
     * bounds and rights.
     *
     * @param offset first byte
     * @param length bytes, from 1
     * @param rights {@link BulkWindow} bits
     * @return the window
     * @throws io.verbs4j.VerbsException {@link io.verbs4j.Errno#ERANGE} where the part is not inside the buffer; {@link
     *     io.verbs4j.Errno#EINVAL} for rights that are none or unknown, and for the right to write to read-only memory;
     *     {@link io.verbs4j.Errno#EBADF} after close; {@link io.verbs4j.Errno#ENOMEM} where the device has no more
     */
    public BulkWindow window(long offset, long length, int rights) {
        return endpoint.window(memory, offset, length, rights);
    }

    /**
     * Takes the memory from the devices. The memory itself stays the program's.
     *
     * @throws io.verbs4j.VerbsException {@link io.verbs4j.Errno#EBUSY} where entries use the buffer, or windows of it
     *     are open: the buffer stays as it was
     */
    @Override
    public void close() {
        endpoint.close(memory);
    }

    @Override
    public String toString() {
        return "buffer " + index() + " of " + length() + " bytes";
    }
}
