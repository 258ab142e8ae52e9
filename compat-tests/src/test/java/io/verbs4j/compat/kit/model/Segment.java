/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit.model;

import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpState;
import io.verbs4j.SendFlags;
import io.verbs4j.WcFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.compat.kit.Capability;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The Ethernet segment of all ports of the model: each receives the frames of the others. */
final class Segment {
    private static final List<EthernetOps.Steering> FLOWS = new ArrayList<>();
    private static final int LONG = 1500;

    /** With a fault: frames without a receive. */
    private static final Map<ModelQp, Deque<Packet>> WAITING = new HashMap<>();

    private Segment() {}

    static void add(EthernetOps.Steering flow) {
        FLOWS.add(flow);
    }

    static void remove(EthernetOps.Steering flow) {
        if (Fault.FLOW_CLOSES_ALL.on()) {
            FLOWS.removeIf(other -> other.qp() == flow.qp());
        } else if (!Fault.FLOW_STAYS.on()) {
            FLOWS.remove(flow);
        }
    }

    /** Forgets a destroyed queue pair. */
    static void destroyed(ModelQp qp) {
        FLOWS.removeIf(flow -> flow.qp() == qp.handle);
        WAITING.remove(qp);
    }

    /** Sends the frames of a request, and returns a status for the sender. */
    static int send(ModelQp from, Send send) {
        byte[] data = send.gather(from.handle.pd());
        if (data == null) {
            return WcStatus.LOC_PROT_ERR;
        }
        List<Packet> packets = new ArrayList<>();
        if (send.tso != null) {
            for (int at = 0; at < data.length; at += send.tso.mss) {
                int end = Math.min(at + send.tso.mss, data.length);
                packets.add(Packet.segment(send.tso.header, data, at, end));
            }
        } else {
            boolean first = Fault.FRAME_FIRST_PIECE.on() && send.pieces.length > 1;
            int length = first ? send.pieces[0].length() : data.length;
            packets.add(new Packet(Arrays.copyOf(data, Fault.FRAME_CUT.on() ? Math.min(length, LONG) : length)));
        }
        for (Packet packet : packets) {
            if ((send.flags & SendFlags.IP_CSUM) != 0 && Traits.has(Capability.CHECKSUMS)) {
                packet.fillSums();
            }
            carry(from.attributes().portNum(), packet);
        }
        return WcStatus.SUCCESS;
    }

    private static void carry(int fromPort, Packet packet) {
        for (int port = 1; port <= Traits.PORT_COUNT; port++) {
            if (port != fromPort) {
                arrive(port, packet);
            }
        }
    }

    private static void arrive(int port, Packet packet) {
        List<EthernetOps.Steering> wanted = new ArrayList<>();
        for (EthernetOps.Steering flow : FLOWS) {
            boolean matches = flow.port == port && flow.filters.stream().allMatch(packet::matches);
            if (matches && !(flow.drops && Fault.FLOW_DROP_PASSES.on())) {
                wanted.add(flow);
            }
        }
        if (wanted.isEmpty()) {
            return;
        }
        wanted.sort(Comparator.comparingInt(flow -> flow.priority));
        EthernetOps.Steering flow = wanted.get(0);
        if (Fault.FLOW_NEWEST_FIRST.on()) {
            flow = wanted.stream().max(Comparator.comparingInt(FLOWS::indexOf)).orElseThrow();
        }
        if (flow.counters != null) {
            EthernetOps.count(flow, packet.bytes.length);
        }
        if (!flow.drops) {
            deliver(ModelQp.of(flow.qp()), packet, Fault.FLOW_NO_TAG.on() ? 0 : flow.tag);
        }
    }

    private static void deliver(ModelQp to, Packet packet, int tag) {
        if (to.handle.rwqIndTbl() != null) {
            WorkQueueOps.deliver(to, packet, tag);
            return;
        }
        if (to.state() != QpState.RTR && to.state() != QpState.RTS) {
            return;
        }
        Receives.Entry entry = to.receives.take(false);
        if (entry != null) {
            WorkCompletion wc = received(entry, to.handle.pd(), packet, tag, to.extras.stripsVlan);
            ModelCq.of(to.handle.recvCq()).add(wc.qpNum(to.number()), false);
        } else if (Fault.FRAMES_WAIT.on()) {
            WAITING.computeIfAbsent(to, qp -> new ArrayDeque<>()).add(packet);
        }
    }

    /** Delivers frames that wait for a receive of this queue pair. */
    static void posted(ModelQp to) {
        Deque<Packet> waiting = WAITING.getOrDefault(to, new ArrayDeque<>());
        while (!waiting.isEmpty() && to.receives.size() > 0) {
            deliver(to, waiting.poll(), 0);
        }
    }

    /** Writes a frame to memory, and returns its completion. */
    static WorkCompletion received(Receives.Entry entry, ProtectionDomain pd, Packet packet, int tag, boolean strips) {
        boolean stripped = strips && packet.tag >= 0 && !Fault.VLAN_STAYS.on();
        byte[] bytes = stripped ? packet.untagged().bytes : packet.bytes;
        WorkCompletion wc = new WorkCompletion().wrId(entry.wrId()).opcode(WcOpcode.RECV);
        int status = entry.put(pd, bytes);
        boolean right = packet.hasRightSums() || Fault.CHECKSUMS_ALWAYS_RIGHT.on();
        wc.status(status).byteLen(bytes.length);
        wc.wcFlags(right && Traits.has(Capability.CHECKSUMS) ? WcFlags.IP_CSUM_OK : 0);
        int vlan = stripped ? packet.tag : 0;
        return wc.flowTag(tag).cvlan(Fault.VLAN_NUMBER_ALONE.on() ? vlan & 0xfff : vlan);
    }
}
