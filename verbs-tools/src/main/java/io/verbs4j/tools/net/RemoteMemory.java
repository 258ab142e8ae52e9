/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.net;

import io.verbs4j.tools.base.ToolException;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;

/**
 * Memory that a peer may write to, as two programs of this project exchange it after the {@link Exchange} of addresses.
 * Both send 20 bytes, big-endian, and read as many:
 *
 * <pre>
 *   0        4                 12       16       20
 *   | "mem1" | address         | rkey   | length |
 * </pre>
 *
 * @param addr where it begins, as an address of its device
 * @param rkey its remote key
 * @param length its length in bytes
 */
public record RemoteMemory(long addr, int rkey, int length) {
    private static final int BYTES = 20;
    private static final int MAGIC = 0x6d656d31;

    /**
     * Sends this memory to the peer.
     *
     * @return the peer's memory
     */
    public RemoteMemory exchange(Socket socket) {
        try {
            socket.getOutputStream().write(toWire());
            return fromWire(Wire.read(socket.getInputStream(), BYTES, "its memory (give both sides --write)"));
        } catch (IOException e) {
            throw ToolException.failed("the peer closed the connection: " + Wire.reason(e), e);
        }
    }

    byte[] toWire() {
        return ByteBuffer.allocate(BYTES)
                .putInt(MAGIC)
                .putLong(addr)
                .putInt(rkey)
                .putInt(length)
                .array();
    }

    static RemoteMemory fromWire(byte[] bytes) {
        ByteBuffer all = ByteBuffer.wrap(bytes);
        if (all.getInt() != MAGIC) {
            throw ToolException.failed("the peer did not send the address of its memory: give both sides --write");
        }
        return new RemoteMemory(all.getLong(), all.getInt(), all.getInt());
    }
}
