/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CIf;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;
import io.verbs4j.rdmacore.layout.QpAttrLayout;
import io.verbs4j.rdmacore.quirk.layout.DvClockInfoLayout;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The layout classes are annotated so that claims can be derived from all their constants. */
class LayoutClassesTest {
    private static final String PACKAGE = CStruct.class.getPackageName();

    @TempDir
    Path scratch;

    @Test
    void eachClassAndConstantNamesItsCounterpartInC() {
        assertThat(LayoutClaims.classes(CStruct.class))
                .contains(QpAttrLayout.class)
                .hasSizeGreaterThan(30);
        for (Class<?> type : LayoutClaims.classes(CStruct.class)) {
            assertThat(LayoutClaims.faults(type)).isEmpty();
        }
        assertThat(LayoutClaims.classes(DvClockInfoLayout.class))
                .hasSize(2)
                .allSatisfy(type -> assertThat(LayoutClaims.faults(type)).isEmpty());
    }

    @Test
    void layoutsReferOnlyToEachOther() throws IOException {
        ToolProvider jdeps = ToolProvider.findFirst("jdeps").orElseThrow();
        StringWriter output = new StringWriter();
        // Only the package: for the whole module, jdeps would look for the modules that it requires.
        Path folder = scratch.resolve("layout");
        Files.createDirectory(folder);
        for (Class<?> type : ClassesOf.packageOf(CStruct.class)) {
            String file = type.getName().substring(PACKAGE.length() + 1) + ".class";
            try (InputStream bytes = type.getResourceAsStream(file)) {
                Files.copy(bytes, folder.resolve(file));
            }
        }
        PrintWriter writer = new PrintWriter(output);
        int status = jdeps.run(writer, writer, "-verbose:class", "-filter:none", folder.toString());
        assertThat(status).as("%s", output).isZero();
        List<String> uses = output.toString()
                .lines()
                .filter(line -> line.matches(" +\\S+ +-> .*"))
                .map(line -> line.replaceAll(".* -> +(\\S+).*", "$1"))
                .toList();
        assertThat(uses)
                .contains(PACKAGE + ".CField")
                .allMatch(use -> use.startsWith(PACKAGE + ".") || use.startsWith("java.lang."));
    }

    /** Contains one of each mistake. */
    @CStruct("struct ibv_sge")
    static final class WrongLayout {
        @CSize(size = 16)
        @CSize(since = 40, size = 20)
        public static final int SIZEOF = 16;

        public static final int NOTHING_SAID = 0;

        @CField(value = "addr", size = 8)
        public static final int ADDRESS = 0;

        @CField(value = "length", size = 4)
        public static final long LENGTH = 8;

        @CIf("defined(__aarch64__)")
        @CField(value = "lkey", size = 4)
        public static final int LKEY_ARM = 12;

        private WrongLayout() {}
    }

    @Test
    void mistakesAreFound() {
        assertThat(LayoutClaims.faults(WrongLayout.class))
                .containsExactlyInAnyOrder(
                        "WrongLayout.SIZEOF: its value is not the newest size",
                        "WrongLayout.NOTHING_SAID: neither @CField nor @CSize, or both",
                        "WrongLayout.ADDRESS: its name should be ADDR",
                        "WrongLayout.LENGTH: not a public static final int",
                        "WrongLayout.LKEY_ARM: its name should be LKEY");
        assertThat(LayoutClaims.faults(LayoutClassesTest.class))
                .contains(
                        "LayoutClassesTest: no @CStruct",
                        "LayoutClassesTest: has more than constants",
                        "LayoutClassesTest: no SIZEOF");
    }

    /** Annotated correctly, but wrong. */
    @CStruct(value = "struct ibv_gid_entry", since = 32)
    static final class LyingLayout {
        @CSize(since = 32, size = 28)
        public static final int SIZEOF = 28;

        @CField(value = "gid_index", size = 4)
        public static final int GID_INDEX = 20;

        @CField(value = "port_num", size = 2)
        public static final int PORT_NUM = 20;

        @CField(value = "gid_type", size = 4, since = 1000)
        public static final int GID_TYPE = 24;

        @CField(value = "no_such", size = 4, since = 1000)
        public static final int NO_SUCH = 28;

        private LyingLayout() {}
    }

    @Test
    void wrongClaimsAreNamed() {
        assertThat(LayoutClaims.faults(LyingLayout.class)).isEmpty();
        Headers headers = Headers.ofThisMachine(scratch);
        Gcc gcc = Gcc.BOTH.get(0).required();
        List<Claim> claims = LayoutClaims.of(LyingLayout.class);
        Gcc.Answer answer = Oracle.ask(
                gcc,
                headers,
                claims.stream()
                        .filter(claim -> claim.isAbout(headers.release()))
                        .toList());
        assertThat(answer.other()).isEmpty();
        assertThat(answer.refused())
                .containsExactlyInAnyOrder("LyingLayout.SIZEOF", "LyingLayout.GID_INDEX", "LyingLayout.PORT_NUM size");
        assertThat(Oracle.withoutMeaning(gcc, headers, claims))
                .containsExactly("LyingLayout.NO_SUCH", "LyingLayout.NO_SUCH size");
    }
}
