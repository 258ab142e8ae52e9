/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import static io.verbs4j.compat.kit.FlowRig.COUNTED;
import static io.verbs4j.compat.kit.FlowRig.DESCRIBED;
import static io.verbs4j.compat.kit.FlowRig.MAC;
import static io.verbs4j.compat.kit.FlowRig.NOTHING;
import static io.verbs4j.compat.kit.Unknown.NO_FLAG;

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
import io.verbs4j.QpType;
import io.verbs4j.RawPacketCaps;
import io.verbs4j.WcExFlags;
import io.verbs4j.WorkCompletion;

/** R24 again: flows, which steer frames, and their counters. */
interface FlowRules {
    @Rule(
            id = "R24.07",
            since = 4,
            says = "a flow gets the frames that match its filters in the bits of the masks, and no others",
            look = {"the function in the slot CREATE_FLOW"},
            man = DESCRIBED,
            needs = {Capability.ETHERNET})
    default void r2407Filters(FrameRig rig) {
        rig.startFrames();
        FrameRig.Receiver receiver = rig.receiver();
        for (FlowRig.Filter filter : FlowRig.filters()) {
            Flow flow =
                    rig.here.flow(receiver.qp(), FlowRig.flow(0, filter.specs().toArray(FlowSpec[]::new)));
            rig.send(filter.other().data(60));
            byte[] matches = rig.send(filter.matches().data(61));
            WorkCompletion wc = rig.here.next(receiver.cq());
            Seen.check(
                    wc.byteLen() != filter.other().bytes().length,
                    "a frame arrived that the filter " + filter.words() + " does not match");
            FrameEnd.same(matches, rig.here.read(wc.wrId(), wc.byteLen()));
            rig.here.post(receiver.qp(), 1);
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
    default void r2408Priority(FrameRig rig) {
        rig.startFrames();
        FrameRig.Receiver wide = rig.receiver();
        FrameRig.Receiver narrow = rig.receiver();
        rig.here.flow(narrow.qp(), FlowRig.flow(1, FlowRig.eth(), FlowRig.udp(4000)));
        Flow first = rig.here.flow(wide.qp(), FlowRig.flow(0, FlowRig.eth()));
        rig.here.arrives(wide.cq(), rig.send(FlowRig.frame().data(50)));
        first.close();
        rig.here.flow(wide.qp(), FlowRig.flow(2, FlowRig.eth()));
        rig.here.arrives(narrow.cq(), rig.send(FlowRig.frame().data(51)));
        rig.here.arrives(wide.cq(), rig.send(FlowRig.frame().ports(1, 4001).data(52)));
        rig.here.arrives(narrow.cq(), rig.send(FlowRig.frame().data(53)));
    }

    @Rule(
            id = "R24.09",
            since = 4,
            says = "a queue pair gets frames while its flow exists; closing a flow leaves the others in effect",
            look = {"the functions in the slots CREATE_FLOW and DESTROY_FLOW"},
            man = DESCRIBED,
            needs = {Capability.ETHERNET})
    default void r2409End(FrameRig rig) {
        rig.startFrames();
        FrameRig.Receiver receiver = rig.receiver();
        rig.send(FlowRig.frame().data(50));
        Flow flow = rig.here.flow(receiver.qp(), FrameRig.to(MAC));
        rig.here.flow(receiver.qp(), FrameRig.to(FrameRig.mac(2)));
        rig.here.arrives(receiver.cq(), rig.send(FlowRig.frame().data(51)));
        flow.close();
        rig.send(FlowRig.frame().data(52));
        rig.here.arrives(receiver.cq(), rig.send(Frame.to(FrameRig.mac(2)).data(53)));
        Flow again = rig.here.flow(receiver.qp(), FrameRig.to(MAC));
        rig.here.arrives(receiver.cq(), rig.send(FlowRig.frame().data(54)));
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
    default void r2410Tags(FrameRig rig) {
        rig.startFrames();
        FrameRig.Receiver receiver = rig.receiver(WcExFlags.STANDARD | WcExFlags.FLOW_TAG, attr -> {});
        rig.here.flow(receiver.qp(), FlowRig.flow(0, FlowRig.eth(), FlowRig.udp(4000), new FlowSpecActionTag(0x11)));
        rig.here.flow(
                receiver.qp(), FlowRig.flow(0, FlowRig.eth(), FlowRig.udp(5000), new FlowSpecActionTag(0x123456)));
        Seen.equal(
                "flowTag",
                0x11,
                rig.here
                        .arrives(receiver.cq(), rig.send(FlowRig.frame().ports(1, 4000)))
                        .flowTag());
        Seen.equal(
                "flowTag",
                0x123456,
                rig.here
                        .arrives(receiver.cq(), rig.send(FlowRig.frame().ports(1, 5000)))
                        .flowTag());
        rig.send(FlowRig.frame().ports(1, 4000));
        rig.startPolling(receiver.cq());
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
    default void r2411Drop(FrameRig rig) {
        rig.startFrames();
        FrameRig.Receiver receiver = rig.receiver();
        rig.here.flow(receiver.qp(), FlowRig.flow(1, FlowRig.eth()));
        Flow drop = rig.here.flow(
                receiver.qp(), FlowRig.flow(0, FlowRig.eth(), FlowRig.udp(5000), new FlowSpecActionDrop()));
        rig.send(FlowRig.frame().ports(1, 5000).data(50));
        rig.here.arrives(receiver.cq(), rig.send(FlowRig.frame().ports(1, 4000).data(51)));
        drop.close();
        rig.here.arrives(receiver.cq(), rig.send(FlowRig.frame().ports(1, 5000).data(52)));
    }

    @Rule(
            id = "R24.12",
            since = 4,
            says = "counters count the packets and bytes of all flows that use them, each at its index",
            look = {"the functions in the slots ATTACH_COUNTERS_POINT_FLOW and READ_COUNTERS"},
            man = COUNTED,
            needs = {Capability.ETHERNET, Capability.FLOW_COUNTERS})
    default void r2412Counters(FlowRig rig) {
        rig.startFrames();
        FrameRig.Receiver receiver = rig.receiver();
        Counters counters = rig.counters();
        counters.attach(FlowRig.counts(CounterDescription.BYTES, 0));
        counters.attach(FlowRig.counts(CounterDescription.PACKETS, 1));
        FlowSpecActionCount count = new FlowSpecActionCount(counters);
        rig.here.flow(receiver.qp(), FlowRig.flow(0, FlowRig.eth(), FlowRig.udp(4000), count));
        Flow second = rig.here.flow(receiver.qp(), FlowRig.flow(0, FlowRig.eth(), FlowRig.udp(4001), count));
        rig.here.flow(receiver.qp(), FlowRig.flow(1, FlowRig.eth()));
        long bytes = 0;
        for (int i = 0; i < 3; i++) {
            byte[] frame = rig.send(FlowRig.frame().ports(1, 4000 + i % 2).data(100 + i));
            rig.here.arrives(receiver.cq(), frame);
            bytes += frame.length;
        }
        rig.here.arrives(receiver.cq(), rig.send(FlowRig.frame().ports(1, 5000)));
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
    default void r2413Refused(FlowRig rig) {
        rig.startFrames();
        FrameRig.Receiver receiver = rig.receiver();
        int ports = rig.here.context.queryDevice().physPortCnt();
        Seen.refuses(
                "createFlow of port " + (ports + 1),
                () -> rig.opened(receiver.qp().createFlow(FrameRig.to(MAC).port(ports + 1))),
                Errno.EINVAL);
        Seen.refuses(
                "createFlow with flag bit 20, which no level defines,",
                () -> rig.here.flow(receiver.qp(), FrameRig.to(MAC).flags(NO_FLAG)),
                Errno.EOPNOTSUPP);
        Seen.refuses(
                "createFlow of type 99, which no level defines,",
                () -> rig.here.flow(receiver.qp(), FrameRig.to(MAC).type(NOTHING)),
                Errno.EOPNOTSUPP);
        FlowAttr attr = FrameRig.to(MAC);
        Seen.masks("createFlow", attr, () -> rig.here.flow(receiver.qp(), attr));
        if (rig.has(Capability.FLOW_COUNTERS)) {
            CountersInitAttr init = new CountersInitAttr();
            Seen.masks("createCounters", init, () -> rig.opened(rig.here.context.createCounters(init)));
            Counters counters = rig.counters();
            Seen.refuses(
                    "attach of a counter that no level defines",
                    () -> counters.attach(FlowRig.counts(NOTHING, 0)),
                    Errno.EOPNOTSUPP);
        }
    }

    @Rule(
            id = "R24.14",
            since = 4,
            says = "queryDeviceEx reports the Ethernet capabilities that the kit declares, and no others",
            look = {"the function in the slot QUERY_DEVICE_EX"},
            man = "ibv_query_device_ex(3), and the Javadoc of DeviceAttrEx",
            needs = {Capability.ETHERNET, Capability.QUERY_DEVICE_EX})
    default void r2414Told(FlowRig rig) {
        DeviceAttrEx attr = rig.open().queryDeviceEx();
        int raw = 1 << QpType.RAW_PACKET;
        rig.told(
                "bit MANAGED_FLOW_STEERING in deviceCapFlagsEx",
                Capability.ETHERNET,
                (attr.deviceCapFlagsEx() & DeviceCap.MANAGED_FLOW_STEERING) != 0);
        rig.told(
                "bit IP_CSUM in rawPacketCaps",
                Capability.CHECKSUMS,
                (attr.rawPacketCaps() & RawPacketCaps.IP_CSUM) != 0);
        boolean strips = (attr.rawPacketCaps() & RawPacketCaps.CVLAN_STRIPPING) != 0;
        rig.told("bit CVLAN_STRIPPING in rawPacketCaps", Capability.VLAN_STRIPPING, strips);
        boolean cuts = attr.tsoMaxTso() != 0 && (attr.tsoSupportedQpts() & raw) != 0;
        rig.told("tsoMaxTso != 0 for RAW_PACKET", Capability.TSO, cuts);
        rig.told("maxWqTypeRq != 0", Capability.WORK_QUEUES, attr.maxWqTypeRq() != 0);
        boolean spreads = attr.rssMaxRwqIndirectionTableSize() != 0 && (attr.rssSupportedQpts() & raw) != 0;
        rig.told("rssMaxRwqIndirectionTableSize != 0 for RAW_PACKET", Capability.WORK_QUEUES, spreads);
    }
}
