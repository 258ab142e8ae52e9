/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Pins every constant to the value that it has in C. */
class ConstantsTest {
    static final List<Class<?>> CLASSES = List.of(
            NodeType.class,
            TransportType.class,
            DeviceCap.class,
            AtomicCap.class,
            Mtu.class,
            PortState.class,
            PortPhysState.class,
            LinkLayer.class,
            PortCap.class,
            EventType.class,
            WcStatus.class,
            WcOpcode.class,
            WcFlags.class,
            AccessFlags.class,
            Rate.class,
            QpType.class,
            QpState.class,
            MigState.class,
            QpAttrMask.class,
            SrqAttrMask.class,
            WrOpcode.class,
            SendFlags.class,
            MwType.class,
            ReregFlags.class,
            SrqType.class,
            XrcdOpenFlags.class,
            GidType.class,
            CqCreateFlags.class,
            OdpTransportCaps.class,
            RawPacketCaps.class,
            PciAtomicSizes.class,
            DataInOrderFlags.class,
            DataInOrderCaps.class,
            AdviseMrAdvice.class,
            AdviseMrFlags.class,
            FlushLevel.class,
            FlushType.class,
            QpCreateFlags.class,
            WqType.class,
            WqState.class,
            WqFlags.class,
            RxHashFunction.class,
            FlowType.class,
            FlowSpecType.class,
            FlowFlags.class,
            CounterDescription.class,
            ReadCountersFlags.class,
            OpsWrOpcode.class,
            OpsFlags.class,
            TmCapFlags.class,
            TphMemType.class,
            FlowActionEspFlags.class,
            Errno.class);

    /** Classes whose values are longs. */
    static final List<Class<?>> WIDE = List.of(
            DeviceTraits.class,
            WcExFlags.class,
            CqInitAttrMask.class,
            ModifyCqMask.class,
            OdpGeneralCaps.class,
            ValuesMask.class,
            RegMrMask.class,
            ParentDomainMask.class,
            WqInitAttrMask.class,
            WqAttrMask.class,
            RxHashFields.class,
            DmahInitAttrMask.class,
            FlowActionEspMask.class);

    static List<Class<?>> all() {
        List<Class<?>> all = new ArrayList<>(CLASSES);
        all.addAll(WIDE);
        return all;
    }

    /** Constants of vendors' C functions, of several bits, or of verbs4j's own. */
    private static final List<String> NOT_IN_C = List.of(
            "VENDOR",
            "LIBRARY_BITS",
            "BUFFER",
            "FlowActionEspMask.ATTR",
            "FlowActionEspMask.KEY",
            "FlowActionEspMask.REPLAY",
            "HWCLOCK_NS",
            "DeviceCap.BLOCK_LIST",
            "DeviceTraits.EXCLUSIVE",
            "DeviceTraits.KEYS_BY_CONNECTION",
            "DeviceTraits.DEVICE_ADDRESSES",
            "DeviceTraits.NO_COMPLETION_EVENTS",
            "DeviceTraits.COLLECTIVES",
            "CqCreateFlags.OPTIONAL_RANGE",
            "CqInitAttrMask.HINTS",
            "QpCreateFlags.LOW_LATENCY",
            "QpCreateFlags.OPTIONAL_RANGE",
            "QpInitAttrMask.CREATE_HINTS",
            "WrOpcode.REG_MR",
            "WrOpcode.RDMA_READ_WITH_INV",
            "WrOpcode.NOP",
            "WrOpcode.CQE_WAIT",
            "WrOpcode.SEND_ENABLE",
            "WrOpcode.RECV_ENABLE",
            "WcOpcode.REG_MR",
            "WcOpcode.NOP",
            "WcOpcode.CQE_WAIT",
            "WcOpcode.SEND_ENABLE",
            "WcOpcode.RECV_ENABLE",
            "WcOpcode.MASKED_COMP_SWAP",
            "WcOpcode.MASKED_FETCH_ADD");

    @Test
    void constantsAreThoseOfLibibverbs() throws Exception {
        Map<String, Long> expected = new TreeMap<>();
        for (String line : lines("libibverbs-constants.txt")) {
            String[] parts = line.split("=", 2);
            assertNull(expected.put(parts[0], Long.valueOf(parts[1])), "duplicate in the list: " + parts[0]);
        }
        Map<String, Long> actual = new TreeMap<>();
        for (Class<?> type : all()) {
            for (Field field : constants(type)) {
                String name = type.getSimpleName() + "." + field.getName();
                if (!NOT_IN_C.contains(field.getName()) && !NOT_IN_C.contains(name)) {
                    actual.put(name, field.getLong(null));
                }
            }
        }
        assertEquals(expected, actual);
    }

    @Test
    void noTwoNamesShareValue() throws Exception {
        for (Class<?> type : all()) {
            Map<Long, String> names = new TreeMap<>();
            for (Field field : constants(type)) {
                boolean several = field.getName().equals("LIBRARY_BITS");
                assertNull(several ? null : names.put(field.getLong(null), field.getName()), field.toString());
            }
        }
    }

    @Test
    void classesHoldConstantsOnly() throws Exception {
        for (Class<?> type : all()) {
            assertTrue(Modifier.isPublic(type.getModifiers()), type.getSimpleName());
            assertTrue(Modifier.isFinal(type.getModifiers()), type.getSimpleName());
            Constructor<?>[] constructors = type.getDeclaredConstructors();
            assertEquals(1, constructors.length, type.getSimpleName());
            assertTrue(Modifier.isPrivate(constructors[0].getModifiers()), type.getSimpleName());
            Class<?> value = WIDE.contains(type) ? long.class : int.class;
            assertEquals(String.class, type.getMethod("toString", value).getReturnType(), type.getSimpleName());
        }
    }

    @Test
    void constantsAreCompileTimeConstants() {
        // A case label must be a constant expression: this method does not compile otherwise.
        switch (Rate.RATE_MAX) {
            case WcOpcode.RECV_RDMA_WITH_IMM:
            case QpAttrMask.DEST_QPN:
            case DeviceCap.MEM_WINDOW:
                throw new AssertionError();
            default:
                break;
        }
    }

    @Test
    void mtuConvertsBothWays() {
        int[] bytes = {256, 512, 1024, 2048, 4096};
        for (int i = 0; i < bytes.length; i++) {
            assertEquals(bytes[i], Mtu.toBytes(i + 1));
            assertEquals(i + 1, Mtu.fromBytes(bytes[i]));
        }
        for (int mtu : new int[] {-1, 0, 6, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            String message = assertThrows(IllegalArgumentException.class, () -> Mtu.toBytes(mtu))
                    .getMessage();
            assertTrue(message.contains(String.valueOf(mtu)) && message.contains("MTU_4096 (5)"), message);
        }
        for (int size : new int[] {-256, 0, 1, 128, 255, 1500, 8192}) {
            String message = assertThrows(IllegalArgumentException.class, () -> Mtu.fromBytes(size))
                    .getMessage();
            assertTrue(message.contains(String.valueOf(size)) && message.contains("4096"), message);
        }
    }

    /** Code, multiple and Mbit/s, as ibv_rate_to_mult and ibv_rate_to_mbps of libibverbs 44.0 return them. */
    private static final int[][] RATES = {
        {-1, -1, -1},
        {0, -1, -1},
        {1, -1, -1},
        {2, 1, 2500},
        {3, 4, 10000},
        {4, 12, 30000},
        {5, 2, 5000},
        {6, 8, 20000},
        {7, 16, 40000},
        {8, 24, 60000},
        {9, 32, 80000},
        {10, 48, 120000},
        {11, -1, 14062},
        {12, -1, 56250},
        {13, -1, 112500},
        {14, -1, 168750},
        {15, -1, 25781},
        {16, -1, 103125},
        {17, -1, 206250},
        {18, -1, 309375},
        {19, 11, 28125},
        {20, 20, 53125},
        {21, 160, 425000},
        {22, 240, 637500},
        {23, 320, 850000},
        {24, 480, 1275000},
        {25, -1, -1},
        {26, -1, -1},
    };

    @Test
    void ratesConvertAsInLibibverbs() {
        for (int[] row : RATES) {
            assertEquals(row[1], Rate.toMultiplier(row[0]), "multiple of " + row[0]);
            assertEquals(row[2], Rate.toMbps(row[0]), "Mbit/s of " + row[0]);
        }
        for (int rate = -1000; rate < 1000; rate++) {
            int multiple = Rate.toMultiplier(rate);
            int mbps = Rate.toMbps(rate);
            assertTrue(multiple == -1 || Rate.fromMultiplier(multiple) == rate, "multiple of " + rate);
            assertTrue(mbps == -1 || Rate.fromMbps(mbps) == rate, "Mbit/s of " + rate);
            assertEquals(rate >= 2 && rate <= 24, mbps != -1, "Mbit/s of " + rate);
        }
    }

    @Test
    void speedWithoutCodeIsMaximum() {
        int multiples = 0;
        for (int multiple = -1; multiple < 1000; multiple++) {
            multiples += Rate.fromMultiplier(multiple) == Rate.RATE_MAX ? 0 : 1;
        }
        int speeds = 0;
        for (int mbps = -1; mbps < 2_000_000; mbps++) {
            speeds += Rate.fromMbps(mbps) == Rate.RATE_MAX ? 0 : 1;
        }
        assertEquals(15, multiples);
        assertEquals(23, speeds);
    }

    /** Returns the public constants of a class by ascending value. */
    static List<Field> constants(Class<?> type) throws IllegalAccessException {
        List<Field> constants = new ArrayList<>();
        for (Field field : type.getDeclaredFields()) {
            // A range is not a bit: it says who checks the bits in it.
            if (Modifier.isPublic(field.getModifiers()) && !field.getName().endsWith("_RANGE")) {
                assertTrue(Modifier.isStatic(field.getModifiers()), field.toString());
                assertTrue(Modifier.isFinal(field.getModifiers()), field.toString());
                boolean wide = WIDE.contains(type) || type == DeviceCap.class && field.getType() == long.class;
                assertEquals(wide ? long.class : int.class, field.getType(), field.toString());
                int at = constants.size();
                while (at > 0 && constants.get(at - 1).getLong(null) > field.getLong(null)) {
                    at--;
                }
                constants.add(at, field);
            }
        }
        return constants;
    }

    /** Returns the lines of a resource beside this class, without comments and blank lines. */
    static List<String> lines(String resource) throws IOException {
        List<String> lines = new ArrayList<>();
        try (InputStream in = ConstantsTest.class.getResourceAsStream(resource)) {
            assertNotNull(in, resource);
            BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                if (!line.isBlank() && !line.startsWith("#")) {
                    lines.add(line);
                }
            }
        }
        return lines;
    }
}
