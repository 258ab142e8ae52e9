/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.AsyncEvent;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.ContextOps;
import io.verbs4j.Device;
import io.verbs4j.EventType;
import io.verbs4j.PortState;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqAttr;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.core.ProviderReport;
import io.verbs4j.core.Verbs;
import io.verbs4j.spi.ExtendedProvider;
import io.verbs4j.spi.VerbsProvider;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;
import org.opentest4j.AssertionFailedError;

/**
 * What a rule works with: the device, opened as applications do or as the library does, and the two sides of a
 * conversation. Each rule gets a new rig, which closes what the rule has opened.
 *
 * <p>Nothing in it is public: an author's class can't override a rule, because it can't name the type of a rule's
 * parameter.
 */
class Rig {
    final ProviderKit kit;
    private final Set<Capability> declared;
    private final Authors authors = new Authors();
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    /** For devices that can be opened once: the context that everything in a rule shares. */
    private final Map<String, Context> alone = new HashMap<>();

    /** For contexts that can have only one domain: that domain. */
    private final Map<Context, ProtectionDomain> domains = new HashMap<>();

    private DirectContext direct;

    Side a;
    Side b;

    Rig(ProviderKit kit) {
        this.kit = kit;
        declared = Set.copyOf(kit.capabilities());
    }

    /** {@return whether the author declares a capability} */
    final boolean has(Capability capability) {
        return declared.contains(capability);
    }

    /** {@return whether the author declares a capability, in words that follow "where"} */
    final String stated(Capability capability) {
        return capability.label() + (has(capability) ? " is declared" : " is not declared");
    }

    /** {@return whether there are queue pairs that lose nothing, for rules that need no more than that} */
    final boolean hasReliable() {
        return has(Capability.RC) || has(Capability.RELIABLE_DATAGRAMS);
    }

    /** {@return the {@link QpType} of reliable queue pairs: connections if the device has them} */
    final int reliableType() {
        return has(Capability.RC) || !has(Capability.RELIABLE_DATAGRAMS) ? QpType.RC : QpType.DRIVER;
    }

    /** {@return whether any operation consumes receives} */
    final boolean hasReceives() {
        return has(Capability.SEND) || has(Capability.IMMEDIATE);
    }

    // ---- opened objects

    Authors authors() {
        return authors;
    }

    /** Registers an object to be closed when the test ends, in reverse order. */
    <T extends AutoCloseable> T opened(T object) {
        opened.push(object);
        return object;
    }

    /** Records the class of an object, to name it in a failure, and closes the object when the test ends. */
    <T extends AutoCloseable> T made(Class<? super T> type, T object) {
        return opened(authors.saw(type, object));
    }

    /** Forgets an object: it is not closed when the test ends. */
    void abandon(AutoCloseable object) {
        opened.remove(object);
    }

    final void closeAll() {
        Deque<AutoCloseable> held = new ArrayDeque<>();
        while (!opened.isEmpty()) {
            AutoCloseable object = opened.pop();
            if (!closed(object)) {
                held.add(object); // perhaps an object that was opened earlier holds it
            }
        }
        held.forEach(Rig::closed);
    }

    private static boolean closed(AutoCloseable object) {
        try {
            object.close();
            return true;
        } catch (Exception e) {
            // Other rules check closing; here it must not hide what a test has found.
            return false;
        }
    }

    /** {@return the entry of the provider in the library's report, or null} */
    ProviderReport.Entry reported() {
        String name = kit.provider().getClass().getName();
        return Verbs.report().entries().stream()
                .filter(entry -> entry.className().equals(name))
                .findFirst()
                .orElse(null);
    }

    /**
     * {@return the device as the library lists it} Skips the rule if there is none, because no rule that goes through
     * the library can be checked without it.
     */
    Device device(String name) {
        ProviderReport.Entry entry = reported();
        List<Device> all = Verbs.devices().stream()
                .filter(device -> entry != null && entry.deviceNames().contains(device.name()))
                .filter(device -> name == null || device.name().equals(name))
                .toList();
        Assumptions.assumeFalse(
                all.isEmpty(),
                () -> "the library has no device " + (name == null ? "of this provider" : name) + "; see the R1 rules");
        return all.get(0);
    }

    /** Opens the device as an application does. A device that can be opened only once, and is open, is shared. */
    Context open(String name) {
        Device device = device(name);
        Context shared = has(Capability.SEVERAL_CONTEXTS) ? null : alone.get(device.name());
        if (shared != null && isOpen(shared)) {
            return shared;
        }
        try {
            Context context = opened(Verbs.open(device, VerbsLevel.CURRENT));
            alone.put(device.name(), context);
            return context;
        } catch (VerbsException e) {
            return Assumptions.abort("the device cannot be opened (" + e.getMessage() + "); see R2.01");
        }
    }

    private static boolean isOpen(Context context) {
        try {
            context.queryDevice();
            return true;
        } catch (VerbsException e) {
            return false;
        }
    }

    Context open() {
        return open(kit.deviceName());
    }

    /** Polls a completion queue, including fields added after level 1, until there is a completion. */
    WorkCompletion completion(CompletionQueue cq) {
        WorkCompletion[] wc = {new WorkCompletion()};
        long end = System.nanoTime() + kit.patience().toNanos();
        while (true) {
            int n = cq.poll(1, wc, WorkCompletion.SIZE);
            Seen.check(n >= 0, "poll returned " + n);
            if (n == 1) {
                return wc[0];
            }
            Seen.check(
                    System.nanoTime() < end,
                    "no completion in " + kit.patience().toMillis() + " ms");
            Thread.onSpinWait();
        }
    }

    /** {@return a new domain of a context, or its only one if it can have no more} */
    ProtectionDomain domain(Context context) {
        return context.queryDevice().maxPd() == 1
                ? domains.computeIfAbsent(context, c -> opened(c.allocPd()))
                : opened(context.allocPd());
    }

    /** Opens the device in place of the library. */
    DirectContext openDirectly(VerbsProvider provider, int tableSize) {
        authors.saw(VerbsProvider.class, provider);
        if (direct != null && !has(Capability.SEVERAL_CONTEXTS)) {
            abandon(direct); // a library closes it once
            closed(direct);
        }
        Device device = ownDevice(provider);
        DirectContext context = new DirectContext(device, tableSize);
        ContextOps ops = provider.openDevice(device, context);
        Seen.check(ops != null, "openDevice returned null");
        context.ops = authors.saw(ContextOps.class, ops);
        opened(context);
        direct = context;
        if (provider instanceof ExtendedProvider extended) {
            extended.initContext(ops, context.table);
        }
        return context;
    }

    Device ownDevice(VerbsProvider provider) {
        return provider.devices().stream()
                .filter(device -> kit.deviceName() == null || device.name().equals(kit.deviceName()))
                .findFirst()
                .orElseThrow(() -> new AssertionFailedError(
                        "devices() does not contain " + (kit.deviceName() == null ? "any device" : kit.deviceName())));
    }

    /** Records the class of the author's verbs, to name it in a failure. */
    final void meetOps() {
        try {
            openDirectly(kit.provider(), 0);
        } catch (RuntimeException | AssertionError e) {
            assert e != null; // then it stays unnamed; the original failure matters more
        }
    }

    // ---- the two sides

    /** {@return the active ports} */
    static int[] activePorts(Context context) {
        return IntStream.rangeClosed(1, context.queryDevice().physPortCnt())
                .filter(port -> context.queryPort(port).state() == PortState.ACTIVE)
                .toArray();
    }

    /** Creates a side, without any objects yet. */
    Side side(int seed) {
        return new Side(this, seed == 1 ? open() : open(kit.peerDeviceName()), seed);
    }

    /** Moves the queue pair of a side to state ERR. */
    static void fail(Side side) {
        side.qp.modify(new QpAttr().qpState(QpState.ERR));
    }

    /** Waits by startPoll for a completion, which must be successful. */
    void startPolling(CompletionQueue cq) {
        long end = System.nanoTime() + kit.patience().toNanos();
        while (cq.startPoll(null) != 0) {
            Seen.check(
                    System.nanoTime() < end,
                    "no completion in " + kit.patience().toMillis() + " ms");
            Thread.onSpinWait();
        }
        Seen.equal("status", WcStatus.toString(WcStatus.SUCCESS), WcStatus.toString(cq.status()));
    }

    /** {@return the capacities of a side's queues, as reported by query} */
    static QpCap capOf(Side side) {
        QpInitAttr told = new QpInitAttr();
        side.qp.query(new QpAttr(), 0, told);
        return told.cap();
    }

    void startSrq() {
        start(s -> s.withSrq = s.memory.at(0) == new Memory(1, 2).at(0)); // the receiving side only
    }

    /** Waits for the next event of a type about a side, and acknowledges it. */
    AsyncEvent event(Side side, int type) {
        AsyncEvent event = eventNotGivenBack(side, type);
        Seen.check(
                event != null,
                "no event " + EventType.toString(type) + " in " + kit.patience().toMillis() + " ms");
        event.ack();
        return event;
    }

    /** Like {@link #event}, but does not acknowledge the event. Returns null if none comes. */
    AsyncEvent eventNotGivenBack(Side side, int type) {
        long end = System.nanoTime() + kit.patience().toNanos();
        while (true) {
            AsyncEvent event = side.context.getAsyncEvent(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
            if (event == null || event.eventType() == type) {
                return event;
            }
            event.ack();
        }
    }

    /** Checks the capacities of a shared receive queue, as granted and as reported by query. */
    static void capacities(String verb, SharedReceiveQueue srq, SrqAttr given) {
        SrqAttr told = srq.query();
        Seen.atLeast("maxWr after " + verb, 5, given.maxWr());
        Seen.equal("maxWr of query", given.maxWr(), told.maxWr());
        Seen.atLeast("maxSge of query", 1, told.maxSge());
    }

    /** Creates both sides, not connected. */
    void make(Consumer<Side> settings) {
        a = side(1);
        b = side(2);
        settings.accept(a);
        settings.accept(b);
        a.create();
        b.create();
    }

    /** Creates both sides and connects them. */
    void start(Consumer<Side> settings) {
        make(settings);
        Side.connect(a, b);
    }

    void start() {
        start(side -> {});
    }
}
