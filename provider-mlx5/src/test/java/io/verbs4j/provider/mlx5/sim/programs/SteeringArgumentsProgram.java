/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Errno;
import io.verbs4j.EspAesGcm;
import io.verbs4j.FlowActionEspAttr;
import io.verbs4j.FlowActionEspFlags;
import io.verbs4j.FlowFlags;
import io.verbs4j.QueuePair;
import io.verbs4j.mlx5dv.DevxObject;
import io.verbs4j.mlx5dv.steering.ActionDestination;
import io.verbs4j.mlx5dv.steering.AsoAction;
import io.verbs4j.mlx5dv.steering.AsoFlags;
import io.verbs4j.mlx5dv.steering.AsoLink;
import io.verbs4j.mlx5dv.steering.FlowMatchParameters;
import io.verbs4j.mlx5dv.steering.FlowMatcher;
import io.verbs4j.mlx5dv.steering.FlowMatcherAttr;
import io.verbs4j.mlx5dv.steering.FlowMeterAttr;
import io.verbs4j.mlx5dv.steering.FlowRuleAction;
import io.verbs4j.mlx5dv.steering.FlowSamplerAttr;
import io.verbs4j.mlx5dv.steering.FlowTableType;
import io.verbs4j.mlx5dv.steering.HeaderChanges;
import io.verbs4j.mlx5dv.steering.MatchCriteria;
import io.verbs4j.mlx5dv.steering.MatcherLayoutFlags;
import io.verbs4j.mlx5dv.steering.MeterAction;
import io.verbs4j.mlx5dv.steering.MiscFields;
import io.verbs4j.mlx5dv.steering.ModifyField;
import io.verbs4j.mlx5dv.steering.OuterFields;
import io.verbs4j.mlx5dv.steering.PacketReformatType;
import io.verbs4j.mlx5dv.steering.Steering;
import io.verbs4j.mlx5dv.steering.SteeringAction;
import io.verbs4j.mlx5dv.steering.SteeringActionFlags;
import io.verbs4j.mlx5dv.steering.SteeringAnchor;
import io.verbs4j.mlx5dv.steering.SteeringDomain;
import io.verbs4j.mlx5dv.steering.SteeringDomainType;
import io.verbs4j.mlx5dv.steering.SteeringMatcher;
import io.verbs4j.mlx5dv.steering.SteeringRule;
import io.verbs4j.mlx5dv.steering.SteeringSyncFlags;
import io.verbs4j.mlx5dv.steering.SteeringTable;
import io.verbs4j.rdmacore.sim.Check;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * Calls each function of steering in a library that stands in for libmlx5, and prints what arrives; see
 * {@code src/test/c/fakesteering.c}. The first argument is the part, the second the library.
 */
public final class SteeringArgumentsProgram {
    private SteeringArgumentsProgram() {}

    public static void main(String... args) throws ReflectiveOperationException {
        System.setProperty("io.verbs4j.mlx5.libmlx5", args[1]);
        System.setProperty("io.verbs4j.mlx5.path", "native"); // Java's path needs mlx5dv_init_obj itself
        DevxRig.run(SteeringArgumentsProgram.class, args[0], null);
        System.out.println("done " + args[0]);
    }

    private static FlowMatchParameters mask() {
        return new FlowMatchParameters().fill(OuterFields.UDP_DPORT).fill(MiscFields.VXLAN_VNI);
    }

    private static FlowMatchParameters value() {
        return new FlowMatchParameters().put(OuterFields.UDP_DPORT, 0x1234);
    }

    static void matchers() {
        try (SteeringRig rig = new SteeringRig()) {
            Steering steering = rig.steering;
            QueuePair qp = rig.receiver(rig.completions());
            DevxObject devx = rig.new Counter(1).object;
            FlowMatcher matcher = steering.createMatcher(new FlowMatcherAttr()
                    .flags(FlowFlags.EGRESS)
                    .priority(0xfffe)
                    .mask(mask())
                    .tableType(FlowTableType.RDMA_TRANSPORT_TX)
                    .ibPort(3));
            FlowMatcher plain = steering.createMatcher(
                    new FlowMatcherAttr().type(2).mask(mask()).criteria(0xff));
            FlowRuleAction counted = FlowRuleAction.counter(devx);
            Check.fails(Errno.EEXIST, () -> matcher.createRule(value(), FlowRuleAction.queuePair(qp)));
            Check.fails(Errno.EEXIST, () -> plain.createRule(mask(), FlowRuleAction.drop()));
            several(matcher, FlowRuleAction.tag(0xabcdef), counted, FlowRuleAction.devx(devx));
            several(matcher, FlowRuleAction.counter(devx, 7), FlowRuleAction.defaultMiss());
            devx.close(); // a refused call keeps nothing open
            plain.close();
            matcher.close();
        }
    }

    /** Without the newer function, the element length is known only for a single action or an old release. */
    private static void several(FlowMatcher matcher, FlowRuleAction... actions) {
        int errno = Check.failure(() -> matcher.createRule(value(), actions)).errno();
        Check.require(errno == Errno.EEXIST || errno == Errno.EOPNOTSUPP, Errno.name(errno));
        System.out.println("several: " + Errno.name(errno));
    }

    static void flowActions() {
        try (SteeringRig rig = new SteeringRig()) {
            Steering steering = rig.steering;
            byte[] key = new byte[16];
            key[0] = 1;
            key[15] = 2;
            Check.fails(
                    Errno.EEXIST,
                    () -> steering.createEsp(
                            new FlowActionEspAttr()
                                    .spi(0x11)
                                    .seq(12)
                                    .tfcPad(13)
                                    .flags(FlowActionEspFlags.FULL_OFFLOAD | FlowActionEspFlags.ENCRYPT)
                                    .hardLimitPkts(1L << 40)
                                    .key(new EspAesGcm(key)
                                            .iv(0x1122_3344_5566_7788L)
                                            .salt(0x99))
                                    .replayWindow(64)
                                    .esn(0x55),
                            Steering.ESP_REQUIRE_METADATA));
            FlowActionEspAttr least = new FlowActionEspAttr().spi(0).key(new EspAesGcm(new byte[32]).icvLen(8));
            Check.fails(Errno.EEXIST, () -> steering.createEsp(least, 0));
            Check.fails(Errno.EINVAL, () -> steering.createEsp(new FlowActionEspAttr().spi(1), 0));
            Check.fails(Errno.EINVAL, () -> steering.createEsp(null, 0));
            HeaderChanges changes = new HeaderChanges().set(ModifyField.UDP_DPORT, 0, 16, 0x4321);
            Check.fails(Errno.EEXIST, () -> steering.createModifyHeader(changes, FlowTableType.NIC_TX));
            Check.fails(
                    Errno.EEXIST,
                    () -> steering.createPacketReformat(
                            PacketReformatType.L2_TO_L3_TUNNEL, new byte[] {7, 8, 9}, FlowTableType.FDB));
            Check.fails(
                    Errno.EEXIST,
                    () -> steering.createPacketReformat(
                            PacketReformatType.L2_TUNNEL_TO_L2, null, FlowTableType.NIC_RX));
            SteeringAnchor anchor = steering.createAnchor(FlowTableType.RDMA_RX, 0xfffd);
            Check.equal(0x1234, anchor.id(), "id");
            Check.fails(Errno.EBUSY, rig.context::close);
            anchor.close();
            Check.fails(Errno.EINVAL, () -> steering.createAnchor(FlowTableType.NIC_RX, -1));
        }
    }

    static void domains() throws IOException {
        try (SteeringRig rig = new SteeringRig()) {
            SteeringDomain domain = rig.opened(rig.steering.createDomain(SteeringDomainType.NIC_TX));
            domain.sync(SteeringSyncFlags.SW | SteeringSyncFlags.MEM);
            Check.fails(Errno.EOPNOTSUPP, () -> domain.sync(8));
            domain.reclaimDeviceMemory(true);
            domain.reclaimDeviceMemory(false);
            domain.allowDuplicateRules(false);
            domain.allowDuplicateRules(true);
            SteeringTable table = rig.opened(domain.createTable(-1));
            SteeringMatcher matcher = rig.opened(table.createMatcher(0xfffe, MatchCriteria.OUTER, mask()));
            matcher.setLayout(MatcherLayoutFlags.NUM_RULE, 20);
            Check.fails(Errno.EINVAL, () -> table.createMatcher(0x1_0000, 1, mask()));
            Check.fails(Errno.EINVAL, () -> table.createMatcher(0, 0x100, mask()));
            Check.fails(Errno.EINVAL, () -> table.createMatcher(0, 1, null));
            SteeringAction drop = rig.opened(rig.steering.createDrop());
            SteeringAction tag = rig.opened(rig.steering.createTag(-1));
            SteeringRule rule = matcher.createRule(mask(), tag, drop);
            SteeringRule second = rig.opened(matcher.createRule(value())); // nothing remains of the first value
            for (Dump dump : new Dump[] {domain::dump, table::dump, matcher::dump, rule::dump, second::dump}) {
                ByteArrayOutputStream text = new ByteArrayOutputStream();
                dump.to(text);
                System.out.print("dumped " + text.toString(StandardCharsets.UTF_8));
            }
            Check.fails(Errno.EINVAL, () -> unchecked(rule::dump, null));
            Check.fails(Errno.EINVAL, () -> unchecked(domain::dump, null));
            SteeringDomain other = rig.opened(rig.steering.createDomain(SteeringDomainType.FDB));
            Check.fails(Errno.EINVAL, () -> unchecked(other::dump, new ByteArrayOutputStream()));
            Check.fails(Errno.EIO, rule::close);
            rule.close(); // unchanged
            rule.close();
        }
    }

    private interface Dump {
        void to(java.io.OutputStream stream) throws IOException;
    }

    private static void unchecked(Dump dump, ByteArrayOutputStream to) {
        try {
            dump.to(to);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    static void actions() {
        try (SteeringRig rig = new SteeringRig()) {
            Steering steering = rig.steering;
            CompletionQueue cq = rig.completions();
            QueuePair qp = rig.queuePair(cq);
            DevxObject devx = rig.new Counter(0).object;
            SteeringDomain domain = rig.opened(steering.createDomain(SteeringDomainType.NIC_RX));
            SteeringDomain peer = steering.createDomain(SteeringDomainType.FDB);
            SteeringTable table = domain.createTable(1);
            SteeringAction toQp = steering.createDestination(qp);
            SteeringAction toTable = table.createDestination();
            rig.opened(table.createRootDestination(0xfffd)).close();
            rig.opened(steering.createDestination(devx)).close();
            rig.opened(steering.createDefaultMiss()).close();
            rig.opened(steering.createTag(0xabcdef)).close();
            rig.opened(steering.createPopVlan()).close();
            rig.opened(steering.createCounter(devx, -2)).close();
            rig.opened(domain.createPushVlan(0x8100_6123)).close();
            rig.opened(domain.createPortDestination(2)).close();
            rig.opened(domain.createVportDestination(0xffff)).close();
            SteeringAction tunnel = domain.createPacketReformat(
                    SteeringActionFlags.ROOT_LEVEL, PacketReformatType.L2_TO_L2_TUNNEL, new byte[] {7, 8, 9});
            rig.opened(domain.createPacketReformat(0, PacketReformatType.L2_TUNNEL_TO_L2, null))
                    .close();
            rig.opened(domain.createModifyHeader(
                            SteeringActionFlags.ROOT_LEVEL, new HeaderChanges().add(ModifyField.IP_TTL, -1)))
                    .close();
            SteeringAction all = domain.createDestinations(
                    ActionDestination.of(toTable), ActionDestination.of(tunnel, toQp), ActionDestination.of(toQp));
            AsoAction aso = domain.createAso(devx, 7, AsoFlags.FLOW_METER_GREEN, 0xfe);
            aso.modify(8, AsoFlags.FLOW_METER_RED, 3);
            FlowMeterAttr meterAttr = new FlowMeterAttr()
                    .nextTable(table)
                    .active(true)
                    .register(5)
                    .parameters(new byte[] {4, 5, 6});
            MeterAction meter = steering.createMeter(meterAttr);
            meter.modify(meterAttr.active(false).register(6).parameters(new byte[] {1}), 0x0102L << 48);
            SteeringAction sampler = steering.createSampler(new FlowSamplerAttr()
                    .ratio(1000)
                    .nextTable(table)
                    .actions(toQp, tunnel)
                    .change(0x1122_3344_5566_7788L));
            AsoLink link = domain.linkAso(devx, peer, AsoFlags.CT_DIRECTION_RESPONDER, 4);
            Check.fails(Errno.EINVAL, () -> domain.linkAso(devx, peer, 3, 4));
            Check.fails(Errno.EINVAL, () -> domain.linkAso(devx, peer, 1, 256));
            Check.fails(Errno.EINVAL, () -> domain.linkAso(devx, null, 1, 1));
            Check.fails(Errno.EINVAL, () -> domain.createAso(devx, 1, 1, -1));
            Check.fails(Errno.EINVAL, () -> aso.modify(1, 1, 256));
            Check.fails(Errno.EINVAL, () -> domain.createDestinations());
            Check.fails(Errno.EINVAL, () -> domain.createDestinations(ActionDestination.of(toQp), null));
            Check.fails(
                    Errno.EINVAL,
                    () -> domain.createDestinations(ActionDestination.of(toQp), ActionDestination.of(null, toQp)));
            Check.fails(Errno.EINVAL, () -> steering.createMeter(new FlowMeterAttr()));
            Check.fails(Errno.EINVAL, () -> steering.createMeter(new FlowMeterAttr().register(256)));
            Check.fails(Errno.EINVAL, () -> steering.createSampler(new FlowSamplerAttr().actions(toQp)));
            Check.fails(Errno.EINVAL, () -> table.createRootDestination(0x1_0000));
            Check.fails(Errno.EINVAL, () -> domain.createModifyHeader(0, null));

            // This library keeps no counts.
            for (AutoCloseable busy : new AutoCloseable[] {qp, devx, domain, peer, table, toQp, toTable, tunnel}) {
                Check.fails(Errno.EBUSY, () -> DevxRig.close(busy));
            }
            for (AutoCloseable free :
                    new AutoCloseable[] {link, peer, sampler, meter, aso, devx, all, toTable, table, tunnel, toQp, qp
                    }) {
                DevxRig.close(free);
                DevxRig.close(free);
            }
            Check.fails(Errno.EINVAL, () -> aso.modify(1, 1, 1));
        }
    }

    /** Functions that an old library lacks, by name and release. */
    static void lacking() {
        try (SteeringRig rig = new SteeringRig()) {
            Steering steering = rig.steering;
            QueuePair qp = rig.receiver(rig.completions());
            DevxObject devx = rig.new Counter(0).object;
            SteeringDomain domain = rig.opened(steering.createDomain(SteeringDomainType.NIC_RX));
            SteeringTable table = rig.opened(domain.createTable(1));
            HeaderChanges changes = new HeaderChanges().raw(1);
            ByteArrayOutputStream text = new ByteArrayOutputStream();
            String create = "mlx5dv_create_";
            FlowActionEspAttr esp = new FlowActionEspAttr().spi(1).key(new EspAesGcm(new byte[16]));
            String action = "mlx5dv_dr_action_create_";
            FlowMatcherAttr attr = new FlowMatcherAttr().mask(mask());
            DevxRig.lacks(create + "flow_matcher", 20, () -> steering.createMatcher(attr));
            DevxRig.lacks(create + "flow_action_esp", 18, () -> steering.createEsp(esp, 0));
            DevxRig.lacks(create + "flow_action_modify_header", 21, () -> steering.createModifyHeader(changes, 0));
            DevxRig.lacks(create + "flow_action_packet_reformat", 21, () -> steering.createPacketReformat(0, null, 0));
            DevxRig.lacks(create + "steering_anchor", 42, () -> steering.createAnchor(0, 0));
            DevxRig.lacks("mlx5dv_dr_domain_sync", 24, () -> domain.sync(1));
            DevxRig.lacks("mlx5dv_dr_domain_set_reclaim_device_memory", 30, () -> domain.reclaimDeviceMemory(true));
            DevxRig.lacks("mlx5dv_dr_domain_allow_duplicate_rules", 36, () -> domain.allowDuplicateRules(true));
            DevxRig.lacks("mlx5dv_dump_dr_domain", 28, () -> unchecked(domain::dump, text));
            DevxRig.lacks("mlx5dv_dump_dr_table", 28, () -> unchecked(table::dump, text));
            DevxRig.lacks("mlx5dv_dr_matcher_create", 24, () -> table.createMatcher(0, 1, mask()));
            DevxRig.lacks(action + "drop", 24, steering::createDrop);
            DevxRig.lacks(action + "default_miss", 30, steering::createDefaultMiss);
            DevxRig.lacks(action + "tag", 24, () -> steering.createTag(1));
            DevxRig.lacks(action + "pop_vlan", 33, steering::createPopVlan);
            DevxRig.lacks(action + "dest_ibv_qp", 24, () -> steering.createDestination(qp));
            DevxRig.lacks(action + "dest_devx_tir", 31, () -> steering.createDestination(devx));
            DevxRig.lacks(action + "flow_counter", 24, () -> steering.createCounter(devx, 0));
            DevxRig.lacks(action + "flow_meter", 28, () -> steering.createMeter(new FlowMeterAttr().nextTable(table)));
            DevxRig.lacks(
                    action + "flow_sampler", 32, () -> steering.createSampler(new FlowSamplerAttr().nextTable(table)));
            DevxRig.lacks(action + "dest_table", 24, table::createDestination);
            DevxRig.lacks(action + "dest_root_table", 42, () -> table.createRootDestination(1));
            DevxRig.lacks(action + "dest_vport", 24, () -> domain.createVportDestination(1));
            DevxRig.lacks(action + "dest_ib_port", 37, () -> domain.createPortDestination(1));
            DevxRig.lacks(action + "dest_array", 32, () -> domain.createDestinations(ActionDestination.of(null)));
            DevxRig.lacks(action + "modify_header", 24, () -> domain.createModifyHeader(0, changes));
            DevxRig.lacks(action + "packet_reformat", 24, () -> domain.createPacketReformat(0, 0, null));
            DevxRig.lacks(action + "push_vlan", 33, () -> domain.createPushVlan(0x8100_0001));
            DevxRig.lacks(action + "aso", 33, () -> domain.createAso(devx, 0, 0, 0));
            DevxRig.lacks("mlx5dv_dr_aso_other_domain_link", 38, () -> domain.linkAso(devx, domain, 1, 0));
        }
    }
}
