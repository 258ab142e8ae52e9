/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbs4j.Context;
import io.verbs4j.ContextOps;
import io.verbs4j.MemoryRegion;
import io.verbs4j.OpenAttr;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.provider.rxe.link.LinkOptions;
import io.verbs4j.provider.rxe.link.Links;
import io.verbs4j.provider.rxe.port.Port;
import io.verbs4j.provider.rxe.port.RxeConfig;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/** A context of its own device, set up as a test wants, without discovery and without the library in between. */
public final class TestContext extends Context {
    /** Packets only: one copy has its own tests. */
    public static final LinkOptions PACKETS = LinkOptions.defaults().withOneCopy(false);

    private static final AtomicInteger DEVICES = new AtomicInteger();
    private final ContextOps ops;
    private final Port port;

    /**
     * Keeps the buffers of regions reachable, which providers leave to the library: otherwise the device would write to
     * freed memory.
     */
    private static final class Keeping extends RxeContext {
        private final Map<MemoryRegion, ByteBuffer> buffers = new ConcurrentHashMap<>();

        Keeping(Port port, RxeDevice device, Context context) {
            super(port, device, context);
        }

        @Override
        public MemoryRegion regMrBuffer(ProtectionDomain pd, ByteBuffer buffer, int access) {
            MemoryRegion mr = super.regMrBuffer(pd, buffer, access);
            buffers.put(mr, buffer);
            return mr;
        }

        @Override
        public void deregMr(MemoryRegion mr) {
            super.deregMr(mr);
            buffers.remove(mr);
        }
    }

    private TestContext(RxeDevice device) {
        super(device, new OpenAttr());
        this.port = device.port;
        this.ops = new Keeping(port, device, this);
    }

    /** Returns options that enable one copy; skips the test if it is not available. */
    public static LinkOptions oneCopy() {
        LinkOptions options = LinkOptions.defaults();
        String problem = Links.oneCopyProblem(options);
        assumeTrue(problem == null, problem);
        return options;
    }

    /** Opens a device with an unused address, whose packets suffer faults (or null). */
    public static TestContext open(String faults) {
        return open(PACKETS.withFaults(faults));
    }

    public static TestContext open(LinkOptions options) {
        return open(new RxeConfig(1, List.of(newAddress()), true, options, null));
    }

    public static TestContext open(RxeConfig config) {
        return new TestContext(new RxeDevice(0, config));
    }

    /** Opens a device whose timers use a clock of the test. */
    public static TestContext open(LongSupplier nanos) {
        RxeConfig config = new RxeConfig(1, List.of(newAddress()), true, PACKETS, null);
        return new TestContext(new RxeDevice(0, config, nanos));
    }

    /** Opens the same device again. */
    public TestContext again() {
        return new TestContext((RxeDevice) device());
    }

    /** Returns an unused address of this machine in 127.0.0.0/8, derived from process and number. */
    public static InetAddress newAddress() {
        long pid = ProcessHandle.current().pid();
        int n = DEVICES.incrementAndGet();
        byte[] ip = {127, (byte) (128 + (pid >>> 8 & 31) + (n >>> 3 & 32)), (byte) pid, (byte) n};
        try {
            return InetAddress.getByAddress(ip);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    public Port port() {
        return port;
    }

    @Override
    protected ContextOps libraryOps() {
        return ops;
    }
}
