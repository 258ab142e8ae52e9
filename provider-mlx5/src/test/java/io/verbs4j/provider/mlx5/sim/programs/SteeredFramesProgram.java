/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Errno;
import io.verbs4j.FlowFlags;
import io.verbs4j.VerbsException;
import io.verbs4j.mlx5dv.steering.ActionDestination;
import io.verbs4j.mlx5dv.steering.FlowMatchParameters;
import io.verbs4j.mlx5dv.steering.FlowMatcher;
import io.verbs4j.mlx5dv.steering.FlowMatcherAttr;
import io.verbs4j.mlx5dv.steering.FlowMeterAttr;
import io.verbs4j.mlx5dv.steering.FlowRule;
import io.verbs4j.mlx5dv.steering.FlowRuleAction;
import io.verbs4j.mlx5dv.steering.FlowSamplerAttr;
import io.verbs4j.mlx5dv.steering.FlowTableType;
import io.verbs4j.mlx5dv.steering.HeaderChanges;
import io.verbs4j.mlx5dv.steering.MatchCriteria;
import io.verbs4j.mlx5dv.steering.MatcherLayoutFlags;
import io.verbs4j.mlx5dv.steering.MeterAction;
import io.verbs4j.mlx5dv.steering.Misc2Fields;
import io.verbs4j.mlx5dv.steering.Mlx5FlowAction;
import io.verbs4j.mlx5dv.steering.ModifyField;
import io.verbs4j.mlx5dv.steering.OuterFields;
import io.verbs4j.mlx5dv.steering.PacketReformatType;
import io.verbs4j.mlx5dv.steering.Steering;
import io.verbs4j.mlx5dv.steering.SteeringAction;
import io.verbs4j.mlx5dv.steering.SteeringAnchor;
import io.verbs4j.mlx5dv.steering.SteeringDomain;
import io.verbs4j.mlx5dv.steering.SteeringDomainType;
import io.verbs4j.mlx5dv.steering.SteeringMatcher;
import io.verbs4j.mlx5dv.steering.SteeringRule;
import io.verbs4j.mlx5dv.steering.SteeringSyncFlags;
import io.verbs4j.mlx5dv.steering.SteeringTable;
import io.verbs4j.rdmacore.sim.Cases;
import io.verbs4j.rdmacore.sim.Check;
import io.verbs4j.rdmacore.sim.Simulator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Cases of tables that libmlx5 writes by itself, and of actions that change frames, on a simulated device. Each method
 * is a case, run by its name.
 */
public final class SteeredFramesProgram {
    private static final int TAG_LENGTH = 4;

    private final SteeringRig rig;
    private final Steering steering;
    private final CompletionQueue cq;
    private final SteeringAction toQp;

    private SteeredFramesProgram(SteeringRig rig) {
        this.rig = rig;
        steering = rig.steering;
        cq = rig.completions();
        toQp = rig.opened(steering.createDestination(rig.receiver(cq)));
    }

    /** Runs the case named by the first argument, on the data path named by the second. */
    public static void main(String... args) {
        System.setProperty("io.verbs4j.mlx5.path", args[1]);
        Cases.run(args[0], name -> {
            try (SteeringRig rig = new SteeringRig()) {
                DevxRig.run(SteeredFramesProgram.class, name, new SteeredFramesProgram(rig));
            }
            Simulator.requireNoViolation();
        });
    }

    /** A domain that sends all frames from the root to a table. */
    private final class Tables {
        final SteeringDomain domain;
        final SteeringTable root;
        final SteeringTable first;
        final SteeringMatcher all;

        Tables(Steering of, int type) {
            domain = rig.opened(of.createDomain(type));
            root = rig.opened(domain.createTable(0));
            first = rig.opened(domain.createTable(1));
            all = all(first);
            rig.opened(all(root).createRule(new FlowMatchParameters(), rig.opened(first.createDestination())));
        }

        SteeringTable table(int level) {
            return rig.opened(domain.createTable(level));
        }
    }

    private SteeringMatcher all(SteeringTable table) {
        return rig.opened(table.createMatcher(0, 0, new FlowMatchParameters()));
    }

    private SteeringRule forAll(SteeringMatcher matcher, SteeringAction... actions) {
        return rig.opened(matcher.createRule(new FlowMatchParameters(), actions));
    }

    private static FlowMatchParameters portMask() {
        return port(0xffff); // libmlx5 wants the version's number in the mask as well
    }

    private static FlowMatchParameters port(int port) {
        return new FlowMatchParameters().put(OuterFields.UDP_DPORT, port).put(OuterFields.IP_VERSION, 4);
    }

    void tables() throws IOException {
        Tables rx = new Tables(steering, SteeringDomainType.NIC_RX);
        rx.domain.reclaimDeviceMemory(true);
        SteeringMatcher ports = rig.opened(rx.first.createMatcher(0, MatchCriteria.OUTER, portMask()));
        SteeringAction tag = rig.opened(steering.createTag(0xabcdef));
        SteeringRig.Counter counter = rig.new Counter(0);
        SteeringAction count = rig.opened(steering.createCounter(counter.object, 0));
        SteeringRule tagged = rig.opened(ports.createRule(port(4000), count, tag, toQp));
        rx.domain.sync(SteeringSyncFlags.SW | SteeringSyncFlags.HW | SteeringSyncFlags.MEM);
        rig.send(4000);
        rig.arrived(cq, 4000, 0xabcdef);
        Check.equal(1, counter.packets(0), "packets");
        ByteArrayOutputStream one = new ByteArrayOutputStream();
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        tagged.dump(one);
        rx.domain.dump(whole);
        Check.require(
                one.size() > 0 && one.size() < whole.size(), "dumps of " + one.size() + ", " + whole.size() + " bytes");
        Check.require(whole.toString(StandardCharsets.UTF_8).startsWith("3000,0x"), "it begins differently");
        Check.fails(Errno.EOPNOTSUPP, () -> rx.domain.sync(8));
        tagged.close();
        rig.send(4000);
        rig.opened(ports.createRule(port(4001), toQp));
        rig.send(4001);
        rig.arrived(cq, 4001, 0); // the previous frame was dropped
    }

    /** Functions since rdma-core 36 and 37. */
    void newer() {
        Tables rx = new Tables(steering, SteeringDomainType.NIC_RX);
        SteeringMatcher ports = rig.opened(rx.first.createMatcher(0, MatchCriteria.OUTER, portMask()));
        Check.fails(Errno.EOPNOTSUPP, () -> ports.setLayout(MatcherLayoutFlags.NUM_RULE, 3)); // not on a ConnectX-5
        rx.domain.allowDuplicateRules(false);
        rig.opened(ports.createRule(port(4000), toQp));
        Check.fails(Errno.EEXIST, () -> ports.createRule(port(4000), toQp));
        rx.domain.allowDuplicateRules(true);
        rig.opened(ports.createRule(port(4000), toQp));
    }

    void changes() {
        Tables rx = new Tables(steering, SteeringDomainType.NIC_RX);
        HeaderChanges changes = new HeaderChanges()
                .set(ModifyField.UDP_DPORT, 0, 16, 4321)
                .set(ModifyField.METADATA_REGC_1, 0, 32, 0x1234);
        SteeringAction change = rig.opened(rx.domain.createModifyHeader(0, changes));
        SteeringTable second = rx.table(2);
        forAll(rx.all, change, rig.opened(second.createDestination()));
        SteeringMatcher marks = rig.opened(second.createMatcher(
                0, MatchCriteria.MISC2, new FlowMatchParameters().fill(Misc2Fields.METADATA_REG_C_1)));
        rig.opened(marks.createRule(new FlowMatchParameters().put(Misc2Fields.METADATA_REG_C_1, 0x1234), toQp));
        rig.send(4000);
        rig.arrived(cq, 4321, 0);
    }

    void tags() {
        Tables tx = new Tables(rig.sendSteering, SteeringDomainType.NIC_TX);
        Tables rx = new Tables(steering, SteeringDomainType.NIC_RX);
        SteeringAction push = rig.opened(tx.domain.createPushVlan(0x8100_6123));
        SteeringAction pop = rig.opened(steering.createPopVlan());
        forAll(tx.all, push);
        SteeringRule whole = forAll(rx.all, toQp);
        rig.send(4000);
        rig.arrived(cq, 4000, TAG_LENGTH, SteeringRig.LENGTH + TAG_LENGTH);
        whole.close();
        forAll(rx.all, pop, toQp);
        rig.send(4001);
        rig.arrived(cq, 4001, 0);
    }

    /** Returns a header of Ethernet, IPv4, UDP and VXLAN. */
    private static byte[] tunnel() {
        ByteBuffer header = ByteBuffer.allocate(50);
        header.putLong(SteeringRig.MAC << 16);
        header.position(6).putInt(0x0200_0000).putShort((short) 1).putShort((short) 0x0800);
        header.putInt(0x4500_0000).putInt(0).put((byte) 64).put((byte) 17).putShort((short) 0);
        header.putInt(0x0a00_0001).putInt(0x0a00_0009);
        header.putShort((short) 1234).putShort((short) 4789).putInt(0);
        return header.putInt(0x0800_0000).putInt(0x1234_5600).array();
    }

    void tunnels() {
        Tables tx = new Tables(rig.sendSteering, SteeringDomainType.NIC_TX);
        Tables rx = new Tables(steering, SteeringDomainType.NIC_RX);
        byte[] header = tunnel();
        forAll(tx.all, rig.opened(tx.domain.createPacketReformat(0, PacketReformatType.L2_TO_L2_TUNNEL, header)));
        SteeringRule whole = forAll(rx.all, toQp);
        rig.send(4000);
        rig.arrived(cq, 4000, header.length, SteeringRig.LENGTH + header.length);
        whole.close();
        forAll(rx.all, rig.opened(rx.domain.createPacketReformat(0, PacketReformatType.L2_TUNNEL_TO_L2, null)), toQp);
        rig.send(4001);
        rig.arrived(cq, 4001, 0);
        Check.fails(Errno.EINVAL, () -> rx.domain.createPacketReformat(2, PacketReformatType.L2_TUNNEL_TO_L2, null));
    }

    /** Actions that change frames in the kernel's tables. */
    void kernel() {
        byte[] header = tunnel();
        FlowMatchParameters mask = new FlowMatchParameters().fill(OuterFields.DMAC);
        FlowMatcher sent = rig.opened(
                rig.sendSteering.createMatcher(new FlowMatcherAttr().mask(mask).flags(FlowFlags.EGRESS)));
        FlowMatcher received = rig.opened(steering.createMatcher(new FlowMatcherAttr().mask(mask)));
        Mlx5FlowAction on = rig.opened(rig.sendSteering.createPacketReformat(
                PacketReformatType.L2_TO_L2_TUNNEL, header, FlowTableType.NIC_TX));
        Mlx5FlowAction off = rig.opened(
                steering.createPacketReformat(PacketReformatType.L2_TUNNEL_TO_L2, null, FlowTableType.NIC_RX));
        Mlx5FlowAction change = rig.opened(steering.createModifyHeader(
                new HeaderChanges().set(ModifyField.UDP_DPORT, 0, 16, 4321), FlowTableType.NIC_RX));
        FlowRuleAction target = FlowRuleAction.queuePair(rig.receiver(cq));
        FlowMatchParameters value = SteeringCasesProgram.toMac();
        FlowRule changed = rig.opened(received.createRule(value, FlowRuleAction.change(change), target));
        rig.send(4000);
        rig.arrived(cq, 4321, 0);
        Check.fails(Errno.EBUSY, change::close);
        changed.close();
        change.close();
        Check.fails(Errno.EINVAL, () -> received.createRule(value, FlowRuleAction.change(change), target));
        rig.opened(sent.createRule(value, FlowRuleAction.change(on)));
        FlowRule whole = rig.opened(received.createRule(value, target));
        rig.send(4001);
        rig.arrived(cq, 4001, header.length, SteeringRig.LENGTH + header.length);
        whole.close();
        rig.opened(received.createRule(value, FlowRuleAction.change(off), target));
        rig.send(4002);
        rig.arrived(cq, 4002, 0);
    }

    /** Sends one frame to several receivers: by a list, and by a sampler of every second frame. */
    void several() {
        Tables rx = new Tables(steering, SteeringDomainType.NIC_RX);
        CompletionQueue other = rig.completions();
        SteeringAction toOther = rig.opened(steering.createDestination(rig.receiver(other)));
        SteeringTable second = rx.table(2);
        forAll(all(second), toQp);
        SteeringAction both = rig.opened(rx.domain.createDestinations(
                ActionDestination.of(toOther), ActionDestination.of(rig.opened(second.createDestination()))));
        SteeringRule list = forAll(rx.all, both);
        rig.send(4000);
        rig.arrived(cq, 4000, 0);
        rig.arrived(other, 4000, 0);
        Check.fails(Errno.EINVAL, () -> rx.domain.createDestinations(ActionDestination.of(toOther)));
        list.close();
        SteeringAction sampler = rig.opened(steering.createSampler(
                new FlowSamplerAttr().ratio(2).nextTable(second).actions(toOther)));
        forAll(rx.all, sampler);
        for (int i = 0; i < 4; i++) {
            rig.send(4001 + i);
            rig.arrived(cq, 4001 + i, 0);
        }
        SteeringRig.next(other);
        SteeringRig.next(other);
        SteeringRig.none(other);
        Check.fails(
                Errno.EINVAL,
                () -> steering.createSampler(
                        new FlowSamplerAttr().nextTable(second).actions(toOther)));
    }

    /** Returns the parameters of a meter in the device's form: a burst at once, and almost nothing later. */
    private static byte[] meter() {
        ByteBuffer parameters = ByteBuffer.allocate(32);
        parameters.putInt(0, 1 << 31).putInt(8, 6 << 24 | 250 << 16 | 20 << 8).put(11, (byte) 20);
        return parameters.put(10, (byte) 0).put(12 - 1, (byte) 20).array();
    }

    void meters() {
        Tables rx = new Tables(steering, SteeringDomainType.NIC_RX);
        SteeringTable second = rx.table(2);
        SteeringMatcher colors = rig.opened(second.createMatcher(
                0, MatchCriteria.MISC2, new FlowMatchParameters().fill(Misc2Fields.METADATA_REG_C_3)));
        FlowMeterAttr attr =
                new FlowMeterAttr().nextTable(second).active(true).register(3).parameters(meter());
        MeterAction meter = rig.opened(steering.createMeter(attr));
        forAll(rx.all, meter);
        rig.opened(colors.createRule(new FlowMatchParameters().put(Misc2Fields.METADATA_REG_C_3, 2), toQp));
        rig.send(4000);
        rig.arrived(cq, 4000, 0); // the frame is green
        meter.modify(attr.active(false), 1);
        rig.send(4001); // the frame has no color
        meter.modify(attr.active(true), 1);
        rig.send(4002);
        rig.arrived(cq, 4002, 0);
    }

    /** Returns from a table to the rules of the port, behind a priority. Since rdma-core 42. */
    void anchors() {
        Tables rx = new Tables(steering, SteeringDomainType.NIC_RX);
        FlowMatcher five = rig.opened(steering.createMatcher(
                new FlowMatcherAttr().priority(5).mask(new FlowMatchParameters().fill(OuterFields.DMAC))));
        rig.opened(five.createRule(SteeringCasesProgram.toMac(), FlowRuleAction.queuePair(rig.receiver(cq))));
        SteeringRule behind = forAll(rx.all, rig.opened(rx.root.createRootDestination(6)));
        rig.send(4000);
        behind.close();
        forAll(rx.all, rig.opened(rx.root.createRootDestination(3)));
        rig.send(4001);
        rig.arrived(cq, 4001, 0);
        Check.fails(Errno.EINVAL, () -> rx.first.createRootDestination(3));
        try (SteeringAnchor anchor = steering.createAnchor(FlowTableType.NIC_RX, 4);
                SteeringAnchor other = steering.createAnchor(FlowTableType.NIC_RX, 4)) {
            Check.require(anchor.id() != other.id() && anchor.id() != 0, "ids " + anchor.id() + ", " + other.id());
        }
    }

    /** What this device lacks, and what domains refuse. */
    void refusals() {
        SteeringDomain domain = rig.opened(steering.createDomain(SteeringDomainType.NIC_RX));
        SteeringTable root = rig.opened(domain.createTable(0));
        SteeringRig.Counter counter = rig.new Counter(0);
        Check.fails(Errno.EOPNOTSUPP, () -> domain.createVportDestination(1));
        Check.fails(Errno.EOPNOTSUPP, () -> domain.createAso(counter.object, 0, 0, 0));
        Check.fails(Errno.EINVAL, () -> domain.createPushVlan(0x1234_0001));
        Check.fails(Errno.EINVAL, root::createDestination);
        Check.fails(Errno.EINVAL, () -> domain.createModifyHeader(2, new HeaderChanges().raw(1)));
        VerbsException e = Check.failure(() -> root.createMatcher(
                0, MatchCriteria.MISC, new FlowMatchParameters().fill(OuterFields.DMAC))); // ignored bits
        Check.equal(Errno.EINVAL, e.errno(), "errno");
    }
}
