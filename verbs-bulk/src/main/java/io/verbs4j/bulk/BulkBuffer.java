/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

import io.verbs4j.bulk.memory.RegisteredMemory;
import java.nio.ByteBuffer;

/**
 * Memory that is registered with the devices of an endpoint, for use in ring entries. Created by
 * {@link BulkEndpoint#register} or {@link BulkEndpoint#allocate}. All methods may be called from any thread.
 *
 * <p>Peers can access it only through {@link #window windows}, with one exception: a peer that receives a long message
 * from this buffer learns a key with which it can read the whole buffer until the buffer is closed. To send to peers
 * that you do not trust, use a buffer that holds nothing else.
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

    /** {@return the number that identifies the buffer in entries; the endpoint never reuses it} */
    public int index() {
        return memory.index();
    }

    /** {@return the length in bytes} */
    public long length() {
        return memory.length();
    }

    /** {@return the memory, from position 0 to its capacity; big-endian, like every new buffer} */
    public ByteBuffer bytes() {
        return memory.isWritable() ? memory.bytes().duplicate() : memory.bytes().asReadOnlyBuffer();
    }

    /**
     * Opens a part of the memory to peers. A peer names the window by its identifier, which the program passes on in
     * any way it likes. The device enforces the bounds and the rights.
     *
     * @param offset first byte
     * @param length number of bytes, at least 1
     * @param rights {@link BulkWindow} bits
     * @return the window
     * @throws io.verbs4j.VerbsException {@link io.verbs4j.Errno#ERANGE} if the part is not inside the buffer;
     *     {@link io.verbs4j.Errno#EINVAL} if {@code rights} is 0 or has an unknown bit, or asks to write to read-only
     *     memory; {@link io.verbs4j.Errno#EBADF} after close; {@link io.verbs4j.Errno#ENOMEM} if the device is out of
     *     resources
     */
    public BulkWindow window(long offset, long length, int rights) {
        return endpoint.window(memory, offset, length, rights);
    }

    /**
     * Deregisters the memory. The memory itself still belongs to the program.
     *
     * @throws io.verbs4j.VerbsException {@link io.verbs4j.Errno#EBUSY} if entries use the buffer or windows of it are
     *     open; the buffer is then unchanged
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
