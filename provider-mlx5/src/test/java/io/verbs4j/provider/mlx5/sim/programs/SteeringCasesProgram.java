/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.FlowType;
import io.verbs4j.QueuePair;
import io.verbs4j.WorkQueue;
import io.verbs4j.mlx5dv.DevxObject;
import io.verbs4j.mlx5dv.SteeringExample;
import io.verbs4j.mlx5dv.steering.FlowMatchParameters;
import io.verbs4j.mlx5dv.steering.FlowMatcher;
import io.verbs4j.mlx5dv.steering.FlowMatcherAttr;
import io.verbs4j.mlx5dv.steering.FlowRule;
import io.verbs4j.mlx5dv.steering.FlowRuleAction;
import io.verbs4j.mlx5dv.steering.FlowTableType;
import io.verbs4j.mlx5dv.steering.HeaderChanges;
import io.verbs4j.mlx5dv.steering.MatchCriteria;
import io.verbs4j.mlx5dv.steering.MiscFields;
import io.verbs4j.mlx5dv.steering.ModifyField;
import io.verbs4j.mlx5dv.steering.OuterFields;
import io.verbs4j.mlx5dv.steering.Steering;
import io.verbs4j.rdmacore.sim.Cases;
import io.verbs4j.rdmacore.sim.Check;
import io.verbs4j.rdmacore.sim.SimulatedDevice;
import io.verbs4j.rdmacore.sim.Simulator;

/**
 * Cases of matchers and rules of the kernel's tables, on a simulated device. Each method is a case, run by its name.
 */
public final class SteeringCasesProgram {
    private SteeringCasesProgram() {}

    /** Runs the case named by the first argument, on the data path named by the second. */
    public static void main(String... args) {
        System.setProperty("io.verbs4j.mlx5.path", args[1]);
        Cases.run(args[0], name -> {
            DevxRig.run(SteeringCasesProgram.class, name, null);
            Simulator.requireNoViolation();
        });
    }

    static FlowMatchParameters toMac() {
        return new FlowMatchParameters().put(OuterFields.DMAC, SteeringRig.MAC);
    }

    static FlowMatchParameters toPort(int port) {
        return toMac().put(OuterFields.UDP_DPORT, port);
    }

    static FlowMatchParameters macAndPort() {
        return new FlowMatchParameters().fill(OuterFields.DMAC).fill(OuterFields.UDP_DPORT);
    }

    private static FlowMatcher matcher(SteeringRig rig, int priority, FlowMatchParameters mask) {
        return rig.opened(rig.steering.createMatcher(
                new FlowMatcherAttr().priority(priority).mask(mask)));
    }

    /** Frames are tagged, counted and dropped, by priority, to queue pairs and a TIR. */
    static void rules() {
        try (SteeringRig rig = new SteeringRig()) {
            Check.same(rig.context, rig.steering.context());
            Check.same(rig.steering, rig.context.vendor(Steering.class));
            CompletionQueue first = rig.completions();
            CompletionQueue second = rig.completions();
            CompletionQueue third = rig.completions();
            QueuePair narrow = rig.receiver(first);
            QueuePair wide = rig.receiver(second);
            DevxObject tir = rig.tir(rig.workQueue(third));
            SteeringRig.Counter counter = rig.new Counter(0);
            FlowMatcher ports = matcher(rig, 1, macAndPort());
            FlowMatcher macs = matcher(rig, 2, new FlowMatchParameters().fill(OuterFields.DMAC));
            rig.opened(macs.createRule(toMac(), FlowRuleAction.queuePair(wide)));
            FlowRule tagged = rig.opened(ports.createRule(
                    toPort(4000),
                    FlowRuleAction.tag(0xabcdef),
                    FlowRuleAction.counter(counter.object),
                    FlowRuleAction.queuePair(narrow)));
            FlowRule dropped = rig.opened(ports.createRule(toPort(5000), FlowRuleAction.drop()));
            rig.opened(ports.createRule(toPort(6000), FlowRuleAction.devx(tir)));

            rig.send(4000);
            rig.arrived(first, 4000, 0xabcdef);
            rig.send(5000);
            rig.send(0x02_00_00_00_00_08L, 4000);
            rig.send(4001);
            rig.arrived(second, 4001, 0);
            rig.send(6000);
            rig.arrived(third, 6000, 0);
            rig.send(4000);
            rig.arrived(first, 4000, 0xabcdef);
            Check.equal(2, counter.packets(0), "packets");
            dropped.close();
            dropped.close();
            rig.send(5000);
            rig.arrived(second, 5000, 0);
            tagged.close();
            rig.send(4000);
            rig.arrived(second, 4000, 0);
            SteeringRig.none(first);
            Check.equal(2, counter.packets(0), "packets");
        }
    }

    /** Uses one of several counters that were created together. */
    static void offsets() {
        try (SteeringRig rig = new SteeringRig()) {
            CompletionQueue cq = rig.completions();
            QueuePair qp = rig.receiver(cq);
            SteeringRig.Counter counters = rig.new Counter(1);
            FlowMatcher ports = matcher(rig, 0, macAndPort());
            rig.opened(ports.createRule(
                    toPort(4000), FlowRuleAction.counter(counters.object, 3), FlowRuleAction.queuePair(qp)));
            rig.send(4000);
            rig.arrived(cq, 4000, 0);
            Check.equal(1, counters.packets(3), "packets");
            Check.equal(0, counters.packets(0), "packets");
        }
    }

    /** Objects in use stay open, and closed objects are refused. */
    static void closing() {
        try (SteeringRig rig = new SteeringRig();
                Context other = SimulatedDevice.open("mlx5_0")) {
            CompletionQueue cq = rig.completions();
            QueuePair qp = rig.queuePair(cq);
            WorkQueue wq = rig.workQueue(cq);
            DevxObject tir = rig.tir(wq);
            SteeringRig.Counter counter = rig.new Counter(0);
            FlowMatcher matcher = matcher(rig, 1, macAndPort());
            FlowRuleAction toQp = FlowRuleAction.queuePair(qp);
            FlowRule rule = matcher.createRule(toPort(4000), toQp, FlowRuleAction.counter(counter.object));
            FlowRule toTir = matcher.createRule(toPort(4001), FlowRuleAction.devx(tir));
            Check.fails(Errno.EBUSY, matcher::close);
            Check.fails(Errno.EBUSY, qp::close);
            Check.fails(Errno.EBUSY, tir::close);
            Check.fails(Errno.EBUSY, counter.object::close);
            Check.fails(Errno.EBUSY, rig.context::close);
            rule.close();
            toTir.close();

            // A refused rule keeps nothing open, wherever it was refused.
            Check.fails(
                    Errno.EINVAL, () -> matcher.createRule(toPort(1), toQp, FlowRuleAction.counter(tir), toQp, null));
            Check.fails(Errno.EINVAL, () -> matcher.createRule(toPort(1), toQp, FlowRuleAction.queuePair(null)));
            Check.fails(Errno.EOPNOTSUPP, () -> matcher.createRule(toPort(1), toQp, FlowRuleAction.drop()));
            qp.close();
            Check.fails(Errno.EINVAL, () -> matcher.createRule(toPort(1), toQp));
            matcher.close();
            matcher.close();
            Check.fails(Errno.EINVAL, () -> matcher.createRule(toPort(1), FlowRuleAction.drop()));

            Steering another = other.vendor(Steering.class);
            FlowMatcher foreign = another.createMatcher(new FlowMatcherAttr().mask(macAndPort()));
            Check.fails(Errno.EINVAL, () -> foreign.createRule(toPort(1), FlowRuleAction.devx(tir)));
            Check.fails(Errno.EBUSY, other::close);
            foreign.close();
        }
    }

    static void refusals() {
        try (SteeringRig rig = new SteeringRig()) {
            Steering steering = rig.steering;
            FlowMatchParameters mask = macAndPort();
            Check.fails(Errno.EINVAL, () -> steering.createMatcher(null));
            Check.fails(Errno.EINVAL, () -> steering.createMatcher(new FlowMatcherAttr().mask(null)));
            Check.fails(
                    Errno.EINVAL,
                    () -> steering.createMatcher(
                            new FlowMatcherAttr().mask(mask).priority(0x1_0000)));
            Check.fails(
                    Errno.EINVAL,
                    () -> steering.createMatcher(
                            new FlowMatcherAttr().mask(mask).criteria(0x100)));
            Check.fails(
                    Errno.EINVAL,
                    () -> steering.createMatcher(
                            new FlowMatcherAttr().mask(mask).criteria(MatchCriteria.INNER))); // bits of outer headers
            Check.fails(
                    Errno.EOPNOTSUPP,
                    () -> steering.createMatcher(
                            new FlowMatcherAttr().mask(mask).type(FlowType.SNIFFER)));
            Check.fails(
                    Errno.EOPNOTSUPP,
                    () -> steering.createMatcher(
                            new FlowMatcherAttr().mask(mask).tableType(FlowTableType.RDMA_RX)));
            Check.fails(
                    Errno.EOPNOTSUPP,
                    () -> steering.createMatcher(
                            new FlowMatcherAttr().mask(mask).ibPort(1)));
            FlowMatcher matcher = steering.createMatcher(new FlowMatcherAttr()
                    .mask(mask)
                    .tableType(FlowTableType.NIC_RX)
                    .criteria(MatchCriteria.OUTER));
            Check.fails(Errno.EINVAL, () -> matcher.createRule(null, FlowRuleAction.drop()));
            Check.fails(
                    Errno.EINVAL,
                    () -> matcher.createRule(toPort(1).put(MiscFields.VXLAN_VNI, 7), FlowRuleAction.drop()));
            Check.fails(Errno.EINVAL, () -> matcher.createRule(toPort(1), (FlowRuleAction[]) null));
            Check.fails(Errno.EINVAL, () -> matcher.createRule(toPort(1), new FlowRuleAction[33]));
            FlowRule rule = matcher.createRule(toPort(1), FlowRuleAction.drop());
            rule.close();
            matcher.close();
            Check.fails(Errno.EINVAL, () -> steering.createModifyHeader(new HeaderChanges(), FlowTableType.NIC_RX));
            Check.fails(Errno.EINVAL, () -> steering.createEsp(null, 0));
            Check.fails(
                    Errno.EOPNOTSUPP, // unsupported by this device
                    () -> steering.createModifyHeader(
                            new HeaderChanges().set(ModifyField.UDP_DPORT, 0, 16, 1), FlowTableType.FDB));
        }
    }

    /** Functions newer than the library. */
    static void lacking() {
        try (SteeringRig rig = new SteeringRig()) {
            DevxRig.lacks(
                    "mlx5dv_create_steering_anchor", 42, () -> rig.steering.createAnchor(FlowTableType.NIC_RX, 1));
            FlowMatcher matcher = matcher(rig, 0, macAndPort());
            SteeringRig.Counter counters = rig.new Counter(1);
            Check.fails(
                    Errno.EOPNOTSUPP, () -> matcher.createRule(toPort(1), FlowRuleAction.counter(counters.object, 1)));
        }
    }

    /** Runs the programs of the documentation. */
    static void examples() {
        try (SteeringRig rig = new SteeringRig()) {
            CompletionQueue cq = rig.completions();
            QueuePair qp = rig.receiver(cq);
            SteeringExample.kernel(rig.context, qp, SteeringRig.MAC, () -> {
                rig.send(4000);
                rig.arrived(cq, 4000, 0x77);
            });
            SteeringExample.domain(rig.context, qp, 5000, 100, () -> {
                rig.send(4000); // of a closed rule
                rig.send(5000);
                rig.send(5099);
                rig.arrived(cq, 5000, 0);
                rig.arrived(cq, 5099, 0);
            });
            SteeringRig.none(cq);
        }
    }
}
