/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.cm;

import io.verbs4j.tools.net.Address;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * How a client identifies itself when it connects, as private data, big-endian:
 *
 * <pre>
 *   0        4      8       16
 *   | "vcm1" | what | token | address
 * </pre>
 *
 * @param what {@link #STREAM}, or which queue pair, from 0
 * @param token a number that all requests of a client carry, and nobody else knows
 * @param address the address of a queue pair for datagrams; otherwise null
 */
record Introduction(int what, long token, Address address) {
    /** The connection that the sides talk over. */
    static final int STREAM = -1;

    private static final int MAGIC = 0x76636d31;
    private static final int LENGTH = 16;

    byte[] toWire() {
        byte[] more = address == null ? new byte[0] : address.toWire();
        return ByteBuffer.allocate(LENGTH + more.length)
                .putInt(MAGIC)
                .putInt(what)
                .putLong(token)
                .put(more)
                .array();
    }

    /** {@return the parsed data, or null if it is something else} */
    static Introduction fromWire(byte[] bytes, boolean withAddress) {
        int length = withAddress ? LENGTH + Address.WIRE_LENGTH : LENGTH;
        if (bytes.length < length || ByteBuffer.wrap(bytes).getInt() != MAGIC) {
            return null;
        }
        ByteBuffer b = ByteBuffer.wrap(bytes);
        Address address = withAddress ? Address.fromWire(Arrays.copyOfRange(bytes, LENGTH, length)) : null;
        return new Introduction(b.getInt(4), b.getLong(8), address);
    }
}
