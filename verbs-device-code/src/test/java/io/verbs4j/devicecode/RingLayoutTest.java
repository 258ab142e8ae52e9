/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.devicecode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.devicecode.lanes.TextCompilers;
import io.verbs4j.devicecode.spi.VendorCode;
import io.verbs4j.testsupport.program.Program;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Java and C agree on {@code struct v4j_ring}. */
class RingLayoutTest {
    /** Constants of {@link RingLayout} that are not offsets. */
    private static final List<String> VALUES = List.of("VERSION", "OLDEST", "SIZEOF", "QP", "CQ", "PROXY");

    private static final String VENDOR = """
            #define V4J_VENDOR 0x10000
            #include "v4j_request.h"
            V4J_FN int v4j_vendor_write(struct v4j_ring *r, v4j_u64 at, const struct v4j_peer *to,
                                        const struct v4j_request *q) {
                return r && to && q && at ? 0 : V4J_DEV_UNSUPPORTED;
            }
            V4J_FN void v4j_vendor_bell(struct v4j_ring *r, v4j_u64 upto) { v4j_store64(&r->wanted, upto); }
            V4J_FN int v4j_vendor_poll(struct v4j_ring *r, struct v4j_completion *c) { c->at = r->consumed; return 0; }
            #include "v4j_verbs.h"
            """;

    @TempDir
    Path folder;

    private DeviceCode code() {
        return DeviceCode.of(new VendorCode(0x10000, "third", "v4j_third.h", Map.of("v4j_third.h", VENDOR), 1));
    }

    private static int value(Field field) {
        try {
            return field.getInt(null);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void offsetsAreThoseOfC() throws Exception {
        List<Field> offsets = Arrays.stream(RingLayout.class.getDeclaredFields())
                .filter(field -> !field.isSynthetic() && !VALUES.contains(field.getName()))
                .toList();
        assertThat(offsets).hasSizeGreaterThan(30);
        String asserts = offsets.stream()
                .map(field -> {
                    String name = field.getName().toLowerCase(Locale.ROOT).replace("oldest_text", "oldest");
                    return "_Static_assert(__builtin_offsetof(struct v4j_ring, " + name + ") == " + value(field)
                            + ", \"" + name + "\");";
                })
                .collect(Collectors.joining("\n"));
        TextCompilers.c(
                folder,
                code(),
                asserts
                        + """

                _Static_assert(sizeof(struct v4j_ring) == %d, "size");
                _Static_assert(V4J_RING_LAYOUT == %d, "layout");
                _Static_assert(V4J_RING_QP == %d && V4J_RING_CQ == %d && V4J_RING_PROXY == %d, "values");
                _Static_assert(sizeof(struct v4j_peer) == %d, "peer");
                """.formatted(
                                        RingLayout.SIZEOF,
                                        RingLayout.VERSION,
                                        RingLayout.QP,
                                        RingLayout.CQ,
                                        RingLayout.PROXY,
                                        DevicePeer.SIZEOF));
    }

    @Test
    void wrongOffsetIsFound() {
        Program.assumeOnPath("gcc");
        assertThatThrownBy(() -> TextCompilers.c(
                        folder,
                        code(),
                        "_Static_assert(__builtin_offsetof(struct v4j_ring, freed) == 200, \"freed\");"))
                .hasMessageContaining("freed");
    }

    /** A vendor outside of this project needs nothing but the headers. */
    @Test
    void textOfThirdVendorCompiles() throws Exception {
        TextCompilers.all(folder, code());
    }
}
