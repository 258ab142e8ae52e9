/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.marshal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.AhAttr;
import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.GlobalRoute;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class AhAttrsTest {
    /** The bytes of all fields differ; {@code from} makes two such objects differ. */
    static AhAttr distinct(int from) {
        return new AhAttr()
                .grh(new GlobalRoute()
                        .dgid(Gid.of(0x0102030405060708L + from, 0x1112131415161718L + from))
                        .flowLabel(0xabcde - from)
                        .sgidIndex(0x21 + from)
                        .hopLimit(0xf2 - from)
                        .trafficClass(0xe3 - from))
                .dlid(0xd4c5 - from)
                .sl(0x36 + from)
                .srcPathBits(0x47 + from)
                .staticRate(0x58 + from)
                .isGlobal(from == 0)
                .portNum(0xb9 - from);
    }

    static void assertSame(AhAttr found, AhAttr expected) {
        assertThat(found.grh()).usingRecursiveComparison().isEqualTo(expected.grh());
        assertThat(found).usingRecursiveComparison().isEqualTo(expected);
    }

    /** Compares with the offsets in the manual, not with our constants. */
    @Test
    void bytesMatchLayoutOfC() {
        try (Scratch c = new Scratch(32)) {
            AhAttrs.write("create_ah", c.address(), distinct(0));
            StringBuilder bytes = new StringBuilder();
            for (int i = 0; i < 32; i++) {
                bytes.append(String.format("%02x", NativeMemory.getByte(c.address() + i)));
            }
            assertThat(bytes)
                    .hasToString(
                            "01020304050607081112131415161718" // dgid, as on the wire
                                    + "debc0a00" // flow label
                                    + "21f2e300" // GID index, hop limit, traffic class
                                    + "c5d4" // dlid
                                    + "36475801b900"); // sl, path bits, rate, global, port
        }
    }

    @Test
    void writtenAttributesAreReadBack() {
        try (Scratch c = new Scratch(32)) {
            for (int from = 0; from < 2; from++) {
                AhAttrs.write("create_ah", c.address(), distinct(from));
                assertSame(AhAttrs.read(c.address()), distinct(from));
            }
        }
    }

    @Test
    void valuesTooLargeAreRefused() {
        Map<String, Consumer<AhAttr>> tooLarge = Map.of(
                "flow label", a -> a.grh().flowLabel(0x100000),
                "GID index", a -> a.grh().sgidIndex(256),
                "hop limit", a -> a.grh().hopLimit(256),
                "traffic class", a -> a.grh().trafficClass(-1),
                "dlid", a -> a.dlid(0x10000),
                "sl", a -> a.sl(256),
                "source path bits", a -> a.srcPathBits(256),
                "static rate", a -> a.staticRate(-1),
                "port", a -> a.portNum(256));
        tooLarge.forEach((name, change) -> {
            AhAttr attr = distinct(0);
            change.accept(attr);
            try (Scratch c = new Scratch(32)) {
                assertThatThrownBy(() -> AhAttrs.write("create_ah", c.address(), attr))
                        .isInstanceOfSatisfying(
                                VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
                        .hasMessageContaining("create_ah: EINVAL: " + name + " is ");
            }
        });
    }
}
