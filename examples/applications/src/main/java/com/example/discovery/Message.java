/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.discovery;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * What finder and responder say to each other, a datagram each.
 *
 * @param type one of the types
 * @param number the finder's number for this search: datagrams may come late, or twice
 * @param name what is looked for
 * @param body what belongs to it
 */
record Message(Type type, long number, String name, byte[] body) {
    enum Type {
        /** Finder to all: who has it? */
        QUERY,
        /** Responder: here it is. */
        ANSWER,
        /** Responder: I have it, but it does not fit; the body is its length, and the port to connect to for it. */
        TOO_LONG
    }

    static final byte[] NOTHING = {};

    /** So that it fits into a request to connect, which has room for 56 bytes. */
    private static final int LONGEST_NAME = 55;

    /** The answer to this message. */
    Message reply(Type type, byte[] body) {
        return new Message(type, number, name, body);
    }

    ByteBuffer encode() {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > LONGEST_NAME) {
            throw new IllegalArgumentException("a name has at most " + LONGEST_NAME + " bytes");
        }
        return ByteBuffer.allocate(1 + Long.BYTES + 1 + bytes.length + body.length)
                .put((byte) type.ordinal())
                .putLong(number)
                .put((byte) bytes.length)
                .put(bytes)
                .put(body)
                .flip();
    }

    /** The name alone, as it goes along with a request to connect: what comes is filled up with zeros there. */
    byte[] encodeName() {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(1 + bytes.length).put((byte) bytes.length).put(bytes).array();
    }

    /** Reads that; empty where it is none. */
    static Optional<String> decodeName(byte[] bytes) {
        int length = Byte.toUnsignedInt(bytes[0]);
        return length < bytes.length
                ? Optional.of(new String(bytes, 1, length, StandardCharsets.UTF_8))
                : Optional.empty();
    }

    /** Reads a datagram; empty where it is none of ours: anybody can send one. */
    static Optional<Message> decode(ByteBuffer datagram) {
        try {
            int type = datagram.get();
            if (type < 0 || type >= Type.values().length) {
                return Optional.empty();
            }
            long number = datagram.getLong();
            byte[] name = new byte[Byte.toUnsignedInt(datagram.get())];
            datagram.get(name);
            byte[] body = new byte[datagram.remaining()];
            datagram.get(body);
            String called = new String(name, StandardCharsets.UTF_8);
            return Optional.of(new Message(Type.values()[type], number, called, body));
        } catch (BufferUnderflowException e) {
            return Optional.empty();
        }
    }
}
