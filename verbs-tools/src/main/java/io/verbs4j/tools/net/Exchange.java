/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.net;

import io.verbs4j.tools.base.ToolException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The address exchange of libibverbs' ping-pong programs, byte for byte, so that either end may be one of them.
 *
 * <pre>
 * client                                server
 *   its addresses                 -->
 *                                         connects its queue pairs
 *                                 <--     its addresses
 *   "done" and a zero byte        -->
 * </pre>
 */
public final class Exchange {
    private static final byte[] DONE = "done\0".getBytes(StandardCharsets.US_ASCII);

    private Exchange() {}

    /**
     * Runs the client's part.
     *
     * @param socket connection to the server
     * @param local addresses of this side's queue pairs
     * @param slots number of addresses to send; those beyond this side's queue pairs are {@link Address#NONE}
     * @return the server's addresses, as many as this side has
     */
    public static List<Address> client(Socket socket, List<Address> local, int slots) {
        write(socket, wire(local, slots));
        List<Address> remote = readAddresses(socket, slots);
        write(socket, DONE);
        return matching(remote, local.size());
    }

    /**
     * Runs the server's part.
     *
     * @param socket connection to the client
     * @param local addresses of this side's queue pairs
     * @param slots number of addresses to send
     * @param connect connects this side's queue pairs, which must be ready before the client learns their addresses
     * @return the client's addresses, as many as this side has
     */
    public static List<Address> server(Socket socket, List<Address> local, int slots, Consumer<List<Address>> connect) {
        List<Address> remote = matching(readAddresses(socket, slots), local.size());
        connect.accept(remote);
        write(socket, wire(local, slots));
        Wire.read(input(socket), DONE.length, "'done'");
        return remote;
    }

    /** {@return all that a side sends, in one piece: the C programs expect an address in one read} */
    static byte[] wire(List<Address> addresses, int slots) {
        byte[] all = {};
        for (int i = 0; i < slots; i++) {
            all = Wire.join(all, (i < addresses.size() ? addresses.get(i) : Address.NONE).toWire());
        }
        return all;
    }

    private static List<Address> readAddresses(Socket socket, int slots) {
        List<Address> addresses = new ArrayList<>();
        for (int i = 0; i < slots; i++) {
            addresses.add(Address.fromWire(Wire.read(input(socket), Address.WIRE_LENGTH, "its address")));
        }
        return addresses;
    }

    private static List<Address> matching(List<Address> remote, int count) {
        long theirs = remote.stream().filter(a -> a.qpn() != 0).count();
        if (theirs != count) {
            throw ToolException.failed(
                    "the peer has " + theirs + " queue pairs and this side " + count + ": give both the same --num-qp");
        }
        return List.copyOf(remote.subList(0, count));
    }

    private static InputStream input(Socket socket) {
        try {
            return socket.getInputStream();
        } catch (IOException e) {
            throw ToolException.failed("the connection to the peer is closed", e);
        }
    }

    private static void write(Socket socket, byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
        } catch (IOException e) {
            throw ToolException.failed("the peer closed the connection: " + Wire.reason(e), e);
        }
    }
}
