/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.device;

import io.verbs4j.AccessFlags;
import io.verbs4j.DeviceAttr;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.DeviceTraits;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpType;
import io.verbs4j.tools.text.Printable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Writes the answers to what a program can query beforehand: what a device can do, and how it differs from most. */
public final class CanText {
    private static final String UNREPORTED = "not reported";

    private CanText() {}

    /** {@return the text for people, a line for each question} */
    public static String write(DeviceInfo info) {
        StringBuilder out =
                new StringBuilder("hca_id:\t").append(Printable.of(info.name())).append('\n');
        answers(info)
                .forEach((question, answer) -> out.append('\t')
                        .append(question)
                        .append(": ")
                        .append(answer instanceof List<?> list ? joined(list) : answer)
                        .append('\n'));
        return out.append('\n').toString();
    }

    private static String joined(List<?> list) {
        return list.isEmpty() ? "none" : list.stream().map(String::valueOf).collect(Collectors.joining(" "));
    }

    /** {@return the same answers for programs} */
    public static Map<String, Object> json(DeviceInfo info) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("hca_id", info.name());
        map.putAll(answers(info));
        return map;
    }

    private static Map<String, Object> answers(DeviceInfo info) {
        DeviceAttrEx ex = info.attrEx();
        DeviceAttr attr = info.attr();
        Map<String, Object> map = new LinkedHashMap<>();
        operations(map, ex, DeviceAttrEx.SEND_OPS_RC, QpType.RC);
        operations(map, ex, DeviceAttrEx.SEND_OPS_UC, QpType.UC);
        operations(map, ex, DeviceAttrEx.SEND_OPS_UD, QpType.UD);
        operations(map, ex, DeviceAttrEx.SEND_OPS_XRC_SEND, QpType.XRC_SEND);
        operations(map, ex, DeviceAttrEx.SEND_OPS_DRIVER, QpType.DRIVER);
        map.put("rights of regions", told(ex, DeviceAttrEx.MR_ACCESS_FLAGS, AccessFlags.toString(ex.mrAccessFlags())));
        map.put(
                "rights of queue pairs",
                told(ex, DeviceAttrEx.QP_ACCESS_FLAGS, AccessFlags.toString(ex.qpAccessFlags())));
        map.put("unlike most devices", told(ex, DeviceAttrEx.DEVICE_TRAITS, DeviceTraits.toString(ex.deviceTraits())));
        map.put(
                "ports without a network",
                ex.has(DeviceAttrEx.INTERNAL_PORTS) ? ports(ex.internalPorts()) : UNREPORTED);
        map.put("most protection domains", attr.maxPd());
        map.put("most shared receive queues", attr.maxSrq());
        map.put("most address handles", attr.maxAh());
        return map;
    }

    private static void operations(Map<String, Object> map, DeviceAttrEx attr, int field, int qpType) {
        map.put(
                "operations of " + QpType.toString(qpType),
                told(attr, field, QpCreateSendOps.toString(attr.sendOps(qpType))));
    }

    /** {@return the names of bits, or {@link #UNREPORTED} if the field is not filled} */
    private static Object told(DeviceAttrEx attr, int field, String names) {
        if (!attr.has(field)) {
            return UNREPORTED;
        }
        return names.equals("0") ? List.of() : List.of(names.split("\\|"));
    }

    private static List<Integer> ports(long bits) {
        return IntStream.range(0, Long.SIZE)
                .filter(bit -> (bits & 1L << bit) != 0)
                .map(bit -> bit + 1)
                .boxed()
                .toList();
    }
}
