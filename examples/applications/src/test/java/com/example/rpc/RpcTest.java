/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.rpc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.core.Verbs;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 1, unit = TimeUnit.MINUTES)
class RpcTest {
    private static final int CLIENTS = 8;

    /** Returns the server's response to a request: another message of the same length. */
    private static byte[] reversed(byte[] request) {
        byte[] response = new byte[request.length];
        for (int i = 0; i < request.length; i++) {
            response[i] = request[request.length - 1 - i];
        }
        return response;
    }

    private static byte[] request(int client, int size) {
        byte[] request = new byte[size];
        for (int i = 0; i < size; i++) {
            request[i] = (byte) (client * 31 + i);
        }
        return request;
    }

    private static Context open() {
        return Verbs.open(Verbs.defaultDevice(), VerbsLevel.CURRENT);
    }

    private static InetSocketAddress at(Rpc.Server server) {
        return new InetSocketAddress("localhost", server.listener.address().getPort());
    }

    @Test
    void eightClientsGetTheirOwnAnswers() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        try (Context context = open();
                Rpc.Server server = new Rpc.Server(context, 0, RpcTest::reversed)) {
            List<Future<Integer>> all = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                int number = i;
                all.add(threads.submit(() -> calls(server, number)));
            }
            for (Future<Integer> one : all) {
                assertEquals(50, one.get());
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static int calls(Rpc.Server server, int number) throws IOException {
        int calls = 0;
        try (Context context = open();
                Rpc.Client client = new Rpc.Client(context, at(server))) {
            for (int size : new int[] {1, 100, 5000, Rpc.MOST - 1, Rpc.MOST}) {
                for (int i = 0; i < 10; i++) {
                    byte[] request = request(number + i, size);
                    assertArrayEquals(reversed(request), client.call(request));
                    calls++;
                }
            }
        }
        return calls;
    }

    /** More clients connect, one after another, than there are slots. */
    @Test
    void slotsOfClosedClientsAreReused() throws Exception {
        try (Context context = open();
                Rpc.Server server = new Rpc.Server(context, 0, RpcTest::reversed)) {
            for (int i = 0; i < 70; i++) {
                try (Rpc.Client client = new Rpc.Client(context, at(server))) {
                    assertEquals(7, client.call(new byte[] {7})[0]);
                }
            }
        }
    }

    /** A response in progress still arrives; the next call fails. */
    @Test
    void closingServerAnswersLastRequestAndEndsClients() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        ExecutorService threads = Executors.newFixedThreadPool(1);
        try (Context context = open()) {
            Rpc.Server server = new Rpc.Server(context, 0, request -> {
                asked.countDown();
                return reversed(request);
            });
            try (server;
                    Rpc.Client client = new Rpc.Client(context, at(server))) {
                Future<byte[]> answer = threads.submit(() -> client.call(new byte[] {1, 2}));
                asked.await();
                assertArrayEquals(new byte[] {2, 1}, answer.get());
                server.close();
                IOException end = assertThrows(IOException.class, () -> client.call(new byte[] {3}));
                assertTrue(end.getMessage().contains("Work Request Flushed Error"), end.getMessage());
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void connectingWithoutServerIsRefused() {
        try (Context context = open()) {
            InetSocketAddress nowhere;
            try (Rpc.Server server = new Rpc.Server(context, 0, request -> request)) {
                nowhere = at(server);
            }
            VerbsException refused = assertThrows(VerbsException.class, () -> new Rpc.Client(context, nowhere));
            assertEquals(Errno.ECONNREFUSED, refused.errno(), refused.getMessage());
        }
    }
}
