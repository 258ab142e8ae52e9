/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Gid;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The fields of each captured kernel message are decoded correctly, and the messages contain nothing but these fields.
 */
class CapturedMessagesTest {
    private static final Map<String, Class<? extends Mad>> TYPES = Map.of(
            "req", Req.class,
            "mra", Mra.class,
            "rej", Rej.class,
            "rep", Rep.class,
            "rtu", Rtu.class,
            "dreq", Dreq.class,
            "drep", Drep.class,
            "sidr_req", SidrReq.class,
            "sidr_rep", SidrRep.class);

    static Collection<Captured.Message> messages() {
        return Captured.MESSAGES.values();
    }

    private static String kind(String name) {
        return name.substring(name.indexOf('.') + 1);
    }

    private static Mad mad(Captured.Message message, Class<?>... parameters) throws ReflectiveOperationException {
        Constructor<? extends Mad> made = TYPES.get(kind(message.name())).getDeclaredConstructor(parameters);
        made.setAccessible(true);
        return parameters.length == 0 ? made.newInstance() : made.newInstance(message.buffer());
    }

    /** Returns the setters of a message, by name. */
    private static Map<String, Method> setters(Mad mad) {
        Map<String, Method> all = new HashMap<>();
        for (Class<?> type : List.of(mad.getClass(), Mad.class)) {
            for (Method m : type.getDeclaredMethods()) {
                if (m.getParameterCount() == 1
                        && m.getReturnType() == void.class
                        && !m.isSynthetic()
                        && !m.getName().equals("infoGuid")) {
                    m.setAccessible(true);
                    all.put(m.getName(), m);
                }
            }
        }
        return all;
    }

    private static Object get(Mad mad, String field) throws ReflectiveOperationException {
        for (Class<?> type = mad.getClass(); ; type = type.getSuperclass()) {
            for (Method m : type.getDeclaredMethods()) {
                if (m.getName().equals(field) && m.getParameterCount() == 0) {
                    m.setAccessible(true);
                    return m.invoke(mad);
                }
            }
        }
    }

    private static CmaHeader cma(Mad mad) {
        return mad instanceof Req req ? req.cmaHeader() : ((SidrReq) mad).cmaHeader();
    }

    private static Object read(Mad mad, String field) throws ReflectiveOperationException {
        return switch (field) {
            case "cma.version" -> cma(mad).version();
            case "cma.ipVersion" -> cma(mad).ipVersion();
            case "cma.port" -> cma(mad).port();
            case "cma.source" -> cma(mad).source();
            case "cma.destination" -> cma(mad).destination();
            default -> get(mad, field);
        };
    }

    /** Formats the value of a field as in the file. */
    private static String told(String field, Object value, boolean hasAddresses) {
        if (value instanceof Gid gid) {
            return gid.toInetAddress().getHostAddress();
        }
        if (value instanceof byte[] bytes) {
            int from = field.equals("privateData") && hasAddresses ? CmaHeader.LENGTH : 0;
            String hex = HexFormat.of().formatHex(bytes, from, bytes.length).replaceAll("(00)+$", "");
            return hex.isEmpty() ? "-" : hex;
        }
        return "0x" + (value instanceof Long l ? Long.toHexString(l) : Integer.toHexString((Integer) value));
    }

    @ParameterizedTest
    @MethodSource("messages")
    void everyFieldIsDecoded(Captured.Message message) throws ReflectiveOperationException {
        Mad mad = mad(message, ByteBuffer.class);
        assertThat(mad.isMessage()).isTrue();
        assertThat(mad.attribute()).isEqualTo(mad(message).attribute());
        boolean hasAddresses = mad instanceof Req || mad instanceof SidrReq;
        for (Map.Entry<String, String> field : message.fields().entrySet()) {
            String name = field.getKey();
            assertThat(told(name, read(mad, name), hasAddresses)).as(name).isEqualTo(field.getValue());
        }
        assertThat(message.fields().keySet()).containsAll(setters(mad).keySet());
    }

    /** A message made of all its fields equals the kernel's, byte for byte. */
    @ParameterizedTest
    @MethodSource("messages")
    void messageConsistsOfItsFieldsOnly(Captured.Message message) throws ReflectiveOperationException {
        Mad theirs = mad(message, ByteBuffer.class);
        Mad ours = mad(message);
        for (Map.Entry<String, Method> setter : setters(ours).entrySet()) {
            Object value = get(theirs, setter.getKey());
            try {
                setter.getValue().invoke(ours, value);
            } catch (InvocationTargetException e) {
                throw new AssertionError(setter.getKey(), e);
            }
        }
        assertThat(ours.b.array()).isEqualTo(message.bytes());
        if (theirs instanceof Req || theirs instanceof SidrReq) {
            CmaHeader header = cma(theirs);
            byte[] before = ours.b.array().clone();
            cma(ours).write(header.port(), header.source(), header.destination());
            assertThat(ours.b.array()).isEqualTo(before);
        }
    }

    @Test
    void everyMessageTypeIsCaptured() {
        TreeSet<String> kinds = new TreeSet<>();
        Captured.MESSAGES.keySet().forEach(name -> kinds.add(kind(name)));
        assertThat(kinds).isEqualTo(new TreeSet<>(TYPES.keySet()));
        assertThat(Arrays.asList(Captured.message("full.req").fields().get("privateData")))
                .first()
                .asString()
                .hasSize(112);
    }
}
