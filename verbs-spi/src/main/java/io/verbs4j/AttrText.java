/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.function.LongFunction;

/**
 * Attributes in words, for logs and debuggers: what is not 0, false or null, by the names of the methods that
 * read it. Fields have those names, so that none is forgotten.
 */
final class AttrText {
    private static final Map<String, LongFunction<String>> WORDS = Map.ofEntries(
            Map.entry("access", bits -> AccessFlags.toString((int) bits)),
            Map.entry("activeMtu", value -> Mtu.toString((int) value)),
            Map.entry("atomicCap", value -> AtomicCap.toString((int) value)),
            Map.entry("createFlags", bits -> QpCreateFlags.toString((int) bits)),
            Map.entry("curQpState", value -> QpState.toString((int) value)),
            Map.entry("deviceCaps", DeviceCap::toString),
            Map.entry("linkLayer", value -> LinkLayer.toString((int) value)),
            Map.entry("maxMtu", value -> Mtu.toString((int) value)),
            Map.entry("mwAccessFlags", bits -> AccessFlags.toString((int) bits)),
            Map.entry("pathMtu", value -> Mtu.toString((int) value)),
            Map.entry("physState", value -> PortPhysState.toString((int) value)),
            Map.entry("qpAccessFlags", bits -> AccessFlags.toString((int) bits)),
            Map.entry("qpState", value -> QpState.toString((int) value)),
            Map.entry("qpType", value -> QpType.toString((int) value)),
            Map.entry("sendFlags", bits -> SendFlags.toString((int) bits)),
            Map.entry("sendOpsFlags", QpCreateSendOps::toString),
            Map.entry("srqType", value -> SrqType.toString((int) value)),
            Map.entry("state", value -> PortState.toString((int) value)),
            Map.entry("wcFlags", WcExFlags::toString),
            Map.entry("wqState", value -> WqState.toString((int) value)),
            Map.entry("wqType", value -> WqType.toString((int) value)),
            Map.entry("currWqState", value -> WqState.toString((int) value)),
            Map.entry("counterDesc", value -> CounterDescription.toString((int) value)),
            Map.entry("FlowAttr.flags", bits -> FlowFlags.toString((int) bits)),
            Map.entry("FlowActionEspAttr.flags", bits -> FlowActionEspFlags.toString((int) bits)),
            Map.entry("tphMemType", value -> TphMemType.toString((int) value)),
            Map.entry("FlowAttr.type", value -> FlowType.toString((int) value)),
            Map.entry("WqInitAttr.createFlags", bits -> WqFlags.toString((int) bits)));

    /** Addresses and keys. */
    private static final Set<String> HEXADECIMAL =
            Set.of("addr", "iova", "key", "nodeGuid", "pageSizeCap", "qkey", "sysImageGuid");

    private AttrText() {}

    /** What a class of the header has, without its superclass: the masks tell nothing that the attributes do not. */
    static String of(Object attr) {
        StringJoiner text = new StringJoiner(", ");
        text.setEmptyValue("nothing set");
        try {
            for (Field field : attr.getClass().getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    field.setAccessible(true);
                    String name = field.getName();
                    Object read = field.get(attr);
                    String value = name.equals("mask") ? mask(attr, (int) read) : value(word(attr, name), read);
                    if (!value.isEmpty()) {
                        text.add(name + " " + value);
                    }
                }
            }
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e); // of the header's own classes there is none
        }
        return text.toString();
    }

    /** The key of a field's words: names that mean another thing in a class are there with that. */
    private static String word(Object attr, String name) {
        String own = attr.getClass().getSimpleName() + "." + name;
        return WORDS.containsKey(own) ? own : name;
    }

    /** What was filled of an answer: the constants of its class name the fields, and the methods that read them. */
    static String ofFilled(OutputAttr attr) {
        StringJoiner text = new StringJoiner(", ");
        text.setEmptyValue("nothing filled");
        try {
            for (Field index : attr.getClass().getFields()) {
                if (index.getType() == int.class && index.getDeclaringClass() == attr.getClass()) {
                    Method reader = reader(attr, index.getName());
                    if (reader != null && attr.has(index.getInt(null))) {
                        Object read = reader.invoke(attr);
                        String value = value(reader.getName(), read);
                        text.add(reader.getName() + " " + (value.isEmpty() ? read : value));
                    }
                }
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e); // of the header's own classes there is none
        }
        return text.toString();
    }

    /** Null for a constant that is no index of a field. */
    private static Method reader(OutputAttr attr, String constant) {
        StringBuilder name = new StringBuilder();
        for (String word : constant.toLowerCase(Locale.ROOT).split("_", -1)) {
            name.append(name.length() == 0 ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1));
        }
        try {
            return attr.getClass().getMethod(name.toString());
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    /** What is there though it is 0, as the state RESET, is seen by it. */
    private static String mask(Object attr, int bits) {
        return bits == 0 ? "" : attr instanceof QpAttr ? QpAttrMask.toString(bits) : SrqAttrMask.toString(bits);
    }

    /** Empty where it is what a new instance has. */
    private static String value(String name, Object value) {
        if (value instanceof Integer || value instanceof Long) {
            return number(name, (Number) value);
        }
        if (value == null || value.equals(false) || value.equals(Gid.ZERO)) {
            return "";
        }
        if (value instanceof String || value instanceof Boolean || value instanceof Gid) {
            return value.toString();
        }
        if (value instanceof Object[] list) {
            return list.length == 0 ? "" : Arrays.toString(list);
        }
        // The program's own objects are not asked what they are.
        boolean own = value instanceof VerbsObject
                || value.getClass().getPackageName().equals(AttrText.class.getPackageName());
        String text = own ? value.toString() : value.getClass().getSimpleName();
        return text.equals("nothing set") ? "" : "(" + text + ")";
    }

    private static String number(String name, Number value) {
        long number = value.longValue();
        if (number == 0) {
            return "";
        }
        if (HEXADECIMAL.contains(name)) {
            return "0x" + (value instanceof Integer ? Integer.toHexString((int) number) : Long.toHexString(number));
        }
        LongFunction<String> words = WORDS.get(name);
        return words == null ? value.toString() : words.apply(number);
    }
}
