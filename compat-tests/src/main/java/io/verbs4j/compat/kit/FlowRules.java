/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.CounterAttachAttr;
import io.verbs4j.CounterDescription;
import io.verbs4j.Counters;
import io.verbs4j.CountersInitAttr;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.DeviceCap;
import io.verbs4j.Errno;
import io.verbs4j.Flow;
import io.verbs4j.FlowAttr;
import io.verbs4j.FlowSpec;
import io.verbs4j.FlowSpecActionCount;
import io.verbs4j.FlowSpecActionDrop;
import io.verbs4j.FlowSpecActionTag;
import io.verbs4j.FlowSpecEth;
import io.verbs4j.FlowSpecIpv4;
import io.verbs4j.FlowSpecTcpUdp;
import io.verbs4j.QpType;
import io.verbs4j.RawPacketCaps;
import io.verbs4j.WcExFlags;
import io.verbs4j.WorkCompletion;
import java.util.List;

/** R24 again: flows, which steer frames, and counters of theirs. */
abstract class FlowRules extends FrameRules {
    private static final String DESCRIBED = "ibv_create_flow(3), and the Javadoc of FlowAttr and FlowSpec";
    private static final String COUNTED =
            "ibv_create_counters(3), ibv_attach_counters_point_flow(3), ibv_read_counters(3)";
    private static final int ANOTHER_TYPE = 0x88b5;
    private static final int NUMBER_OF_TAG = 0x0fff;
    private static final int NO_FLAG = 1 << 20;
    private static final int NOTHING = 99;
    private static final byte[] MAC = mac(1);

    /** For {@link ProviderKit}. */
    FlowRules() {}

    private static Frame frame() {
        return Frame.to(MAC);
    }

    private static FlowAttr flow(int priority, FlowSpec... specs) {
        return new FlowAttr().priority(priority).specs(specs);
    }

    private static FlowSpecEth eth() {
        return new FlowSpecEth().dstMac(MAC);
    }

    private static FlowSpecTcpUdp udp(int port) {
        return FlowSpecTcpUdp.udp().dstPort(port);
    }

    /** Specifications, a frame that they match, and one that they do not. */
    private record Filter(String words, List<FlowSpec> specs, Frame matches, Frame other) {}

    private static List<Filter> filters() {
        byte[] some = Frame.octets(0xff, 0xff, 0xff, 0, 0, 0);
        return List.of(
                new Filter("dstMac", List.of(eth()), frame(), Frame.to(mac(2))),
                new Filter(
                        "dstMac, of which 24 bits count",
                        List.of(new FlowSpecEth().dstMac(Frame.octets(2, 0x24, 0, 0, 0, 0), some)),
                        Frame.to(mac(77)),
                        Frame.to(Frame.octets(2, 0x24, 1, 0, 0, 1))),
                new Filter("srcMac", List.of(eth().srcMac(mac(8))), frame().srcMac(mac(8)), frame().srcMac(mac(9))),
                new Filter(
                        "etherType", List.of(eth().etherType(ANOTHER_TYPE)), frame().etherType(ANOTHER_TYPE), frame()),
                new Filter(
                        "vlanTag, of which the number counts",
                        List.of(eth().vlanTag(0x123, NUMBER_OF_TAG)),
                        frame().vlan(0x6123),
                        frame().vlan(0x124)),
                new Filter(
                        "srcIp",
                        List.of(eth(), new FlowSpecIpv4().srcIp(Frame.octets(10, 1, 2, 3))),
                        frame().srcIp(10, 1, 2, 3),
                        frame().srcIp(10, 1, 2, 4)),
                new Filter(
                        "dstIp, of which 16 bits count",
                        List.of(
                                eth(),
                                new FlowSpecIpv4().dstIp(Frame.octets(10, 7, 0, 0), Frame.octets(0xff, 0xff, 0, 0))),
                        frame().dstIp(10, 7, 8, 9),
                        frame().dstIp(10, 8, 8, 9)),
                new Filter("dstPort of UDP", List.of(eth(), udp(4000)), frame().ports(1, 4000), frame().ports(4000, 1)),
                new Filter(
                        "srcPort of UDP, of which 12 bits count",
                        List.of(eth(), FlowSpecTcpUdp.udp().srcPort(0x1230, 0xfff0)),
                        frame().ports(0x123f, 9),
                        frame().ports(0x124f, 9)),
                new Filter(
                        "dstPort of TCP",
                        List.of(eth(), FlowSpecTcpUdp.tcp().dstPort(80)),
                        frame().tcp(1).ports(1, 80),
                        frame().ports(1, 80)));
    }

    @Rule(
            id = "R24.07",
            since = 4,
            says = "a flow gets the frames that match its filters in the bits of the masks, and no others",
            look = {"the function in the slot CREATE_FLOW"},
            man = DESCRIBED,
            needs = {Capability.ETHERNET})
    final void r2407Filters() {
        startFrames();
        Receiver receiver = receiver();
        for (Filter filter : filters()) {
            Flow flow = here.flow(receiver.qp(), flow(0, filter.specs.toArray(FlowSpec[]::new)));
            send(filter.other.data(60));
            byte[] matches = send(filter.matches.data(61));
            WorkCompletion wc = here.next(receiver.cq());
            Seen.check(
                    wc.byteLen() != filter.other.bytes().length,
                    "a frame came that the filter " + filter.words + " does not match");
            FrameEnd.same(matches, here.read(wc.wrId(), wc.byteLen()));
            here.post(receiver.qp(), 1);
            flow.close();
        }
    }

    @Rule(
            id = "R24.08",
            since = 4,
            says = "of flows that match, the one with the lowest priority number takes the frame, and no other",
            look = {"the function in the slot CREATE_FLOW (priority)"},
            man = DESCRIBED,
            needs = {Capability.ETHERNET})
    final void r2408Priority() {
        startFrames();
        Receiver wide = receiver();
        Receiver narrow = receiver();
        here.flow(narrow.qp(), flow(1, eth(), udp(4000)));
        Flow first = here.flow(wide.qp(), flow(0, eth()));
        here.arrives(wide.cq(), send(frame().data(50)));
        first.close();
        here.flow(wide.qp(), flow(2, eth()));
        here.arrives(narrow.cq(), send(frame().data(51)));
        here.arrives(wide.cq(), send(frame().ports(1, 4001).data(52)));
        here.arrives(narrow.cq(), send(frame().data(53)));
    }

    @Rule(
            id = "R24.09",
            since = 4,
            says = "a queue pair gets frames while its flow exists; closing a flow leaves the others in effect",
            look = {"the functions in the slots CREATE_FLOW and DESTROY_FLOW"},
            man = DESCRIBED,
            needs = {Capability.ETHERNET})
    final void r2409End() {
        startFrames();
        Receiver receiver = receiver();
        send(frame().data(50));
        Flow flow = here.flow(receiver.qp(), to(MAC));
        here.flow(receiver.qp(), to(mac(2)));
        here.arrives(receiver.cq(), send(frame().data(51)));
        flow.close();
        send(frame().data(52));
        here.arrives(receiver.cq(), send(Frame.to(mac(2)).data(53)));
        Flow again = here.flow(receiver.qp(), to(MAC));
        here.arrives(receiver.cq(), send(frame().data(54)));
        Seen.refuses("close of a queue pair with flows", receiver.qp()::close, Errno.EBUSY);
        again.close();
    }

    @Rule(
            id = "R24.10",
            since = 4,
            says = "the completion of a frame reports the tag of the flow that steered it",
            look = {"the function in the slot CREATE_FLOW (FlowSpecActionTag)", "CompletionQueue.readFlowTag"},
            man = DESCRIBED,
            needs = {Capability.ETHERNET, Capability.FLOW_ACTIONS, Capability.EXTENDED_CQ})
    final void r2410Tags() {
        startFrames();
        Receiver receiver = receiver(WcExFlags.STANDARD | WcExFlags.FLOW_TAG, attr -> {});
        here.flow(receiver.qp(), flow(0, eth(), udp(4000), new FlowSpecActionTag(0x11)));
        here.flow(receiver.qp(), flow(0, eth(), udp(5000), new FlowSpecActionTag(0x123456)));
        Seen.equal(
                "flowTag",
                0x11,
                here.arrives(receiver.cq(), send(frame().ports(1, 4000))).flowTag());
        Seen.equal(
                "flowTag",
                0x123456,
                here.arrives(receiver.cq(), send(frame().ports(1, 5000))).flowTag());
        send(frame().ports(1, 4000));
        begin(receiver.cq());
        Seen.equal("readFlowTag()", 0x11, receiver.cq().readFlowTag());
        receiver.cq().endPoll();
    }

    @Rule(
            id = "R24.11",
            since = 4,
            says = "a flow that drops keeps its frames from flows of lower priority for as long as it exists",
            look = {"the function in the slot CREATE_FLOW (FlowSpecActionDrop)"},
            man = DESCRIBED,
            needs = {Capability.ETHERNET, Capability.FLOW_ACTIONS})
    final void r2411Drop() {
        startFrames();
        Receiver receiver = receiver();
        here.flow(receiver.qp(), flow(1, eth()));
        Flow drop = here.flow(receiver.qp(), flow(0, eth(), udp(5000), new FlowSpecActionDrop()));
        send(frame().ports(1, 5000).data(50));
        here.arrives(receiver.cq(), send(frame().ports(1, 4000).data(51)));
        drop.close();
        here.arrives(receiver.cq(), send(frame().ports(1, 5000).data(52)));
    }

    private Counters counters() {
        return made(Counters.class, here.context.createCounters(new CountersInitAttr()));
    }

    private static CounterAttachAttr counts(int description, int index) {
        return new CounterAttachAttr().counterDesc(description).index(index);
    }

    @Rule(
            id = "R24.12",
            since = 4,
            says = "counters count the packets and bytes of all flows that use them, each at its index",
            look = {"the functions in the slots ATTACH_COUNTERS_POINT_FLOW and READ_COUNTERS"},
            man = COUNTED,
            needs = {Capability.ETHERNET, Capability.FLOW_COUNTERS})
    final void r2412Counters() {
        startFrames();
        Receiver receiver = receiver();
        Counters counters = counters();
        counters.attach(counts(CounterDescription.BYTES, 0));
        counters.attach(counts(CounterDescription.PACKETS, 1));
        FlowSpecActionCount count = new FlowSpecActionCount(counters);
        here.flow(receiver.qp(), flow(0, eth(), udp(4000), count));
        Flow second = here.flow(receiver.qp(), flow(0, eth(), udp(4001), count));
        here.flow(receiver.qp(), flow(1, eth()));
        long bytes = 0;
        for (int i = 0; i < 3; i++) {
            byte[] frame = send(frame().ports(1, 4000 + i % 2).data(100 + i));
            here.arrives(receiver.cq(), frame);
            bytes += frame.length;
        }
        here.arrives(receiver.cq(), send(frame().ports(1, 5000)));
        long[] values = new long[2];
        counters.read(values, 0);
        Seen.equal("the counter of packets", 3L, values[1]);
        Seen.equal("the counter of bytes", bytes, values[0]);
        Seen.refuses("close of counters of a flow", counters::close, Errno.EBUSY);
        second.close();
        counters.read(values, 0);
        Seen.equal("the counter of packets after a flow was closed", 3L, values[1]);
    }

    @Rule(
            id = "R24.13",
            since = 4,
            says = "flows with unknown flags, types or mask bits are refused, and flows of ports that do not exist",
            look = {"the functions in the slots CREATE_FLOW, CREATE_COUNTERS and ATTACH_COUNTERS_POINT_FLOW"},
            man = DESCRIBED,
            needs = {Capability.ETHERNET})
    final void r2413Refused() {
        startFrames();
        Receiver receiver = receiver();
        int ports = here.context.queryDevice().physPortCnt();
        Seen.refuses(
                "createFlow of port " + (ports + 1),
                () -> opened(receiver.qp().createFlow(to(MAC).port(ports + 1))),
                Errno.EINVAL);
        Seen.refuses(
                "createFlow with flag bit 20, which no level has,",
                () -> here.flow(receiver.qp(), to(MAC).flags(NO_FLAG)),
                Errno.EOPNOTSUPP);
        Seen.refuses(
                "createFlow of type 99, which no level has,",
                () -> here.flow(receiver.qp(), to(MAC).type(NOTHING)),
                Errno.EOPNOTSUPP);
        FlowAttr attr = to(MAC);
        masks("createFlow", attr, () -> here.flow(receiver.qp(), attr));
        if (hasFlowCounters()) {
            CountersInitAttr init = new CountersInitAttr();
            masks("createCounters", init, () -> opened(here.context.createCounters(init)));
            Counters counters = counters();
            Seen.refuses("attach of what no level counts", () -> counters.attach(counts(NOTHING, 0)), Errno.EOPNOTSUPP);
        }
    }

    @Rule(
            id = "R24.14",
            since = 4,
            says = "queryDeviceEx reports the Ethernet capabilities that the kit declares, and no others",
            look = {"the function in the slot QUERY_DEVICE_EX"},
            man = "ibv_query_device_ex(3), and the Javadoc of DeviceAttrEx",
            needs = {Capability.ETHERNET, Capability.QUERY_DEVICE_EX})
    final void r2414Told() {
        DeviceAttrEx attr = open().queryDeviceEx();
        int raw = 1 << QpType.RAW_PACKET;
        told(
                "deviceCapFlagsEx has MANAGED_FLOW_STEERING",
                Capability.ETHERNET,
                (attr.deviceCapFlagsEx() & DeviceCap.MANAGED_FLOW_STEERING) != 0);
        told("rawPacketCaps has IP_CSUM", Capability.CHECKSUMS, (attr.rawPacketCaps() & RawPacketCaps.IP_CSUM) != 0);
        boolean strips = (attr.rawPacketCaps() & RawPacketCaps.CVLAN_STRIPPING) != 0;
        told("rawPacketCaps has CVLAN_STRIPPING", Capability.VLAN_STRIPPING, strips);
        boolean cuts = attr.tsoMaxTso() != 0 && (attr.tsoSupportedQpts() & raw) != 0;
        told("tsoMaxTso is not 0, for queue pairs of type RAW_PACKET,", Capability.TSO, cuts);
        told("maxWqTypeRq is not 0", Capability.WORK_QUEUES, attr.maxWqTypeRq() != 0);
        boolean spreads = attr.rssMaxRwqIndirectionTableSize() != 0 && (attr.rssSupportedQpts() & raw) != 0;
        told(
                "rssMaxRwqIndirectionTableSize is not 0, for queue pairs of type RAW_PACKET,",
                Capability.WORK_QUEUES,
                spreads);
    }

    private void told(String what, Capability capability, boolean there) {
        boolean stated = capability.in(this);
        Seen.equal("whether " + what + " where " + capability.method() + "() says " + stated + ",", stated, there);
    }
}
