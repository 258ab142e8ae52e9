/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Gid;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * Every field of every message is where the specification puts it: message, field, byte in the data, bit from the left,
 * number of bits.
 */
class MessageLayoutTest {
    static final List<String> FIELDS = List.of(
            "Req localId 0 0 32",
            "Req serviceId 8 0 64",
            "Req caGuid 16 0 64",
            "Req qkey 28 0 32",
            "Req qpNum 32 0 24",
            "Req responderResources 35 0 8",
            "Req initiatorDepth 39 0 8",
            "Req remoteResponseTimeout 43 0 5",
            "Req transport 43 5 2",
            "Req endToEndFlowControl 43 7 1",
            "Req startingPsn 44 0 24",
            "Req localResponseTimeout 47 0 5",
            "Req retryCount 47 5 3",
            "Req pkey 48 0 16",
            "Req pathMtu 50 0 4",
            "Req rnrRetryCount 50 5 3",
            "Req maxCmRetries 51 0 4",
            "Req srq 51 4 1",
            "Req extendedTransport 51 5 3",
            "Req localLid 52 0 16",
            "Req remoteLid 54 0 16",
            "Req localGid 56 0 128",
            "Req remoteGid 72 0 128",
            "Req flowLabel 88 0 20",
            "Req packetRate 91 2 6",
            "Req trafficClass 92 0 8",
            "Req hopLimit 93 0 8",
            "Req sl 94 0 4",
            "Req ackTimeout 95 0 5",
            "Req alternateLocalLid 96 0 16",
            "Req alternateRemoteLid 98 0 16",
            "Req privateData 140 0 736",
            "Mra localId 0 0 32",
            "Mra remoteId 4 0 32",
            "Mra message 8 0 2",
            "Mra serviceTimeout 9 0 5",
            "Mra privateData 10 0 1776",
            "Rep localId 0 0 32",
            "Rep remoteId 4 0 32",
            "Rep qkey 8 0 32",
            "Rep qpNum 12 0 24",
            "Rep startingPsn 20 0 24",
            "Rep responderResources 24 0 8",
            "Rep initiatorDepth 25 0 8",
            "Rep targetAckDelay 26 0 5",
            "Rep failover 26 5 2",
            "Rep endToEndFlowControl 26 7 1",
            "Rep rnrRetryCount 27 0 3",
            "Rep srq 27 3 1",
            "Rep caGuid 28 0 64",
            "Rep privateData 36 0 1568",
            "Rtu localId 0 0 32",
            "Rtu remoteId 4 0 32",
            "Rtu privateData 8 0 1792",
            "Drep localId 0 0 32",
            "Drep remoteId 4 0 32",
            "Drep privateData 8 0 1792",
            "Dreq localId 0 0 32",
            "Dreq remoteId 4 0 32",
            "Dreq remoteQpNum 8 0 24",
            "Dreq privateData 12 0 1760",
            "Rej localId 0 0 32",
            "Rej remoteId 4 0 32",
            "Rej message 8 0 2",
            "Rej infoLength 9 0 7",
            "Rej reason 10 0 16",
            "Rej info 12 0 576",
            "Rej privateData 84 0 1184",
            "SidrReq localId 0 0 32",
            "SidrReq pkey 4 0 16",
            "SidrReq serviceId 8 0 64",
            "SidrReq privateData 16 0 1728",
            "SidrRep localId 0 0 32",
            "SidrRep status 4 0 8",
            "SidrRep infoLength 5 0 8",
            "SidrRep qpNum 8 0 24",
            "SidrRep serviceId 12 0 64",
            "SidrRep qkey 20 0 32",
            "SidrRep info 24 0 576",
            "SidrRep privateData 96 0 1088");

    private static final int BITS = (Mad.LENGTH - Mad.DATA) * 8;

    private static final Map<String, Integer> ATTRIBUTES = new TreeMap<>(Map.of(
            "Req", 0x10, "Mra", 0x11, "Rej", 0x12, "Rep", 0x13, "Rtu", 0x14, "Dreq", 0x15, "Drep", 0x16, "SidrReq",
            0x17, "SidrRep", 0x18));

    private static Mad make(String message) throws ReflectiveOperationException {
        Constructor<?> constructor =
                Class.forName("io.verbs4j.cm.engine." + message).getDeclaredConstructor();
        constructor.setAccessible(true);
        return (Mad) constructor.newInstance();
    }

    private static Method accessor(Mad mad, String field, int parameters) {
        return Stream.concat(
                        Arrays.stream(mad.getClass().getDeclaredMethods()),
                        Arrays.stream(Mad.class.getDeclaredMethods()))
                .filter(m -> m.getName().equals(field) && m.getParameterCount() == parameters)
                .peek(m -> m.setAccessible(true))
                .findFirst()
                .orElseThrow(() -> new AssertionError(field));
    }

    private static BigInteger data(Mad mad) {
        byte[] bytes = new byte[Mad.LENGTH - Mad.DATA];
        mad.b.get(Mad.DATA, bytes);
        return new BigInteger(1, bytes);
    }

    /** Converts bits to a value of a type. */
    private static Object value(Class<?> type, BigInteger bits, int width) {
        byte[] bytes = new byte[width / 8];
        byte[] all = bits.toByteArray();
        for (int i = 0; i < Math.min(all.length, bytes.length); i++) {
            bytes[bytes.length - 1 - i] = all[all.length - 1 - i];
        }
        if (type == byte[].class) {
            return bytes;
        }
        if (type == Gid.class) {
            return Gid.of(bytes);
        }
        return type == long.class ? (Object) bits.longValue() : (Object) bits.intValue();
    }

    @ParameterizedTest
    @FieldSource("FIELDS")
    void fieldOccupiesSpecifiedBits(String row) throws ReflectiveOperationException {
        String[] words = row.split(" ", -1);
        int at = Integer.parseInt(words[2]) * 8 + Integer.parseInt(words[3]);
        int width = Integer.parseInt(words[4]);
        BigInteger ones = BigInteger.ONE.shiftLeft(width).subtract(BigInteger.ONE);
        BigInteger pattern = new BigInteger(width, new java.util.Random(row.hashCode())).setBit(0);
        for (BigInteger bits : List.of(ones, pattern)) {
            Mad mad = make(words[0]);
            Method set = accessor(mad, words[1], 1);
            Method get = accessor(mad, words[1], 0);
            Object value = value(set.getParameterTypes()[0], bits, width);
            set.invoke(mad, value);
            assertThat(data(mad)).isEqualTo(bits.shiftLeft(BITS - at - width));
            assertThat(get.invoke(mad)).isEqualTo(value);
            // neighbouring bits are neither read nor written
            Mad full = make(words[0]);
            for (int i = Mad.DATA; i < Mad.LENGTH; i++) {
                full.b.put(i, (byte) 0xff);
            }
            set.invoke(full, value);
            assertThat(get.invoke(full)).isEqualTo(value);
            BigInteger whole = BigInteger.ONE.shiftLeft(BITS).subtract(BigInteger.ONE);
            assertThat(data(full)).isEqualTo(whole.subtract(ones.subtract(bits).shiftLeft(BITS - at - width)));
        }
    }

    /** Ensures that every new field gets a row. */
    @Test
    void everyFieldHasRow() throws ReflectiveOperationException {
        for (String message : ATTRIBUTES.keySet()) {
            TreeSet<String> setters = new TreeSet<>();
            for (Method m : make(message).getClass().getDeclaredMethods()) {
                if (m.getReturnType() == void.class
                        && !m.isSynthetic()
                        && !m.getName().equals("infoGuid")) {
                    setters.add(message + " " + m.getName());
                }
            }
            setters.add(message + " localId");
            assertThat(FIELDS.stream()
                            .filter(row -> row.startsWith(message + " "))
                            .map(row -> row.substring(0, row.indexOf(' ', message.length() + 1)))
                            .toList())
                    .containsExactlyInAnyOrderElementsOf(setters);
        }
    }

    @Test
    void headerHasClassMethodAndAttribute() throws ReflectiveOperationException {
        for (Map.Entry<String, Integer> e : ATTRIBUTES.entrySet()) {
            Mad mad = make(e.getKey());
            mad.tid(0x0102030405060708L);
            byte[] header = new byte[Mad.DATA];
            mad.b.get(0, header);
            assertThat(HexFormat.of().formatHex(header))
                    .isEqualTo("01070203" + "00000000" + "0102030405060708" + "00" + Integer.toHexString(e.getValue())
                            + "0000" + "00000000");
            assertThat(mad.isMessage()).isTrue();
            assertThat(mad.attribute()).isEqualTo(e.getValue());
        }
    }

    @Test
    void otherClassesAndMethodsAreRejected() {
        for (int at = 0; at < 4; at++) {
            Req req = new Req();
            req.b.put(at, (byte) (req.b.get(at) + 1));
            assertThat(req.isMessage()).as("byte %d", at).isFalse();
        }
    }

    @Test
    void cmaHeaderHoldsIpv4Addresses() {
        Req req = new Req();
        req.cmaHeader().write(0x8001, Gid.of(0, 0xffff_0a00_0001L), Gid.of(0, 0xffff_0a00_0002L));
        byte[] bytes = Arrays.copyOf(req.privateData(), CmaHeader.LENGTH);
        assertThat(HexFormat.of().formatHex(bytes))
                .isEqualTo("00408001" + "0".repeat(24) + "0a000001" + "0".repeat(24) + "0a000002");
        // only the last four bytes count
        req.b.put(Mad.DATA + 140 + 4, (byte) 9);
        assertThat(req.cmaHeader().source()).isEqualTo(Gid.of(0, 0xffff_0a00_0001L));
        assertThat(req.cmaHeader().destination()).isEqualTo(Gid.of(0, 0xffff_0a00_0002L));
        assertThat(req.cmaHeader().port()).isEqualTo(0x8001);
    }

    @Test
    void cmaHeaderHoldsIpv6Addresses() {
        SidrReq req = new SidrReq();
        Gid a = Gid.of(0xfd00_0000_0000_0000L, 0x1112_1314_1516_1718L);
        Gid b = Gid.of(0xfd00_0000_0000_0001L, 0x2122_2324_2526_2728L);
        req.cmaHeader().write(7471, a, b);
        byte[] bytes = Arrays.copyOf(req.privateData(), CmaHeader.LENGTH);
        assertThat(HexFormat.of().formatHex(bytes)).isEqualTo("00601d2f" + a.toHex() + b.toHex());
        assertThat(new CmaHeader(ByteBuffer.wrap(bytes), 0).source()).isEqualTo(a);
        assertThat(req.cmaHeader().destination()).isEqualTo(b);
    }

    @Test
    void guidIsStoredAsAdditionalInformation() {
        Rej rej = new Rej();
        rej.infoGuid(0x0203040506070809L);
        assertThat(rej.infoLength()).isEqualTo(8);
        assertThat(HexFormat.of().formatHex(rej.info(), 0, 9)).isEqualTo("020304050607080900");
        assertThat(rej.infoGuid()).isEqualTo(0x0203040506070809L);
    }
}
