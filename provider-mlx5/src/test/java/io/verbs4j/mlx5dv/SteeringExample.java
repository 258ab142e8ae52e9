/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

import io.verbs4j.Context;
import io.verbs4j.QueuePair;
import io.verbs4j.mlx5dv.steering.FlowMatchParameters;
import io.verbs4j.mlx5dv.steering.FlowMatcher;
import io.verbs4j.mlx5dv.steering.FlowMatcherAttr;
import io.verbs4j.mlx5dv.steering.FlowRule;
import io.verbs4j.mlx5dv.steering.FlowRuleAction;
import io.verbs4j.mlx5dv.steering.MatchCriteria;
import io.verbs4j.mlx5dv.steering.OuterFields;
import io.verbs4j.mlx5dv.steering.Steering;
import io.verbs4j.mlx5dv.steering.SteeringAction;
import io.verbs4j.mlx5dv.steering.SteeringDomain;
import io.verbs4j.mlx5dv.steering.SteeringDomainType;
import io.verbs4j.mlx5dv.steering.SteeringMatcher;
import io.verbs4j.mlx5dv.steering.SteeringRule;
import io.verbs4j.mlx5dv.steering.SteeringSyncFlags;
import io.verbs4j.mlx5dv.steering.SteeringTable;

/** Steering rules, as shown in docs/guides/mlx5dv.md. */
public final class SteeringExample {
    private SteeringExample() {}

    /** What runs while the rules exist. */
    public interface Traffic {
        /** Called once. */
        void run();
    }

    /** Installs one rule in the kernel's tables. */
    @SuppressWarnings("try") // the rule only has to exist
    public static void kernel(Context context, QueuePair qp, long mac, Traffic traffic) {
        Steering steering = context.vendor(Steering.class);
        FlowMatchParameters mask =
                new FlowMatchParameters().fill(OuterFields.DMAC).fill(OuterFields.UDP_DPORT);
        FlowMatchParameters value =
                new FlowMatchParameters().put(OuterFields.DMAC, mac).put(OuterFields.UDP_DPORT, 4000);
        try (FlowMatcher matcher =
                        steering.createMatcher(new FlowMatcherAttr().mask(mask).priority(1));
                FlowRule rule = matcher.createRule(value, FlowRuleAction.tag(0x77), FlowRuleAction.queuePair(qp))) {
            traffic.run();
        }
    }

    /** Installs many rules in a table of the program. */
    @SuppressWarnings("try") // the rules only have to exist
    public static void domain(Context context, QueuePair qp, int first, int count, Traffic traffic) {
        Steering steering = context.vendor(Steering.class);
        FlowMatchParameters all = new FlowMatchParameters();
        FlowMatchParameters mask =
                new FlowMatchParameters().put(OuterFields.IP_VERSION, 4).fill(OuterFields.UDP_DPORT);
        SteeringRule[] rules = new SteeringRule[count];
        try (SteeringDomain domain = steering.createDomain(SteeringDomainType.NIC_RX);
                SteeringTable root = domain.createTable(0);
                SteeringTable table = domain.createTable(1);
                SteeringAction toTable = table.createDestination();
                SteeringMatcher everything = root.createMatcher(0, 0, all);
                SteeringRule begin = everything.createRule(all, toTable);
                SteeringMatcher matcher = table.createMatcher(0, MatchCriteria.OUTER, mask);
                SteeringAction toQp = steering.createDestination(qp)) {
            FlowMatchParameters value = new FlowMatchParameters().put(OuterFields.IP_VERSION, 4);
            for (int i = 0; i < count; i++) {
                rules[i] = matcher.createRule(value.put(OuterFields.UDP_DPORT, first + i), toQp);
            }
            domain.sync(SteeringSyncFlags.SW); // from now on, the device has all of them
            traffic.run();
            for (SteeringRule rule : rules) {
                rule.close();
            }
        }
    }
}
