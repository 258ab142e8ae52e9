/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.kv;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.example.Programs;
import io.verbs4j.AccessFlags;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 5, unit = TimeUnit.MINUTES)
class KeyValueStoreTest {

    /** A server and two clients, each in a process of its own. */
    @Test
    void theDemonstrationVerifiesItself() throws Exception {
        String said = Programs.run(KeyValueStore.class);
        assertTrue(said.contains("verified: 800 puts, none lost"), said);
    }

    @Test
    void valuesAreReplacedAndFound() throws Exception {
        try (KvServer server = new KvServer(0);
                KvClient client = new KvClient("localhost", server.portNumber())) {
            RemoteTable table = client.table();
            assertEquals(Optional.empty(), table.get(Workload.bytes("a")));
            table.put(Workload.bytes("a"), Workload.bytes("1"));
            table.put(Workload.bytes("b"), Workload.bytes("2"));
            table.update(Workload.bytes("a"), old -> Workload.bytes(new String(old) + "+"));
            assertArrayEquals(Workload.bytes("1+"), table.get(Workload.bytes("a")).orElseThrow());
            assertArrayEquals(Workload.bytes("2"), table.get(Workload.bytes("b")).orElseThrow());
            assertThrows(IOException.class, () -> table.put(Workload.bytes("a"), new byte[Slot.CAPACITY]));
            table.put(Workload.bytes("a"), Workload.bytes("after a failure the lock is free"));
        }
    }

    /** Its lock would else be held for ever. */
    @Test
    void theLockOfAClientThatIsKilledIsGivenFree() throws Exception {
        try (KvServer server = new KvServer(0);
                KvClient client = new KvClient("localhost", server.portNumber())) {
            Process holder = Programs.start(LockHolder.class, Integer.toString(server.portNumber()));
            try (DataInputStream told = new DataInputStream(holder.getInputStream())) {
                assertEquals('!', told.readByte(), "the other client did not get the lock");
                holder.destroyForcibly().waitFor();
                client.table().put(LockHolder.KEY, Workload.bytes("ours"));
                assertArrayEquals(
                        Workload.bytes("ours"), client.table().get(LockHolder.KEY).orElseThrow());
            } finally {
                holder.destroyForcibly();
            }
        }
    }

    /** Many more puts than there are receives at first: the queue grows where its limit event says that it runs low. */
    @Test
    void receivesFollowTheClients() throws Exception {
        KvServer server = new KvServer(0);
        try (server;
                KvClient client = new KvClient("localhost", server.portNumber())) {
            for (int i = 0; i < 3000; i++) {
                client.table().put(Workload.bytes("key " + i % 7), ByteBuffer.allocate(4).putInt(i).array());
            }
        }
        assertEquals(3000, server.puts());
    }

    /** The queue pair of a client that uses a wrong key breaks, by an event; the client is dropped, and others go on. */
    @Test
    void aClientThatDoesWhatItMayNotIsDropped() throws Exception {
        try (KvServer server = new KvServer(0);
                KvClient client = new KvClient("localhost", server.portNumber())) {
            RemoteTable table = client.table();
            ByteBuffer memory = ByteBuffer.allocateDirect(8);
            try (MemoryRegion region =
                    table.connection().queuePair().pd().regMr(memory, AccessFlags.LOCAL_WRITE)) {
                int errno = table.connection()
                        .queuePair()
                        .postSend(new SendWorkRequest()
                                .opcode(WrOpcode.RDMA_READ)
                                .sgList(ScatterGatherElement.of(region))
                                .remoteAddr(table.server().address())
                                .rkey(table.server().key() + 1));
                assertEquals(0, errno);
                assertTrue(table.connection().awaitDisconnected(1, TimeUnit.MINUTES));
            }
            assertThrows(IOException.class, () -> table.get(Workload.bytes("a")));
            try (KvClient other = new KvClient("localhost", server.portNumber())) {
                other.table().put(Workload.bytes("a"), Workload.bytes("1"));
            }
        }
    }
}
