/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.testsupport.Full;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Applies forbidden changes to the sources of the API, and checks which rows go red and with which message. The mutant
 * is the new release, the first frozen level the old one; the providers are those of the frozen level and of the build.
 */
@Full
class MutantsIT {
    private static final String SLOT = "io/verbs4j/ContextSlot.java";
    private static final String PROVIDER = "io/verbs4j/spi/VerbsProvider.java";
    private static final String VETTING = "io/verbs4j/core/discovery/ProviderVetting.java";

    @TempDir
    Path scratch;

    private final Release old = Parties.oldest().named("old");
    private final Release build = Parties.build();

    /** Tests the harness: unchanged sources, built in the same way, are green. */
    @Test
    void unchangedSourcesAreGreen() throws InterruptedException {
        assertThat(red(mutant(UnaryOperator.identity(), UnaryOperator.identity())))
                .isEmpty();
    }

    @Test
    void reorderedSlotsTurnRowsRed() throws InterruptedException {
        List<CellResult> red = red(mutant(
                header -> header.edit(SLOT, "OPEN_XRCD = 0;", "OPEN_XRCD = 1;")
                        .edit(SLOT, "CLOSE_XRCD = 1;", "CLOSE_XRCD = 0;"),
                UnaryOperator.identity()));
        // The library sees at once that the provider was compiled with another header.
        assertThat(where(red)).containsExactly("2 with rxe build", "4 with rxe build", "8 with rxe build");
        assertThat(red)
                .allSatisfy(r -> assertThat(r.problems())
                        .anyMatch(p ->
                                p.contains("into the slot of open_xrcd, which takes a io.verbs4j.slot.CloseXrcd")));
    }

    @Test
    void renumberedConstantTurnsRowsRed() throws InterruptedException {
        List<CellResult> red = red(mutant(
                header -> header.edit("io/verbs4j/WrOpcode.java", "int SEND = 2;", "int SEND = 77;"),
                UnaryOperator.identity()));
        // Rows with programs compiled with it are red: 3 4 7 8. Programs of the old header still work.
        assertThat(where(red))
                .containsExactly(
                        "3 with rxe build",
                        "3 with rxe old",
                        "4 with rxe build",
                        "4 with rxe old",
                        "7 with rxe build",
                        "7 with rxe old",
                        "8 with rxe build",
                        "8 with rxe old");
        assertThat(red).allSatisfy(r -> assertThat(r.problems()).anyMatch(p -> p.startsWith("send: EOPNOTSUPP")));
    }

    @Test
    void ignoredMaskBitTurnsRowsRed() throws InterruptedException {
        Release mutant = mutant(
                UnaryOperator.identity(),
                library -> library.edit(
                        "io/verbs4j/core/verbs/Masks.java",
                        "if (unknown == 0 && unknown2 == 0) {",
                        "if (verb != null) {"));
        String expected =
                "mask open_xrcd: expected EOPNOTSUPP the mask has bits that this library does not know, but was ";
        List<CellResult> red = red(mutant);
        // Soft-RoCE checks the mask itself, but the library must not rely on it.
        assertThat(where(red)).containsExactly("8 with rxe build");
        assertThat(problems(red))
                .anyMatch(p -> p.startsWith(expected + "EOPNOTSUPP open_xrcd: EOPNOTSUPP: the mask is"));

        // A provider that does not check: the request is silently ignored.
        Subject careless = new Subject("paper", Paper.provider().jar(scratch), 2, 1, true);
        red = red(mutant, careless);
        assertThat(rows(red)).containsExactly(8);
        assertThat(problems(red)).containsExactly(expected + "works accepted");
    }

    @Test
    void abstractMethodOfProviderTurnsRowsRed() throws InterruptedException {
        String told = "String told = provider.name();";
        List<CellResult> red = red(mutant(
                header -> header.edit(PROVIDER, "    String name();", "    String name();\n\n    String vendor();"),
                library -> library.edit(
                        VETTING, told, "step = \"vendor()\"; provider.vendor(); step = \"name()\"; " + told)));
        assertThat(rows(red)).containsExactly(2, 3, 4, 7, 8);
        assertThat(problems(red))
                // Sources of providers no longer compile, and compiled providers are set aside.
                .anyMatch(p ->
                        p.contains("it does not compile") && p.contains("OwnProvider is not abstract and does not"))
                .anyMatch(p -> p.contains("vendor() failed with java.lang.AbstractMethodError"));
    }

    @Test
    void abstractMethodOfVerbsTurnsRowsRed() throws InterruptedException {
        List<CellResult> red = red(mutant(
                header -> header.edit(
                        "io/verbs4j/ContextOps.java",
                        "    default ProtectionDomain allocPd() {",
                        "    void warmUp();\n\n    default ProtectionDomain allocPd() {"),
                library -> library.edit(
                                "io/verbs4j/core/verbs/LibraryOps.java",
                                "    public ProtectionDomain allocPd() {",
                                "    public void warmUp() {}\n\n    @Override\n    public ProtectionDomain allocPd() {")
                        .edit(
                                "io/verbs4j/core/verbs/Opening.java",
                                "ops = provider.openDevice(device, context);",
                                "ops = provider.openDevice(device, context); ops.warmUp();")));
        assertThat(rows(red)).containsExactly(2, 3, 4, 7, 8);
        assertThat(problems(red))
                .anyMatch(p -> p.contains("it does not compile"))
                .anyMatch(p -> p.contains("open_device: EIO") && p.contains("AbstractMethodError"));
    }

    @Test
    void widerParameterTurnsRowsRed() throws InterruptedException {
        List<CellResult> red = red(mutant(
                header -> header.edit(
                        "io/verbs4j/Context.java",
                        "Gid queryGid(int portNum, int index) {\n        return libraryOps().queryGid(portNum, index);",
                        "Gid queryGid(long portNum, int index) {\n        return libraryOps().queryGid((int) portNum,"
                                + " index);"),
                UnaryOperator.identity()));
        // Programs compiled against the old header run with the new one.
        assertThat(where(red)).containsExactly("1 with rxe build", "2 with rxe build", "2 with rxe old");
        assertThat(problems(red)).anyMatch(p -> p.startsWith("modify_qp: NoSuchMethodError"));
    }

    /**
     * Shows why names are reserved: if a later header adds a final method whose name a provider uses, the JVM refuses
     * the provider's class and the classes that refer to it. A provider without that method keeps working.
     */
    @Test
    void headerTakingNameOfProviderTurnsRowsRed() throws InterruptedException {
        String close = "    public abstract void close();";
        Release mutant = mutant(
                header -> header.edit(
                        "io/verbs4j/VerbsObject.java",
                        close,
                        close + "\n\n    public final boolean isClosed() {\n        return false;\n    }"),
                UnaryOperator.identity());
        Map<String, String> rule = Witness.sources(2, 1);
        Map<String, String> own = new HashMap<>(rule);
        own.computeIfPresent(
                "witness/Loop.java",
                (file, text) -> text.replace(
                        "        Cq(Loop loop, Context",
                        "        public boolean isClosed() {\n            return true;\n        }\n\n        Cq(Loop"
                                + " loop, Context"));
        Map<String, String> atOnce = new HashMap<>(own);
        // The JVM does the same if it must verify the class before the provider runs.
        atOnce.computeIfPresent(
                "witness/WitnessProvider.java",
                (file, text) -> text.replace(
                        "    private static final Device",
                        "    private static final Class<?> QUEUE = Loop.Cq.class;\n    private static final Device"));
        Path header = build.header();
        assertThat(red(mutant, Witness.of(rule, 2, 1, header, scratch))).isEmpty();

        List<CellResult> red = red(mutant, Witness.of(own, 2, 1, header, scratch));
        assertThat(rows(red))
                .containsExactly(1, 2, 3, 4, 7, 8); // the provider's level brings the new header into row 1
        assertThat(problems(red))
                .anyMatch(p -> p.startsWith("open_device: EIO")
                        && p.contains("witness.Loop$Cq overrides final method io.verbs4j.VerbsObject.isClosed")
                        && p.contains("the provider was built for an older header (verbs-spi)"));

        red = red(mutant, Witness.of(atOnce, 2, 1, header, scratch));
        assertThat(red).extracting(CellResult::outcome).containsOnly(Outcome.ASIDE);
        assertThat(problems(red)).anyMatch(p -> p.contains("IncompatibleClassChangeError"));
    }

    /** The header is one level ahead of every library and provider. */
    @Test
    void futureLevelIsGreen() throws InterruptedException {
        List<CellResult> results = future(build);
        Parties.assertGreen(results);
        assertThat(results)
                .hasSize(4)
                .allSatisfy(r -> assertThat(r.detail())
                        .contains("old verbs work", "future_verb ENOSYS", "the library is too old"));
    }

    /** The same, with a header that ignores the size of the table. */
    @Test
    void missingSizeCheckTurnsRowsRed() throws InterruptedException {
        List<CellResult> results = future(mutant(
                header -> header.edit("io/verbs4j/Extension.java", "if (slot >= table.size()) {", "if (slot < 0) {"),
                UnaryOperator.identity()));
        // A library of level 1 has no table, so it is unaffected.
        List<CellResult> red = TextReports.red(results);
        assertThat(red).extracting(r -> r.cell().library().name()).containsExactly(Release.BUILD, Release.BUILD);
        assertThat(red)
                .allSatisfy(r -> assertThat(r.problems())
                        .singleElement()
                        .asString()
                        .startsWith("new future_verb: expected ENOSYS")
                        .contains("ArrayIndexOutOfBoundsException"));
    }

    private List<CellResult> future(Release release) throws InterruptedException {
        Release future = Future.of(release, scratch);
        assertThat(Release.levelOf(future.header())).isEqualTo(build.level() + 1);
        List<Release> libraries = List.of(Parties.oldest(), build);
        return Parties.run(scratch, Plan.future(future, libraries, providers(), Plan.GENERAL, Parties.jdk()));
    }

    private Release mutant(UnaryOperator<Sources> headerChange, UnaryOperator<Sources> libraryChange) {
        Path header = headerChange.apply(Sources.header()).jar(scratch.resolve("verbs-spi-mutant.jar"));
        Path library =
                libraryChange.apply(Sources.library()).jar(scratch.resolve("verbs-core-mutant.jar"), "-p", header);
        return new Release("new", build.level(), header, library, build.provider());
    }

    private List<Subject> providers() {
        return List.of(Subject.of(old), Subject.of(build));
    }

    private List<CellResult> red(Release mutant) throws InterruptedException {
        return red(mutant, providers().toArray(Subject[]::new));
    }

    private List<CellResult> red(Release mutant, Subject... providers) throws InterruptedException {
        return TextReports.red(
                Parties.run(scratch, Plan.eightRows(old, mutant, List.of(providers), false, false, Parties.jdk())));
    }

    private static Set<String> where(List<CellResult> red) {
        return red.stream()
                .map(r -> r.cell().row() + " with " + r.cell().provider().name())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<Integer> rows(List<CellResult> red) {
        return red.stream().map(r -> r.cell().row()).collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<String> problems(List<CellResult> red) {
        return red.stream().flatMap(r -> r.problems().stream()).toList();
    }
}
