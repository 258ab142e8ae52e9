/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

import io.verbs4j.Errno;
import io.verbs4j.FlowAttr;
import io.verbs4j.FlowFilter;
import io.verbs4j.FlowSpec;
import io.verbs4j.FlowSpecActionCount;
import io.verbs4j.FlowSpecActionHandle;
import io.verbs4j.FlowSpecActionTag;
import io.verbs4j.FlowSpecType;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.layout.FlowAttrLayout;
import io.verbs4j.rdmacore.layout.FlowSpecActionDropLayout;
import io.verbs4j.rdmacore.layout.FlowSpecActionHandleLayout;
import io.verbs4j.rdmacore.layout.FlowSpecActionTagLayout;
import io.verbs4j.rdmacore.layout.FlowSpecCounterActionLayout;
import io.verbs4j.rdmacore.layout.FlowSpecEspLayout;
import io.verbs4j.rdmacore.layout.FlowSpecEthLayout;
import io.verbs4j.rdmacore.layout.FlowSpecGreLayout;
import io.verbs4j.rdmacore.layout.FlowSpecIpv4ExtLayout;
import io.verbs4j.rdmacore.layout.FlowSpecIpv4Layout;
import io.verbs4j.rdmacore.layout.FlowSpecIpv6Layout;
import io.verbs4j.rdmacore.layout.FlowSpecMplsLayout;
import io.verbs4j.rdmacore.layout.FlowSpecTcpUdpLayout;
import io.verbs4j.rdmacore.layout.FlowSpecTunnelLayout;
import io.verbs4j.rdmacore.object.NativeCounters;
import io.verbs4j.rdmacore.object.NativeFlowAction;

/** Writes a {@code struct ibv_flow_attr}, followed by its specifications. */
final class FlowAttrs {
    private static final String VERB = "create_flow";

    private FlowAttrs() {}

    /**
     * Returns how much memory a rule needs.
     *
     * @throws VerbsException {@link Errno#EOPNOTSUPP} for an unknown specification
     */
    static int size(FlowAttr attr) {
        int size = FlowAttrLayout.SIZEOF;
        FlowSpec[] specs = attr.specs();
        for (int i = 0; i < specs.length; i++) {
            size += shape(specs[i], i).size;
        }
        return size;
    }

    /** Size of a specification and, for a filter, the offsets of value and mask, which are equally long. */
    private record Shape(int size, int val, int mask) {}

    private static Shape shape(FlowSpec spec, int index) {
        return switch (spec.type() & ~FlowSpecType.INNER) {
            case FlowSpecType.ETH -> new Shape(FlowSpecEthLayout.SIZEOF, FlowSpecEthLayout.VAL, FlowSpecEthLayout.MASK);
            case FlowSpecType.IPV4 ->
                new Shape(FlowSpecIpv4Layout.SIZEOF, FlowSpecIpv4Layout.VAL, FlowSpecIpv4Layout.MASK);
            case FlowSpecType.IPV4_EXT ->
                new Shape(FlowSpecIpv4ExtLayout.SIZEOF, FlowSpecIpv4ExtLayout.VAL, FlowSpecIpv4ExtLayout.MASK);
            case FlowSpecType.IPV6 ->
                new Shape(FlowSpecIpv6Layout.SIZEOF, FlowSpecIpv6Layout.VAL, FlowSpecIpv6Layout.MASK);
            case FlowSpecType.ESP -> new Shape(FlowSpecEspLayout.SIZEOF, FlowSpecEspLayout.VAL, FlowSpecEspLayout.MASK);
            case FlowSpecType.TCP, FlowSpecType.UDP ->
                new Shape(FlowSpecTcpUdpLayout.SIZEOF, FlowSpecTcpUdpLayout.VAL, FlowSpecTcpUdpLayout.MASK);
            case FlowSpecType.VXLAN_TUNNEL ->
                new Shape(FlowSpecTunnelLayout.SIZEOF, FlowSpecTunnelLayout.VAL, FlowSpecTunnelLayout.MASK);
            case FlowSpecType.GRE -> new Shape(FlowSpecGreLayout.SIZEOF, FlowSpecGreLayout.VAL, FlowSpecGreLayout.MASK);
            case FlowSpecType.MPLS ->
                new Shape(FlowSpecMplsLayout.SIZEOF, FlowSpecMplsLayout.VAL, FlowSpecMplsLayout.MASK);
            case FlowSpecType.ACTION_TAG -> new Shape(FlowSpecActionTagLayout.SIZEOF, 0, 0);
            case FlowSpecType.ACTION_DROP -> new Shape(FlowSpecActionDropLayout.SIZEOF, 0, 0);
            case FlowSpecType.ACTION_HANDLE -> new Shape(FlowSpecActionHandleLayout.SIZEOF, 0, 0);
            case FlowSpecType.ACTION_COUNT -> new Shape(FlowSpecCounterActionLayout.SIZEOF, 0, 0);
            default ->
                throw unknown(
                        index,
                        "has type " + FlowSpecType.toString(spec.type()) + ", which the device does not support");
        };
    }

    private static VerbsException unknown(int index, String what) {
        return new VerbsException(Errno.EOPNOTSUPP, VERB, "specs[" + index + "] " + what + "; leave it out");
    }

    /** Writes a rule into memory of that size, which must be zero. */
    static void write(long at, FlowAttr attr) {
        FlowSpec[] specs = attr.specs();
        NativeMemory.putInt(at + FlowAttrLayout.TYPE, attr.type());
        NativeMemory.putShort(at + FlowAttrLayout.SIZE, size(attr));
        NativeMemory.putShort(at + FlowAttrLayout.PRIORITY, attr.priority());
        NativeMemory.putByte(at + FlowAttrLayout.NUM_OF_SPECS, specs.length);
        NativeMemory.putByte(at + FlowAttrLayout.PORT, attr.port());
        NativeMemory.putInt(at + FlowAttrLayout.FLAGS, attr.flags());
        long next = at + FlowAttrLayout.SIZEOF;
        for (int i = 0; i < specs.length; i++) {
            Shape shape = shape(specs[i], i);
            NativeMemory.putInt(next + FlowSpecEthLayout.TYPE, specs[i].type());
            NativeMemory.putShort(next + FlowSpecEthLayout.SIZE, shape.size);
            write(next, specs[i], i, shape);
            next += shape.size;
        }
    }

    private static void write(long at, FlowSpec spec, int index, Shape shape) {
        if (spec instanceof FlowFilter filter) {
            filter(at + shape.val, filter, index, shape.mask - shape.val);
        } else if (spec instanceof FlowSpecActionTag tag) {
            NativeMemory.putInt(at + FlowSpecActionTagLayout.TAG_ID, tag.tagId());
        } else if (spec instanceof FlowSpecActionCount count) {
            NativeMemory.putLong(
                    at + FlowSpecCounterActionLayout.COUNTERS, ((NativeCounters) count.counters()).ibv.address());
        } else if (spec instanceof FlowSpecActionHandle handle) {
            NativeMemory.putLong(
                    at + FlowSpecActionHandleLayout.ACTION, ((NativeFlowAction) handle.action()).ibv.address());
        }
    }

    /** Writes a filter. Rejects fields of a later header if their mask is not zero. */
    private static void filter(long at, FlowFilter filter, int index, int length) {
        byte[] value = filter.value();
        byte[] mask = filter.mask();
        for (int i = length; i < mask.length; i++) {
            if (mask[i] != 0) {
                throw unknown(
                        index, "filters by a field that the device does not support, byte " + i + " of " + filter);
            }
        }
        for (int i = 0; i < Math.min(length, mask.length); i++) {
            NativeMemory.putByte(at + i, value[i]);
            NativeMemory.putByte(at + length + i, mask[i]);
        }
    }
}
