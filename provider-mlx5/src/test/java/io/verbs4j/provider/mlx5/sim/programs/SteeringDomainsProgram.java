/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.QueuePair;
import io.verbs4j.mlx5dv.DevxObject;
import io.verbs4j.mlx5dv.steering.FlowMatchParameters;
import io.verbs4j.mlx5dv.steering.MatchCriteria;
import io.verbs4j.mlx5dv.steering.OuterFields;
import io.verbs4j.mlx5dv.steering.Steering;
import io.verbs4j.mlx5dv.steering.SteeringAction;
import io.verbs4j.mlx5dv.steering.SteeringDomain;
import io.verbs4j.mlx5dv.steering.SteeringDomainType;
import io.verbs4j.mlx5dv.steering.SteeringMatcher;
import io.verbs4j.mlx5dv.steering.SteeringRule;
import io.verbs4j.mlx5dv.steering.SteeringTable;
import io.verbs4j.rdmacore.sim.Cases;
import io.verbs4j.rdmacore.sim.Check;
import io.verbs4j.rdmacore.sim.SimulatedDevice;
import io.verbs4j.rdmacore.sim.Simulator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Cases of domains, tables and rules that libmlx5 manages, on a simulated device. Each method is a case, run by its
 * name.
 */
public final class SteeringDomainsProgram {
    private static final int THREADS = 4;
    private static final int RULES = 100;

    private SteeringDomainsProgram() {}

    /** Runs the case named by the first argument, on the data path named by the second. */
    public static void main(String... args) {
        System.setProperty("io.verbs4j.mlx5.path", args[1]);
        Cases.run(args[0], name -> {
            DevxRig.run(SteeringDomainsProgram.class, name, null);
            Simulator.requireNoViolation();
        });
    }

    private static SteeringMatcher ports(SteeringRig rig, SteeringTable table, int priority) {
        return rig.opened(table.createMatcher(priority, MatchCriteria.OUTER, SteeringCasesProgram.macAndPort()));
    }

    /** Rules of the root, which libmlx5 passes to the kernel. */
    static void root() throws IOException {
        try (SteeringRig rig = new SteeringRig()) {
            Steering steering = rig.steering;
            CompletionQueue first = rig.completions();
            CompletionQueue second = rig.completions();
            CompletionQueue third = rig.completions();
            QueuePair narrow = rig.receiver(first);
            QueuePair wide = rig.receiver(second);
            DevxObject tir = rig.tir(rig.workQueue(third));
            SteeringRig.Counter counter = rig.new Counter(0);
            SteeringDomain domain = rig.opened(steering.createDomain(SteeringDomainType.NIC_RX));
            SteeringTable table = rig.opened(domain.createTable(0));
            SteeringMatcher ports = ports(rig, table, 1);
            SteeringMatcher macs = rig.opened(
                    table.createMatcher(2, MatchCriteria.OUTER, new FlowMatchParameters().fill(OuterFields.DMAC)));
            SteeringAction toNarrow = rig.opened(steering.createDestination(narrow));
            SteeringAction toWide = rig.opened(steering.createDestination(wide));
            SteeringAction toTir = rig.opened(steering.createDestination(tir));
            SteeringAction drop = rig.opened(steering.createDrop());
            SteeringAction tag = rig.opened(steering.createTag(0xabcdef));
            SteeringAction count = rig.opened(steering.createCounter(counter.object, 0));
            rig.opened(macs.createRule(SteeringCasesProgram.toMac(), toWide));
            FlowMatchParameters value = SteeringCasesProgram.toPort(4000);
            SteeringRule tagged = rig.opened(ports.createRule(value, tag, count, toNarrow));
            Check.same(ports, tagged.matcher());
            SteeringRule dropped = rig.opened(ports.createRule(value.put(OuterFields.UDP_DPORT, 5000), drop));
            rig.opened(ports.createRule(value.put(OuterFields.UDP_DPORT, 6000), toTir));

            rig.send(4000);
            rig.arrived(first, 4000, 0xabcdef);
            rig.send(5000);
            rig.send(4001);
            rig.arrived(second, 4001, 0);
            rig.send(6000);
            rig.arrived(third, 6000, 0);
            Check.equal(1, counter.packets(0), "packets");
            ByteArrayOutputStream text = new ByteArrayOutputStream();
            domain.dump(text);
            Check.require(text.toString(StandardCharsets.UTF_8).contains("uverbs0"), "the dump is " + text);
            text.reset();
            tagged.dump(text);
            Check.require(text.size() > 0, "the dump is empty");
            dropped.close();
            dropped.close();
            Check.fails(Errno.EINVAL, () -> dump(dropped));
            tagged.close();
            rig.send(5000);
            rig.arrived(second, 5000, 0);
            rig.send(4000);
            rig.arrived(second, 4000, 0);
            SteeringRig.none(first);
        }
    }

    private static void dump(SteeringRule rule) {
        try {
            rule.dump(new ByteArrayOutputStream());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    static void closing() {
        try (SteeringRig rig = new SteeringRig();
                Context other = SimulatedDevice.open("mlx5_0")) {
            Steering steering = rig.steering;
            CompletionQueue cq = rig.completions();
            QueuePair qp = rig.queuePair(cq);
            SteeringRig.Counter counter = rig.new Counter(0);
            SteeringDomain domain = steering.createDomain(SteeringDomainType.NIC_RX);
            SteeringTable table = domain.createTable(0);
            SteeringMatcher matcher = table.createMatcher(1, MatchCriteria.OUTER, SteeringCasesProgram.macAndPort());
            SteeringAction toQp = steering.createDestination(qp);
            SteeringAction count = steering.createCounter(counter.object, 0);
            FlowMatchParameters value = SteeringCasesProgram.toPort(4000);
            Check.fails(Errno.EBUSY, qp::close);
            SteeringRule rule = matcher.createRule(value, count, toQp);
            List<AutoCloseable> inUse = List.of(matcher, table, domain, toQp, count, qp, counter.object, rig.context);
            for (AutoCloseable busy : inUse) {
                Check.fails(Errno.EBUSY, () -> DevxRig.close(busy));
            }
            Check.fails(Errno.EINVAL, () -> matcher.createRule(value, toQp, null));
            Check.fails(Errno.EINVAL, () -> matcher.createRule(null, toQp));
            Check.fails(Errno.EINVAL, () -> matcher.createRule(value, new SteeringAction[33]));
            try (SteeringAction foreign = other.vendor(Steering.class).createDrop()) {
                Check.fails(Errno.EINVAL, () -> matcher.createRule(value, foreign));
            }
            rule.close();
            count.close();
            Check.fails(Errno.EINVAL, () -> matcher.createRule(value, toQp, count));
            for (AutoCloseable free : List.of(toQp, matcher, table, domain, qp)) {
                DevxRig.close(free); // a refused call keeps nothing open
                DevxRig.close(free);
            }
            Check.fails(Errno.EINVAL, () -> matcher.createRule(value));
            Check.fails(Errno.EINVAL, () -> domain.createTable(0));
            Check.fails(Errno.EINVAL, () -> steering.createDestination(qp));
            Check.fails(Errno.EINVAL, () -> steering.createDestination((QueuePair) null));
            Check.fails(Errno.EINVAL, () -> steering.createDestination(counter.object));
            Check.fails(Errno.EINVAL, () -> steering.createDomain(3));
            Check.fails(Errno.EINVAL, () -> steering.createCounter(null, 0));
            Check.fails(Errno.EINVAL, () -> steering.createMeter(null));
            Check.fails(Errno.EINVAL, () -> steering.createSampler(null));
        }
    }

    /** Several threads create rules of one matcher, each with its own values. */
    static void threads() throws InterruptedException {
        try (SteeringRig rig = new SteeringRig()) {
            CompletionQueue cq = rig.completions();
            SteeringAction toQp = rig.opened(rig.steering.createDestination(rig.receiver(cq)));
            SteeringDomain domain = rig.opened(rig.steering.createDomain(SteeringDomainType.NIC_RX));
            SteeringMatcher matcher = ports(rig, rig.opened(domain.createTable(0)), 1);
            AtomicReference<Throwable> failure = new AtomicReference<>();
            List<Thread> threads = new ArrayList<>();
            for (int t = 0; t < THREADS; t++) {
                int base = 1000 * (t + 1);
                Thread thread = new Thread(() -> insert(matcher, toQp, base));
                thread.setUncaughtExceptionHandler((who, e) -> failure.set(e));
                thread.start();
                threads.add(thread);
            }
            for (Thread thread : threads) {
                thread.join();
            }
            if (failure.get() != null) {
                throw new IllegalStateException(failure.get());
            }
            for (int t = 0; t < THREADS; t++) {
                int port = 1000 * (t + 1) + RULES - 1;
                rig.send(port - 1); // of a closed rule
                rig.send(port);
                rig.arrived(cq, port, 0);
            }
            SteeringRig.none(cq);
            LEFT.forEach(SteeringRule::close);
        }
    }

    private static final List<SteeringRule> LEFT = Collections.synchronizedList(new ArrayList<>());

    /** Inserts rules, and keeps only the last one. */
    private static void insert(SteeringMatcher matcher, SteeringAction action, int base) {
        FlowMatchParameters value = SteeringCasesProgram.toMac();
        List<SteeringRule> rules = new ArrayList<>();
        for (int i = 0; i < RULES; i++) {
            rules.add(matcher.createRule(value.put(OuterFields.UDP_DPORT, base + i), action));
        }
        LEFT.add(rules.remove(RULES - 1));
        rules.forEach(SteeringRule::close);
    }
}
