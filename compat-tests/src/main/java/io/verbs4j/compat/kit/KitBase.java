/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.ContextOps;
import io.verbs4j.Device;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;

/** What the rules share: the device, opened as applications do or as the library does. See {@link ProviderKit}. */
abstract class KitBase extends KitSettings {
    private final Authors authors = new Authors();
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    /** Of devices that are open once: the context that all of a rule share. */
    private final Map<String, Context> alone = new HashMap<>();

    /** Of contexts that have one domain: that. */
    private final Map<Context, ProtectionDomain> domains = new HashMap<>();

    private DirectContext direct;

    /** For {@link ProviderKit}. */
    KitBase() {}

    Authors authors() {
        return authors;
    }

    /** Closes it when the test ends, in the reverse order. */
    <T extends AutoCloseable> T opened(T object) {
        opened.push(object);
        return object;
    }

    /** Learns which class an object is of, to name it in a failure, and closes it when the test ends. */
    <T extends AutoCloseable> T made(Class<? super T> type, T object) {
        return opened(authors.saw(type, object));
    }

    /** Leaves an object alone that does not close. */
    void abandon(AutoCloseable object) {
        opened.remove(object);
    }

    @AfterEach
    final void closeAll() {
        Deque<AutoCloseable> held = new ArrayDeque<>();
        while (!opened.isEmpty()) {
            AutoCloseable object = opened.pop();
            if (!closed(object)) {
                held.add(object); // perhaps by something that was opened before it
            }
        }
        held.forEach(KitBase::closed);
    }

    private static boolean closed(AutoCloseable object) {
        try {
            object.close();
            return true;
        } catch (Exception e) {
            // Rules of their own look at closing; here it must not hide what a test has found.
            return false;
        }
    }

    /** The entry of the provider in the library's report. */
    ProviderReport.Entry reported() {
        String name = provider().getClass().getName();
        return Verbs.report().entries().stream()
                .filter(entry -> entry.className().equals(name))
                .findFirst()
                .orElse(null);
    }

    /** The device as the library lists it; without it no rule that goes through the library can be looked at. */
    Device device(String name) {
        ProviderReport.Entry entry = reported();
        List<Device> all = Verbs.devices().stream()
                .filter(device -> entry != null && entry.deviceNames().contains(device.name()))
                .filter(device -> name == null || device.name().equals(name))
                .toList();
        Assumptions.assumeFalse(
                all.isEmpty(),
                () -> "the library has no device " + (name == null ? "of this provider" : name)
                        + "; the rules R1 tell why");
        return all.get(0);
    }

    /** Opens the device as an application does. What is open once, and is open, is shared. */
    Context open(String name) {
        Device device = device(name);
        Context shared = hasSeveralContexts() ? null : alone.get(device.name());
        if (shared != null && isOpen(shared)) {
            return shared;
        }
        try {
            Context context = opened(Verbs.open(device, VerbsLevel.CURRENT));
            alone.put(device.name(), context);
            return context;
        } catch (VerbsException e) {
            return Assumptions.abort("the device does not open (" + e.getMessage() + "); R2.01 tells more");
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
        return open(deviceName());
    }

    /** Polls a completion queue, also for what came after level 1, until there is a completion. */
    WorkCompletion completion(CompletionQueue cq) {
        WorkCompletion[] wc = {new WorkCompletion()};
        long end = System.nanoTime() + patience().toNanos();
        while (true) {
            int n = cq.poll(1, wc, WorkCompletion.SIZE);
            Seen.check(n >= 0, "poll returned " + n);
            if (n == 1) {
                return wc[0];
            }
            Seen.check(System.nanoTime() < end, "no completion in " + patience().toMillis() + " ms");
            Thread.onSpinWait();
        }
    }

    /** A new domain of a context, or, where that has one only, the one. */
    ProtectionDomain domain(Context context) {
        return context.queryDevice().maxPd() == 1
                ? domains.computeIfAbsent(context, c -> opened(c.allocPd()))
                : opened(context.allocPd());
    }

    /** Opens the device in the library's place. */
    DirectContext openDirectly(VerbsProvider provider, int tableSize) {
        authors.saw(VerbsProvider.class, provider);
        if (direct != null && !hasSeveralContexts()) {
            abandon(direct); // a library closes once
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
                .filter(device -> deviceName() == null || device.name().equals(deviceName()))
                .findFirst()
                .orElseThrow(() -> new org.opentest4j.AssertionFailedError(
                        "devices() does not have " + (deviceName() == null ? "any device" : deviceName())));
    }

    /** Learns which class the author's verbs are of, to name it in a failure. */
    final void meetOps() {
        try {
            openDirectly(provider(), 0);
        } catch (RuntimeException | AssertionError e) {
            assert e != null; // then it stays unnamed; the failure at hand is the one to tell
        }
    }
}
