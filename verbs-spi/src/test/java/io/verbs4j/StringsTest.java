/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** The texts of the constants; those of libibverbs were printed by the functions of libibverbs 44.0. */
class StringsTest {
    private static final List<Class<?>> FLAGS = List.of(
            DeviceCap.class,
            PortCap.class,
            WcFlags.class,
            AccessFlags.class,
            QpAttrMask.class,
            SrqAttrMask.class,
            SendFlags.class,
            ReregFlags.class,
            XrcdOpenFlags.class,
            CqCreateFlags.class,
            OdpTransportCaps.class,
            RawPacketCaps.class,
            PciAtomicSizes.class,
            DataInOrderFlags.class,
            DataInOrderCaps.class,
            AdviseMrFlags.class,
            FlushType.class,
            QpCreateFlags.class,
            WqFlags.class,
            RxHashFunction.class,
            FlowFlags.class,
            ReadCountersFlags.class,
            FlowActionEspFlags.class);

    /** Classes whose texts are the names of the constants. */
    private static final List<Class<?>> NAMED = List.of(
            Mtu.class,
            WcOpcode.class,
            Rate.class,
            QpType.class,
            QpState.class,
            MigState.class,
            WrOpcode.class,
            MwType.class,
            SrqType.class,
            GidType.class,
            AdviseMrAdvice.class,
            FlushLevel.class,
            WqType.class,
            WqState.class,
            FlowType.class,
            FlowSpecType.class,
            CounterDescription.class,
            TphMemType.class);

    @Test
    void nodeTypesHaveTextsOfLibibverbs() {
        check(
                NodeType::toString,
                -1,
                "unknown",
                "unknown",
                "InfiniBand channel adapter",
                "InfiniBand switch",
                "InfiniBand router",
                "iWARP NIC",
                "unknown");
    }

    @Test
    void portStatesHaveTextsOfLibibverbs() {
        check(
                PortState::toString,
                -1,
                "unknown",
                "no state change (NOP)",
                "down",
                "init",
                "armed",
                "active",
                "active defer",
                "unknown");
    }

    @Test
    void eventTypesHaveTextsOfLibibverbs() {
        check(
                EventType::toString,
                -1,
                "unknown",
                "CQ error",
                "local work queue catastrophic error",
                "invalid request local work queue error",
                "local access violation work queue error",
                "communication established",
                "send queue drained",
                "path migrated",
                "path migration request error",
                "local catastrophic error",
                "port active",
                "port error",
                "LID change",
                "P_Key change",
                "SM change",
                "SRQ catastrophic error",
                "SRQ limit reached",
                "last WQE reached",
                "client reregistration",
                "GID table change",
                "WQ fatal",
                "unknown");
    }

    @Test
    void statusesHaveTextsOfLibibverbs() {
        check(
                WcStatus::toString,
                -1,
                "unknown",
                "success",
                "local length error",
                "local QP operation error",
                "local EE context operation error",
                "local protection error",
                "Work Request Flushed Error",
                "memory management operation error",
                "bad response error",
                "local access error",
                "remote invalid request error",
                "remote access error",
                "remote operation error",
                "transport retry counter exceeded",
                "RNR retry counter exceeded",
                "local RDD violation error",
                "remote invalid RD request",
                "aborted error",
                "invalid EE context number",
                "invalid EE context state",
                "fatal error",
                "response timeout error",
                "general error",
                "TM error",
                "TM software rendezvous",
                "unknown");
    }

    @Test
    void otherConstantsHaveTextsOfDevinfo() {
        check(TransportType::toString, -1, "unknown", "InfiniBand", "iWARP", "unknown");
        check(AtomicCap::toString, -1, "unknown (-1)", "ATOMIC_NONE", "ATOMIC_HCA", "ATOMIC_GLOB", "unknown (3)");
        check(LinkLayer::toString, -1, "Unknown", "Unspecified", "InfiniBand", "Ethernet", "Unknown");
        check(
                PortPhysState::toString,
                0,
                "invalid physical state",
                "SLEEP",
                "POLLING",
                "DISABLED",
                "PORT_CONFIGURATION TRAINNING",
                "LINK_UP",
                "LINK_ERROR_RECOVERY",
                "PHY TEST",
                "invalid physical state");
    }

    @Test
    void namedConstantsFormatAsTheirNames() throws Exception {
        for (Class<?> type : NAMED) {
            Method method = type.getMethod("toString", int.class);
            for (Field field : ConstantsTest.constants(type)) {
                assertEquals(field.getName(), method.invoke(null, field.getInt(null)), type.getSimpleName());
            }
            assertEquals("unknown (-7)", method.invoke(null, -7), type.getSimpleName());
            assertEquals("unknown (999)", method.invoke(null, 999), type.getSimpleName());
        }
    }

    @Test
    void flagsFormatAsTheirNames() throws Exception {
        for (Class<?> type : FLAGS) {
            Method method = type.getMethod("toString", int.class);
            StringBuilder allNames = new StringBuilder();
            int all = 0;
            for (Field field : ConstantsTest.constants(type)) {
                if (field.getType() == long.class) {
                    continue; // covered by the next test
                }
                int bit = field.getInt(null);
                assertEquals(1, Integer.bitCount(bit), field.toString());
                assertEquals(field.getName(), method.invoke(null, bit), type.getSimpleName());
                allNames.append(allNames.length() == 0 ? "" : "|").append(field.getName());
                all |= bit;
            }
            assertEquals("0", method.invoke(null, 0), type.getSimpleName());
            assertEquals(allNames.toString(), method.invoke(null, all), type.getSimpleName());
            assertEquals(allNames + "|0x40000000", method.invoke(null, all | 1 << 30), type.getSimpleName());
            assertEquals(allNames + "|0x" + Integer.toHexString(~all), method.invoke(null, -1), type.getSimpleName());
            assertEquals("0x80000000", method.invoke(null, Integer.MIN_VALUE), type.getSimpleName());
        }
    }

    @Test
    void wideFlagsFormatAsTheirNames() throws Exception {
        List<Class<?>> types = new ArrayList<>(ConstantsTest.WIDE);
        types.add(DeviceCap.class);
        for (Class<?> type : types) {
            Method method = type.getMethod("toString", long.class);
            StringBuilder allNames = new StringBuilder();
            long all = 0;
            for (Field field : ConstantsTest.constants(type)) {
                long bit = field.getLong(null);
                if (Long.bitCount(bit) != 1 || field.getName().equals("LIBRARY_BITS")) {
                    continue; // several bits under one name
                }
                assertEquals(field.getName(), method.invoke(null, bit), type.getSimpleName());
                allNames.append(allNames.length() == 0 ? "" : "|").append(field.getName());
                all |= bit;
            }
            assertEquals("0", method.invoke(null, 0L), type.getSimpleName());
            assertEquals(allNames.toString(), method.invoke(null, all), type.getSimpleName());
            assertEquals(allNames + "|0x" + Long.toHexString(~all), method.invoke(null, -1L), type.getSimpleName());
            assertEquals("0x8000000000000000", method.invoke(null, Long.MIN_VALUE), type.getSimpleName());
        }
    }

    @Test
    void flagsFormatInAscendingOrder() {
        assertEquals("STATE|PKEY_INDEX|DEST_QPN", QpAttrMask.toString(1 << 20 | 1 | 1 << 4));
        assertEquals("N_NOTIFY_CQ|MEM_WINDOW|0x18000", DeviceCap.toString(1 << 14 | 1 << 17 | 1 << 15 | 1 << 16));
        assertEquals("SM|0x401", PortCap.toString(1 << 1 | 1 | 1 << 10));
    }

    @Test
    void errnosHaveNamesAndDescriptions() throws Exception {
        Set<String> texts = new HashSet<>();
        for (Field field : ConstantsTest.constants(Errno.class)) {
            int errno = field.getInt(null);
            String text = Errno.describe(errno);
            assertEquals(field.getName(), Errno.name(errno));
            assertFalse(text.isBlank() || text.equals("unknown error"), field.getName());
            assertTrue(texts.add(text), "duplicate: " + text);
            assertEquals(field.getName() + ": " + text, Errno.toString(errno));
        }
        assertEquals("EINVAL", Errno.name(22));
        assertEquals("invalid argument", Errno.describe(22));
        assertEquals("EINVAL: invalid argument", Errno.toString(22));
        assertEquals("errno 999", Errno.name(999));
        assertEquals("unknown error", Errno.describe(999));
        assertEquals("errno 999: unknown error", Errno.toString(999));
        assertEquals("errno -22", Errno.name(-22));
        assertEquals("success", Errno.describe(0));
    }

    @Test
    void sendWorkRequestsFormatTheirOperation() {
        SendWorkRequest wr = new SendWorkRequest()
                .wrId(5)
                .remoteAddr(0x1000)
                .rkey(0x77)
                .invalidateRkey(0x1234)
                .mwRkey(0x5678)
                .mwBind(new MwBind().addr(0x2000).length(100).mwAccessFlags(AccessFlags.REMOTE_READ));
        assertEquals("SEND 5 of []", wr.opcode(WrOpcode.SEND).toString());
        assertEquals(
                "RDMA_READ 5 of [], remote 0x1000 (rkey 0x77)",
                wr.opcode(WrOpcode.RDMA_READ).toString());
        assertEquals(
                "SEND_WITH_INV 5 of [], invalidates rkey 0x1234",
                wr.opcode(WrOpcode.SEND_WITH_INV).toString());
        assertEquals(
                "LOCAL_INV 5, invalidates rkey 0x1234",
                wr.opcode(WrOpcode.LOCAL_INV).toString());
        assertEquals(
                "BIND_MW 5, rkey 0x5678 for 0x2000+100 (REMOTE_READ)",
                wr.opcode(WrOpcode.BIND_MW).toString());
        assertEquals("BIND_MW 5, rkey 0x5678", wr.mwBind(null).toString());
    }

    @Test
    void incRkeyChangesLowestByteOnly() {
        assertEquals(0x12345601, MemoryWindow.incRkey(0x12345600));
        assertEquals(0x12345600, MemoryWindow.incRkey(0x123456ff));
        assertEquals(0xffffff00, MemoryWindow.incRkey(-1));
        assertEquals(1, MemoryWindow.incRkey(0));
    }

    /** Checks the texts of consecutive values. */
    private static void check(IntFunction<String> toString, int first, String... texts) {
        for (int i = 0; i < texts.length; i++) {
            assertEquals(texts[i], toString.apply(first + i), "value " + (first + i));
        }
    }
}
