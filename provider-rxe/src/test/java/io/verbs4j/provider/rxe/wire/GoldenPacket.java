/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.wire;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Packets in hexadecimal, with comments, from the test resources. */
final class GoldenPacket {
    private GoldenPacket() {}

    static byte[] bytes(String name) {
        try (InputStream in = GoldenPacket.class.getResourceAsStream(name + ".hex")) {
            if (in == null) {
                throw new IllegalArgumentException("no golden packet " + name);
            }
            String text = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
            return HexFormat.of().parseHex(text.replaceAll("#.*", "").replaceAll("\\s", ""));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static ByteBuffer direct(byte[] bytes) {
        return ByteBuffer.allocateDirect(bytes.length).put(0, bytes);
    }

    /** Returns a parsed view of a golden packet. */
    static Packet parse(String name) {
        byte[] bytes = bytes(name);
        Packet packet = new Packet();
        int reason = packet.parse(direct(bytes), 0, bytes.length);
        if (reason != Packet.OK) {
            throw new AssertionError(name + ": " + Packet.reasonName(reason));
        }
        return packet;
    }
}
