/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.kv;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;

/** What a client does in the demonstration; every value that it reads is looked at. */
final class Workload {
    /** Keys that a client puts, and times that it counts. */
    static final int ROUNDS = 200;

    private static final byte[] COUNTER = bytes("counter");

    private Workload() {}

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Puts values of its own, and counts in one that all clients share. */
    static void run(RemoteTable table, int client) throws IOException {
        Random random = new Random(client);
        for (int i = 0; i < ROUNDS; i++) {
            byte[] key = bytes("client-" + client + "/" + i % 50);
            byte[] value = new byte[random.nextInt(200)];
            random.nextBytes(value);
            table.put(key, value);
            table.update(COUNTER, old -> number(old == null ? 1 : number(old) + 1));
            if (!Arrays.equals(table.get(key).orElse(null), value)) {
                throw new IOException("client " + client + " has read another value than it has put, in round " + i);
            }
        }
    }

    /** How often all clients together have counted. */
    static long counted(RemoteTable table) throws IOException {
        return table.get(COUNTER).map(Workload::number).orElse(0L);
    }

    private static long number(byte[] value) {
        return ByteBuffer.wrap(value).getLong();
    }

    private static byte[] number(long value) {
        return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
    }
}
