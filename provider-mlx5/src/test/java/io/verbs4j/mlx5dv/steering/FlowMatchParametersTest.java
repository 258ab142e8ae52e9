/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv.steering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import java.lang.reflect.Field;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class FlowMatchParametersTest {
    /** The parts, in their order in the mask. */
    private static final List<Class<?>> PARTS = List.of(
            OuterFields.class,
            MiscFields.class,
            InnerFields.class,
            Misc2Fields.class,
            Misc3Fields.class,
            Misc4Fields.class,
            Misc5Fields.class);

    private static void refused(String part, ThrowingCallable body) {
        assertThatThrownBy(body)
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
                .hasMessageContaining(part);
    }

    private static List<MatchField> fields(Class<?> part) throws IllegalAccessException {
        List<MatchField> fields = new java.util.ArrayList<>();
        for (Field field : part.getFields()) {
            MatchField found = (MatchField) field.get(null);
            assertThat(found.name()).endsWith("." + field.getName());
            fields.add(found);
        }
        return fields;
    }

    /** IPv4 addresses are exempt: they overlay the ends of the IPv6 addresses. */
    @Test
    void fieldsLieInTheirPartWithoutOverlap() throws IllegalAccessException {
        for (int part = 0; part < PARTS.size(); part++) {
            BitSet taken = new BitSet();
            for (MatchField field : fields(PARTS.get(part))) {
                assertThat(field.bit() / MatchField.PART).as(field.name()).isEqualTo(part);
                if (!field.name().endsWith("_IPV4")) {
                    assertThat(taken.get(field.bit(), field.bit() + field.width())
                                    .isEmpty())
                            .as(field.name())
                            .isTrue();
                    taken.set(field.bit(), field.bit() + field.width());
                }
            }
            assertThat(taken.cardinality()).isGreaterThan(200);
        }
    }

    /** Checks the reserved bits of {@code fte_match_set_lyr_2_4}, and that inner and outer parts share one layout. */
    @Test
    void layersHaveOneReservedHalfWord() throws IllegalAccessException {
        BitSet outer = new BitSet();
        BitSet inner = new BitSet();
        fields(OuterFields.class).forEach(f -> outer.set(f.bit(), f.bit() + f.width()));
        fields(InnerFields.class).forEach(f -> inner.set(f.bit() - 1024, f.bit() - 1024 + f.width()));
        assertThat(inner).isEqualTo(outer);
        BitSet reserved = new BitSet();
        reserved.set(0xc0, 0xd0);
        outer.flip(0, 512);
        assertThat(outer).isEqualTo(reserved);
    }

    @Test
    void fieldsAreBigEndianBits() {
        FlowMatchParameters p = new FlowMatchParameters();
        assertThat(p.length()).isEqualTo(64);
        p.put(OuterFields.SMAC, 0x010203040506L)
                .put(OuterFields.FIRST_VID, 0xabc)
                .put(OuterFields.FIRST_PRIO, 5);
        byte[] bytes = p.toBytes();
        assertThat(bytes).startsWith(1, 2, 3, 4, 5, 6, 0, 0);
        assertThat(bytes[14]).isEqualTo((byte) 0xaa);
        assertThat(bytes[15]).isEqualTo((byte) 0xbc);
        assertThat(p.get(OuterFields.SMAC)).isEqualTo(0x010203040506L);
        assertThat(p.get(OuterFields.FIRST_VID)).isEqualTo(0xabc);
        assertThat(p.get(OuterFields.FIRST_CFI)).isZero();
        p.put(OuterFields.FIRST_VID, 1);
        assertThat(p.get(OuterFields.FIRST_PRIO)).isEqualTo(5);
        assertThat(p.clear().toBytes()).containsOnly(0);
    }

    @Test
    void lengthFollowsLastUsedPart() {
        FlowMatchParameters p = new FlowMatchParameters();
        assertThat(p.get(Misc5Fields.TUNNEL_HEADER_3)).isZero();
        assertThat(p.length()).isEqualTo(64);
        p.fill(Misc2Fields.METADATA_REG_C_0);
        assertThat(p.length()).isEqualTo(256);
        assertThat(p.criteria()).isEqualTo(MatchCriteria.MISC2);
        p.fill(MiscFields.GRE_K_PRESENT).fill(OuterFields.DST_IP);
        assertThat(p.criteria()).isEqualTo(MatchCriteria.OUTER | MatchCriteria.MISC | MatchCriteria.MISC2);
        assertThat(p.get(OuterFields.DST_IPV4)).isEqualTo(0xffff_ffffL);
        assertThat(p.toString()).contains("256 bytes", "30:ff");
    }

    @Test
    void wideFieldsTakeByteArrays() {
        byte[] address = new byte[16];
        address[0] = 0x20;
        address[15] = 9;
        FlowMatchParameters p = new FlowMatchParameters().put(OuterFields.SRC_IP, address);
        assertThat(p.get(OuterFields.SRC_IPV4)).isEqualTo(9);
        assertThat(p.toBytes()[32]).isEqualTo((byte) 0x20);
        refused("128 bits", () -> p.put(OuterFields.SRC_IP, 1));
        refused("128 bits", () -> p.get(OuterFields.SRC_IP));
        refused("15 bytes", () -> p.put(OuterFields.SRC_IP, new byte[15]));
        refused("no bytes", () -> p.put(OuterFields.SRC_IP, null));
        refused("does not fit", () -> p.put(OuterFields.FIRST_CFI, 2));
        refused("one part", () -> new MatchField("x", 500, 20));
        refused("one part", () -> new MatchField("x", 4, 72));
        refused("one part", () -> new MatchField("x", 0, 0));
        refused("one part", () -> new MatchField("x", -8, 8));
        refused("lies beyond", () -> p.fill(new MatchField("x", 8 * 1024, 8)));
    }

    @Test
    void rawBytesAreCopied() {
        byte[] raw = new byte[72];
        raw[71] = 1;
        FlowMatchParameters p = new FlowMatchParameters(raw);
        raw[71] = 2;
        assertThat(p.toBytes()[71]).isEqualTo((byte) 1);
        assertThat(p.length()).isEqualTo(72);
        for (byte[] wrong : new byte[][] {null, {}, new byte[12], new byte[1032]}) {
            refused("multiple of 8", () -> new FlowMatchParameters(wrong));
        }
    }

    @Test
    void nativeBufferIsPaddedWithZeros() {
        FlowMatchParameters p = new FlowMatchParameters();
        SplittableRandom random = new SplittableRandom(7);
        byte[] raw = new byte[64];
        random.nextBytes(raw);
        try (Scratch c = new Scratch(400)) {
            for (int i = 0; i < 400; i++) {
                NativeMemory.putByte(c.address() + i, 0x55);
            }
            MatchArea.write(c.address(), new FlowMatchParameters(raw), 192);
            assertThat(NativeMemory.getLong(c.address())).isEqualTo(192);
            byte[] found = new byte[64];
            NativeMemory.getBytes(c.address() + 8, found);
            assertThat(found).isEqualTo(raw);
            byte[] rest = new byte[128];
            NativeMemory.getBytes(c.address() + 72, rest);
            assertThat(rest).containsOnly(0);
            assertThat(NativeMemory.getByte(c.address() + 200)).isEqualTo(0x55);
            MatchArea.write(c.address(), p.fill(MiscFields.VXLAN_VNI), 64);
            assertThat(NativeMemory.getLong(c.address())).isEqualTo(128);
        }
    }
}
