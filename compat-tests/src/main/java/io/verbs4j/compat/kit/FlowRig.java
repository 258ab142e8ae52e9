/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.CounterAttachAttr;
import io.verbs4j.Counters;
import io.verbs4j.CountersInitAttr;
import io.verbs4j.FlowAttr;
import io.verbs4j.FlowSpec;
import io.verbs4j.FlowSpecEth;
import io.verbs4j.FlowSpecIpv4;
import io.verbs4j.FlowSpecTcpUdp;
import java.util.List;

/** Flows, and frames that they steer. See {@link FlowRules}. */
final class FlowRig extends FrameRig {
    static final String DESCRIBED = "ibv_create_flow(3), and the Javadoc of FlowAttr and FlowSpec";
    static final String COUNTED = "ibv_create_counters(3), ibv_attach_counters_point_flow(3), ibv_read_counters(3)";
    private static final int ANOTHER_TYPE = 0x88b5;
    private static final int NUMBER_OF_TAG = 0x0fff;
    static final int NOTHING = 99;
    static final byte[] MAC = mac(1);

    FlowRig(ProviderKit kit) {
        super(kit);
    }

    static Frame frame() {
        return Frame.to(MAC);
    }

    static FlowAttr flow(int priority, FlowSpec... specs) {
        return new FlowAttr().priority(priority).specs(specs);
    }

    static FlowSpecEth eth() {
        return new FlowSpecEth().dstMac(MAC);
    }

    static FlowSpecTcpUdp udp(int port) {
        return FlowSpecTcpUdp.udp().dstPort(port);
    }

    /** Specifications, a frame that they match, and one that they do not. */
    record Filter(String words, List<FlowSpec> specs, Frame matches, Frame other) {}

    static List<Filter> filters() {
        byte[] some = Frame.octets(0xff, 0xff, 0xff, 0, 0, 0);
        return List.of(
                new Filter("dstMac", List.of(eth()), frame(), Frame.to(mac(2))),
                new Filter(
                        "24 bits of dstMac",
                        List.of(new FlowSpecEth().dstMac(Frame.octets(2, 0x24, 0, 0, 0, 0), some)),
                        Frame.to(mac(77)),
                        Frame.to(Frame.octets(2, 0x24, 1, 0, 0, 1))),
                new Filter("srcMac", List.of(eth().srcMac(mac(8))), frame().srcMac(mac(8)), frame().srcMac(mac(9))),
                new Filter(
                        "etherType", List.of(eth().etherType(ANOTHER_TYPE)), frame().etherType(ANOTHER_TYPE), frame()),
                new Filter(
                        "the number in vlanTag",
                        List.of(eth().vlanTag(0x123, NUMBER_OF_TAG)),
                        frame().vlan(0x6123),
                        frame().vlan(0x124)),
                new Filter(
                        "srcIp",
                        List.of(eth(), new FlowSpecIpv4().srcIp(Frame.octets(10, 1, 2, 3))),
                        frame().srcIp(10, 1, 2, 3),
                        frame().srcIp(10, 1, 2, 4)),
                new Filter(
                        "16 bits of dstIp",
                        List.of(
                                eth(),
                                new FlowSpecIpv4().dstIp(Frame.octets(10, 7, 0, 0), Frame.octets(0xff, 0xff, 0, 0))),
                        frame().dstIp(10, 7, 8, 9),
                        frame().dstIp(10, 8, 8, 9)),
                new Filter("dstPort of UDP", List.of(eth(), udp(4000)), frame().ports(1, 4000), frame().ports(4000, 1)),
                new Filter(
                        "12 bits of srcPort of UDP",
                        List.of(eth(), FlowSpecTcpUdp.udp().srcPort(0x1230, 0xfff0)),
                        frame().ports(0x123f, 9),
                        frame().ports(0x124f, 9)),
                new Filter(
                        "dstPort of TCP",
                        List.of(eth(), FlowSpecTcpUdp.tcp().dstPort(80)),
                        frame().tcp(1).ports(1, 80),
                        frame().ports(1, 80)));
    }

    Counters counters() {
        return made(Counters.class, here.context.createCounters(new CountersInitAttr()));
    }

    static CounterAttachAttr counts(int description, int index) {
        return new CounterAttachAttr().counterDesc(description).index(index);
    }

    void told(String what, Capability capability, boolean there) {
        boolean stated = has(capability);
        Seen.equal(what + " (" + stated(capability) + ")", stated, there);
    }
}
