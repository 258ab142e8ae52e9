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
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.cm.CmListener;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 5, unit = TimeUnit.MINUTES)
class KeyValueStoreTest {

    /** The server and both clients run in separate processes. */
    @Test
    void demonstrationVerifiesItself() throws Exception {
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

    /** Otherwise the lock would be held forever. */
    @Test
    void lockOfKilledClientIsReleased() throws Exception {
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

    /**
     * There are many more puts than initial receives: the queue grows when its limit event reports that it runs low.
     */
    @Test
    void receiveQueueGrowsWithLoad() throws Exception {
        KvServer server = new KvServer(0);
        try (server;
                KvClient client = new KvClient("localhost", server.portNumber())) {
            for (int i = 0; i < 3000; i++) {
                client.table().put(Workload.bytes("key " + i % 7), ByteBuffer.allocate(4).putInt(i).array());
            }
        }
        assertEquals(3000, server.puts());
    }

    /** Uses a wrong key. The server's queue pair fails, which the server learns from an event. */
    private static void breakConnection(RemoteTable table) {
        ByteBuffer memory = ByteBuffer.allocateDirect(8);
        try (MemoryRegion region = table.connection().queuePair().pd().regMr(memory, AccessFlags.LOCAL_WRITE)) {
            int errno = table.connection()
                    .queuePair()
                    .postSend(new SendWorkRequest()
                            .opcode(WrOpcode.RDMA_READ)
                            .sgList(ScatterGatherElement.of(region))
                            .remoteAddr(table.server().address())
                            .rkey(table.server().key() + 1));
            assertEquals(0, errno);
            WorkCompletion[] refused = {new WorkCompletion()};
            while (table.connection().queuePair().sendCq().poll(1, refused) == 0) {
                Thread.onSpinWait();
            }
            assertEquals(WcStatus.REM_ACCESS_ERR, refused[0].status());
        }
    }

    /** Asserts that the server has ended the connection of a client that broke it. */
    private static void assertDropped(RemoteTable table) throws InterruptedException {
        assertTrue(table.connection().awaitDisconnected(1, TimeUnit.MINUTES));
        assertThrows(IOException.class, () -> table.get(Workload.bytes("a")));
    }

    /** The client is dropped, and others continue. */
    @Test
    void clientThatBreaksRulesIsDropped() throws Exception {
        try (KvServer server = new KvServer(0);
                KvClient client = new KvClient("localhost", server.portNumber())) {
            breakConnection(client.table());
            assertDropped(client.table());
            try (KvClient other = new KvClient("localhost", server.portNumber())) {
                other.table().put(Workload.bytes("a"), Workload.bytes("1"));
            }
        }
    }

    /** The server handles the event before it knows the client, and then also that of a client that came later. */
    @Test
    void clientThatBreaksRulesBeforeItIsKnownIsDropped() throws Exception {
        try (KvServer server = new KvServer(0);
                CmListener listener = CmListener.listen(server.context(), new InetSocketAddress(0), 1)) {
            FutureTask<ClientLink> accepting = new FutureTask<>(() -> server.accept(listener, Long.MAX_VALUE));
            new Thread(accepting).start();
            try (KvClient quick = new KvClient("localhost", listener.address().getPort());
                    KvClient later = new KvClient("localhost", server.portNumber())) {
                ClientLink link = accepting.get();
                breakConnection(quick.table());
                breakConnection(later.table());
                assertDropped(later.table());
                server.letIn(Long.MAX_VALUE, link);
                assertDropped(quick.table());
            }
        }
    }
}
