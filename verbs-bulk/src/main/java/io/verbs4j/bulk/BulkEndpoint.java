/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.Resources;
import io.verbs4j.VerbsException;
import io.verbs4j.bulk.connect.ConnectionWays;
import io.verbs4j.bulk.memory.LocalWindow;
import io.verbs4j.bulk.memory.MemoryTable;
import io.verbs4j.bulk.memory.RegisteredMemory;
import io.verbs4j.bulk.memory.WindowTable;
import io.verbs4j.bulk.progress.Adapter;
import io.verbs4j.bulk.progress.Connector;
import io.verbs4j.bulk.progress.Devices;
import io.verbs4j.bulk.progress.Driver;
import io.verbs4j.bulk.progress.Engine;
import io.verbs4j.bulk.progress.Workers;
import io.verbs4j.bulk.ring.EngineSide;
import io.verbs4j.bulk.ring.RingMemory;
import io.verbs4j.bulk.transfer.Limits;
import io.verbs4j.bulk.transfer.LinkTable;
import io.verbs4j.bulk.transfer.Transfers;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One side of the bulk transport: it connects to other endpoints, accepts their connections, registers memory and has
 * rings. All methods may be called from any thread, except as {@link BulkProgress#CALLER} restricts it.
 */
public final class BulkEndpoint implements AutoCloseable {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final System.Logger LOG = System.getLogger("io.verbs4j.bulk");
    private static final int ACCEPTING_THREADS = 8;
    private static final long CONNECTING_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final long id = randomId();
    private final Resources resources = new Resources();
    private final MemoryTable memories = new MemoryTable();
    private final BulkMemories registrar = new BulkMemories(memories);
    private final Devices devices;
    private final BulkPeers peers;
    private final WindowTable windows;
    private final Connector connector;
    private final Driver driver;
    private final AtomicBoolean closing = new AtomicBoolean();
    private final Object replacing = new Object();

    private BulkEndpoint(BulkConfig config) {
        Limits limits = config.limits();
        String name = "bulk-" + Long.toHexString(id);
        Driver started = null;
        boolean done = false;
        try {
            ConnectionWays ways = resources.add(new ConnectionWays(name));
            ExecutorService events = Workers.of(name + "-events", 1);
            resources.add(events::shutdown);
            ExecutorService losses = Workers.of(name + "-devices", 1);
            resources.add(losses::shutdown);
            windows = new WindowTable(events);
            LinkTable links = new LinkTable();
            peers = new BulkPeers(config.listener(), events);
            BulkDevices maker = new BulkDevices(config, ways);
            devices = resources.add(new Devices(maker::make, links, peers, registrar, losses));
            registrar.devices(devices.all());
            config.contexts().forEach(devices::add);
            Transfers transfers = new Transfers(limits, memories, windows, links);
            connector = new Connector(devices, links, limits, id, peers, config.recoveryNanos(), config.rails());
            boolean service = config.progress() == BulkProgress.SERVICE;
            Engine engine = new Engine(devices, links, transfers, connector, !service);
            peers.engine(engine);
            connector.engine(engine);
            devices.engine(engine);
            started = new Driver(engine, service ? name : null, config.spinNanos());
            driver = started;
            if (config.address() != null) {
                ExecutorService accepting = Workers.of(name + "-accept", ACCEPTING_THREADS);
                resources.add(accepting::shutdown);
                devices.acceptors().listen(connector, config.address(), accepting);
            }
            done = true;
        } finally {
            if (!done) {
                if (started != null) {
                    started.stop(); // its thread waits for events of resources closed next
                }
                resources.close();
            }
        }
    }

    /**
     * Opens an endpoint.
     *
     * @param config the configuration
     * @return the endpoint, which listens if the configuration has an address
     * @throws VerbsException {@link Errno#EOPNOTSUPP} if a device lacks an operation or the connection manager that the
     *     configuration requires (the message names it); {@link Errno#EADDRINUSE}, {@link Errno#EADDRNOTAVAIL} for the
     *     address; {@link Errno#ENOMEM} if a device is out of resources
     */
    public static BulkEndpoint open(BulkConfig config) {
        return new BulkEndpoint(config);
    }

    /** {@return the identifier of the endpoint; random, never 0} */
    public long id() {
        return id;
    }

    /**
     * {@return the address that the endpoint listens at, with the actual port}
     *
     * @throws VerbsException {@link Errno#EINVAL} if it does not listen
     */
    public InetSocketAddress address() {
        InetSocketAddress address = devices.acceptors().address();
        if (address == null) {
            throw new VerbsException(
                    Errno.EINVAL, "bulk_address", "the endpoint does not listen; open it with an address");
        }
        return address;
    }

    /**
     * Connects to an endpoint that listens. With {@link BulkProgress#CALLER}, nothing else makes progress meanwhile.
     *
     * @param address the address that it listens at
     * @param timeout maximum time to wait
     * @param unit its unit
     * @return the peer
     * @throws VerbsException as {@code CmConnection.connect} of verbs-cm: {@link Errno#ECONNREFUSED} if nothing listens
     *     there or the peer rejects the connection; {@link Errno#ETIMEDOUT}; {@link Errno#EADDRNOTAVAIL} if no device
     *     leads there; {@link Errno#EHOSTUNREACH} and {@link Errno#ENETUNREACH} with {@link BulkConnections#TCP};
     *     {@link Errno#EINTR} if the thread is interrupted, which it stays. Also {@link Errno#EPROTO} if the other side
     *     is not an endpoint of this transport, and {@link BulkResult#ESHUTDOWN} after close
     */
    public BulkPeer connect(InetSocketAddress address, long timeout, TimeUnit unit) {
        return peers.of(connector.connect(address, unit.toNanos(timeout)));
    }

    /**
     * {@return the peer with this number; null if its connection has ended}
     *
     * @param peer the number, from a completion
     */
    public BulkPeer peer(int peer) {
        return peers.find(peer);
    }

    /**
     * Creates a ring. It exists until the endpoint is closed. Notifications from peers go to the endpoint's first ring;
     * those that arrive earlier wait for it.
     *
     * @param entries size of the submission ring, a power of two from 2 to 1048576; the completion ring is twice as
     *     large
     * @return the ring, for one thread at a time
     * @throws VerbsException {@link Errno#EINVAL} for any other number; {@link BulkResult#ESHUTDOWN} after close
     */
    public BulkRing ring(int entries) {
        if (entries < BulkRing.MIN_ENTRIES || entries > BulkRing.MAX_ENTRIES || Integer.bitCount(entries) != 1) {
            throw new VerbsException(
                    Errno.EINVAL, "bulk_ring", "entries is " + entries + "; it must be a power of two, 2 to 1048576");
        }
        requireOpen("bulk_ring");
        RingMemory memory = new RingMemory(entries, 2 * entries);
        EngineSide side = new EngineSide(memory);
        return new BulkRing(driver, memory, driver.call(() -> driver.engine().addRing(side)));
    }

    /**
     * Registers memory of the program with the devices.
     *
     * @param bytes a direct buffer. Its memory between position and limit is registered and stays reachable until the
     *     buffer is closed. Read-only memory can be the source of PUT and SEND
     * @return the registered buffer
     * @throws VerbsException {@link Errno#EINVAL} if the buffer is not direct or has no bytes remaining;
     *     {@link Errno#EOPNOTSUPP} for memory of an arena that the program can close; {@link Errno#ENOMEM} if a device
     *     is out of resources; {@link BulkResult#ESHUTDOWN} after close
     */
    public BulkBuffer register(ByteBuffer bytes) {
        requireOpen("bulk_register");
        return new BulkBuffer(this, registrar.register(bytes));
    }

    /**
     * Allocates and registers memory.
     *
     * @param length number of bytes, at least 1
     * @return the registered buffer, all zeros
     * @throws VerbsException as {@link #register}
     */
    public BulkBuffer allocate(int length) {
        if (length < 1) {
            throw new VerbsException(Errno.EINVAL, "bulk_register", "length is " + length + "; it must be above 0");
        }
        return register(ByteBuffer.allocateDirect(length));
    }

    /**
     * Allocates and registers memory in chunks of equal size.
     *
     * @param chunkBytes size of a chunk, at least 1
     * @param chunks number of chunks, at least 1; at most 2 GiB in all
     * @return the slab
     * @throws VerbsException as {@link #register}
     */
    public BulkSlab slab(int chunkBytes, int chunks) {
        return new BulkSlab(this, chunkBytes, chunks);
    }

    /**
     * Replaces a lost device, see {@link BulkListener#deviceLost}. All buffers and windows are registered with the new
     * device, and the endpoint listens on it if it listens at all. Connections that are being recovered may move to the
     * new device, provided that it does transfers and connects in the same way as the lost one.
     *
     * <p>The context of the lost device still belongs to the program. The endpoint closes its own resources on that
     * device once all connections have left it, within seconds; until then, closing the context fails with
     * {@link Errno#EBUSY}.
     *
     * @param lost the device that is lost
     * @param replacement an open device, perhaps the same one opened again; it still belongs to the program
     * @throws VerbsException {@link Errno#EINVAL} if {@code lost} is not a device of the endpoint, is not lost or was
     *     replaced already, or if {@code replacement} is one; {@link Errno#EOPNOTSUPP} if the new device lacks an
     *     operation that {@link #open} requires; {@link Errno#EADDRINUSE}, {@link Errno#EADDRNOTAVAIL} if it can't
     *     listen; {@link Errno#ENOMEM} if it can't register all buffers; {@link BulkResult#ESHUTDOWN} after close. The
     *     endpoint then keeps the lost device
     */
    public void replace(Context lost, Context replacement) {
        synchronized (replacing) {
            requireOpen("bulk_replace");
            Adapter gone = devices.find(lost);
            if (gone == null || !gone.isLost()) {
                throw new VerbsException(
                        Errno.EINVAL,
                        "bulk_replace",
                        lost + (gone == null ? " is not a device of the endpoint" : " is not lost")
                                + "; pass the context that deviceLost was called with");
            }
            if (devices.find(replacement) != null) {
                throw new VerbsException(
                        Errno.EINVAL,
                        "bulk_replace",
                        replacement + " is already a device of the endpoint; open another one");
            }
            driver.call(() -> {
                devices.lose(gone);
                return gone;
            });
            devices.acceptors().lose(gone); // the next one may have to listen at the same address
            Adapter adapter = devices.make(replacement);
            new BulkReplacement(devices, registrar).run(gone, adapter);
            driver.engine().execute(() -> devices.replaced(adapter));
        }
    }

    BulkWindow window(RegisteredMemory memory, long offset, long length, int rights) {
        requireOpen("bulk_window");
        LocalWindow window = registrar.window(randomId(), memory, offset, length, rights);
        boolean added = driver.call(() -> windows.add(window));
        if (!added) {
            registrar.forget(window);
            window.deregister();
            throw new VerbsException(Errno.EBADF, "bulk_window", "the buffer is closed");
        }
        return new BulkWindow(this, window);
    }

    void revoke(LocalWindow window) {
        if (!driver.isStopped()) {
            driver.engine().execute(() -> driver.engine().transfers().revoke(window));
        }
    }

    void close(RegisteredMemory memory) {
        if (driver.isStopped()) {
            return; // closed with the endpoint
        }
        if (!driver.call(memory::closeIfUnused)) {
            throw new VerbsException(
                    Errno.EBUSY,
                    "bulk_close",
                    "buffer " + memory.index()
                            + " is in use by entries or has windows; let the entries complete and close the windows");
        }
        registrar.close(memory);
    }

    private void requireOpen(String verb) {
        if (closing.get()) {
            throw new VerbsException(BulkResult.ESHUTDOWN, verb, "the endpoint is closed; open another one");
        }
    }

    private static long randomId() {
        long value = RANDOM.nextLong();
        return value == 0 ? 1 : value;
    }

    /**
     * Notifies the peers, ends all connections, and closes windows and buffers. Entries in flight, and entries
     * submitted from now on, complete with {@link BulkResult#ESHUTDOWN}; completions can still be read from the rings.
     * Waits for connections to end, at most two seconds if a peer does not answer.
     */
    @Override
    public void close() {
        if (!closing.compareAndSet(false, true)) {
            return;
        }
        connector.close();
        devices.acceptors().close();
        driver.stop();
        boolean idle = connector.awaitIdle(CONNECTING_NANOS);
        if (!idle) {
            LOG.log(System.Logger.Level.WARNING, this + " is closed while a connection is being made");
        }
        driver.finish();
        windows.close();
        registrar.closeAll();
        resources.close();
    }

    @Override
    public String toString() {
        return "bulk endpoint " + Long.toHexString(id);
    }
}
