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
 * Formats attributes for logs and debuggers: those that are not 0, false or null, with the names of their accessors.
 * Fields have the same names, so none is forgotten.
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

    /**
     * Formats the fields of a class of the header, without its superclass: the masks say nothing that the attributes do
     * not.
     */
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
            throw new IllegalStateException(e); // cannot happen for the header's own classes
        }
        return text.toString();
    }

    /** Returns the lookup key of a field; a name that means something else in one class has its own key there. */
    private static String word(Object attr, String name) {
        String own = attr.getClass().getSimpleName() + "." + name;
        return WORDS.containsKey(own) ? own : name;
    }

    /**
     * Formats the filled fields of a result: the constants of its class have the names of the fields and of their
     * accessors.
     */
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
            throw new IllegalStateException(e); // cannot happen for the header's own classes
        }
        return text.toString();
    }

    /** Returns the accessor, or null for a constant that is not the index of a field. */
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

    /** Returns the mask as text, which shows attributes that are set to 0, like the state RESET. */
    private static String mask(Object attr, int bits) {
        return bits == 0 ? "" : attr instanceof QpAttr ? QpAttrMask.toString(bits) : SrqAttrMask.toString(bits);
    }

    /** Returns the value as text; empty if it is that of a new instance. */
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
        // Do not call toString of the program's own objects.
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
