/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.discovery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.example.Programs;
import com.example.rdma.ActivePort;
import io.verbs4j.Context;
import io.verbs4j.VerbsLevel;
import io.verbs4j.core.Verbs;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 5, unit = TimeUnit.MINUTES)
class DiscoveryTest {

    /** The responder and the finder run in separate processes. */
    @Test
    void demonstrationVerifiesItself() throws Exception {
        String said = Programs.run(Discovery.class);
        assertTrue(said.contains("greeting: 22 bytes by DATAGRAM"), said);
        assertTrue(said.contains("book: 1000000 bytes by CONNECTION"), said);
        assertTrue(said.contains("verified: a datagram, a connection, and nobody"), said);
    }

    /** Content that exactly fills a packet arrives as a datagram; one byte more requires a connection. */
    @Test
    void contentBeyondOnePacketComesByConnection() throws Exception {
        try (Context context = Verbs.open(Verbs.defaultDevice(), VerbsLevel.CURRENT)) {
            int header = 1 + Long.BYTES + 1 + 1;
            byte[] longest = new byte[packet(context) - header];
            byte[] longer = new byte[longest.length + 1];
            Arrays.fill(longer, (byte) 7);
            try (Responder responder = new Responder(context, Map.of("a", longest, "b", longer));
                    Finder finder = new Finder(context)) {
                Thread thread = new Thread(responder::run);
                thread.start();
                try {
                    Finder.Found a = finder.find("a").orElseThrow();
                    assertEquals(Finder.Way.DATAGRAM, a.way());
                    assertArrayEquals(longest, a.content());
                    Finder.Found b = finder.find("b").orElseThrow();
                    assertEquals(Finder.Way.CONNECTION, b.way());
                    assertArrayEquals(longer, b.content());
                } finally {
                    thread.interrupt();
                    thread.join();
                }
            }
        }
    }

    private static int packet(Context context) {
        try (Datagrams datagrams = new Datagrams(context, ActivePort.of(context))) {
            return datagrams.maxPayload();
        }
    }

    /** Anyone can send a datagram. */
    @Test
    void malformedMessageIsIgnored() {
        byte[] message = new Message(Message.Type.QUERY, 7, "name", new byte[] {1})
                .encode()
                .array();
        assertEquals("name", Message.decode(ByteBuffer.wrap(message)).orElseThrow().name());
        for (int length = 0; length < message.length - 1; length++) {
            assertEquals(Optional.empty(), Message.decode(ByteBuffer.wrap(message, 0, length)));
        }
        message[0] = 99;
        assertEquals(Optional.empty(), Message.decode(ByteBuffer.wrap(message)));
    }
}
