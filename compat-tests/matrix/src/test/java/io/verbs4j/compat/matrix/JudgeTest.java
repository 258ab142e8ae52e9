/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How the matrix judges the output of a program: unexpected output must never pass. */
class JudgeTest {
    private static final String PROVIDER = "provider rxe used 2 1 [d0]";
    private static final String[] OLD = {
        PROVIDER,
        "old open_device works",
        "old create_qp works",
        "old send works 10 bytes verified",
        "old rdma_write works",
        "old close works",
        "end main works"
    };
    private static final String[] NEW = {
        "new falls works extended",
        "new always works",
        "new missing works",
        "new dependent works",
        "new past works",
        "mask bit_device EOPNOTSUPP bit: EOPNOTSUPP: no",
        "mask bit EOPNOTSUPP the mask has bits that this library does not know: 0x8"
    };

    private static CellResult judge(Cell cell, String... lines) {
        return Judge.ran(cell, Samples.output(0, lines));
    }

    private static String[] lines(String[] first, String... more) {
        return Stream.of(first, more).flatMap(Stream::of).toArray(String[]::new);
    }

    private static String[] replaced(String from, String to) {
        return Stream.of(lines(OLD, NEW))
                .map(line -> line.equals(from) ? to : line)
                .toArray(String[]::new);
    }

    private final Cell newest = Samples.cell(2, 2, 2, 2, 2);

    @Test
    void expectedResultIsGreen() {
        CellResult result = judge(newest, lines(OLD, NEW));
        assertThat(result.problems()).isEmpty();
        assertThat(result.outcome()).isEqualTo(Outcome.Y);
        assertThat(result.detail())
                .startsWith("old verbs work (10 bytes verified); falls works (extended)")
                .contains("unknown bit in bit EOPNOTSUPP", "class path, JDK 17.0.1");
    }

    @Test
    void deviationIsRed() {
        assertThat(judge(newest, replaced("new missing works", "new missing ENOSYS too old"))
                        .problems())
                .containsExactly("new missing: expected works , but was ENOSYS too old");
        assertThat(judge(newest, replaced("new falls works extended", "new falls works fall-back"))
                        .problems())
                .containsExactly("new falls: expected works extended, but was works fall-back");
        assertThat(judge(newest, replaced("old send works 10 bytes verified", "old send EINVAL no"))
                        .problems())
                .containsExactly("send: EINVAL no");
        assertThat(judge(newest, replaced(NEW[6], "mask bit works accepted")).problems())
                .hasSize(1);
        assertThat(judge(newest, lines(OLD)).problems()).hasSize(7).allMatch(p -> p.contains("did not report"));
        assertThat(judge(newest, lines(lines(OLD, NEW), "new more works")).problems())
                .containsExactly("the program reported [new more], which no rule expects");
    }

    @Test
    void failedProgramIsRed() {
        assertThat(Judge.ran(newest, Samples.output(1, lines(OLD, NEW))).outcome())
                .isEqualTo(Outcome.FAILED);
        assertThat(judge(newest, PROVIDER, "old open_device works").outcome()).isEqualTo(Outcome.FAILED);
        assertThat(judge(newest, "end main works").problems()).contains("the provider was not found");
        assertThat(judge(newest, PROVIDER, "end main works").problems()).contains("the provider has no device");
        assertThat(judge(newest, PROVIDER, "old open_device EIO broken", "end main works")
                        .outcome())
                .isEqualTo(Outcome.FAILED);
    }

    /** A JVM that cannot start says so on its standard output. */
    @Test
    void outputOfBothStreamsIsReported() {
        String boot = "Error occurred during initialization of boot layer\nModule io.verbs4j.rdmacore not found\n";
        ProgramRun run = new ProgramRun(List.of("java", "App"), 1, boot, "warning\n");
        assertThat(Judge.ran(newest, run).problems())
                .contains("the program ended with status 1: warning Error occurred during initialization of boot layer"
                        + " Module io.verbs4j.rdmacore not found");
    }

    @Test
    void misalignedHeaderMustBeReportedWithRemedy() {
        Cell misaligned = Samples.cell(1, 1, 2, 1, 1);
        String remedy = "before it on the path, or align the versions of the io.verbs4j jars";
        String good = "old open_device EPROTO put verbs-spi " + remedy;
        assertThat(judge(misaligned, PROVIDER, good, "end main works").green()).isTrue();
        // The same when the devices are listed, whatever the report says about the provider.
        String listed = "old get_device_list EPROTO put verbs-spi " + remedy;
        assertThat(judge(misaligned, listed, "provider rxe aside older", "end main works")
                        .green())
                .isTrue();
        assertThat(judge(misaligned, PROVIDER, "old open_device EPROTO sorry", "end main works")
                        .green())
                .isFalse();
        assertThat(judge(misaligned, OLD).green()).isFalse();
        // If all headers are aligned, the same message is red.
        assertThat(judge(newest, PROVIDER, good, "end main works").green()).isFalse();
    }

    @Test
    void verbsMissingInForeignProviderAreSkipped() {
        Cell foreign = Samples.cell(2, 2, 2, new Subject("their.jar", Path.of("their.jar"), 2, 1, true), 2);
        String[] output = lines(
                replaced("new missing works", "new missing EOPNOTSUPP the device can't"), "old send EOPNOTSUPP no");
        CellResult result = judge(foreign, output);
        assertThat(result.problems()).isEmpty();
        assertThat(result.skipped()).containsExactly("send: no", "missing: the device can't");
        // Our own provider must not lack verbs; and no provider may blame the library or return wrong results.
        assertThat(judge(newest, output).problems()).hasSize(2);
        assertThat(judge(foreign, replaced("new missing works", "new missing ENOSYS no"))
                        .green())
                .isFalse();
        assertThat(judge(foreign, replaced("new missing works", "new missing EINVAL no"))
                        .green())
                .isFalse();
        // A step must not be unreached without a reason.
        assertThat(judge(foreign, lines(lines(OLD, NEW), "old more unreached needs x"))
                        .green())
                .isFalse();
    }

    /** The promise is about data: a run that moves none certifies nothing, but is not wrong either. */
    @Test
    void runWithoutVerifiedDataShowsNothing() {
        Cell foreign = Samples.cell(2, 2, 2, new Subject("their.jar", Path.of("their.jar"), 2, 1, true), 2);
        String[] nothing = Stream.of(lines(OLD, NEW))
                .map(line -> line.replaceAll("^(old (?:send|rdma_write)) .*", "$1 EOPNOTSUPP no"))
                .toArray(String[]::new);
        CellResult result = judge(foreign, nothing);
        assertThat(result.outcome()).isEqualTo(Outcome.UNSHOWN);
        assertThat(result.problems()).isEmpty();
        assertThat(result.detail()).contains("not shown");
        // Nor does a step that works but reports no bytes, or zero.
        assertThat(judge(foreign, replaced("old send works 10 bytes verified", "old send works 0 bytes verified"))
                        .outcome())
                .isEqualTo(Outcome.UNSHOWN);
        // For a device that supports only RDMA WRITE, that suffices.
        String[] write = Stream.of(nothing)
                .map(line -> line.replace("old rdma_write EOPNOTSUPP no", "old rdma_write works 10 bytes verified"))
                .toArray(String[]::new);
        assertThat(judge(foreign, write).outcome()).isEqualTo(Outcome.Y);
    }

    /** The witness reports each step that it saw; none may be left out. */
    @Test
    void everyStepOfWitnessIsRequired() {
        AppSource app = Samples.app(1);
        Cell cell = Samples.cell(1, 1, 1, new Subject("witness 1/1", Path.of("w.jar"), 1, 1, false), 1);
        String[] output = Stream.of(OLD)
                .map(line -> line.replace("provider rxe", "provider witness"))
                .toArray(String[]::new);
        String[] witnessed = Witness.steps(app, 1, 1).stream()
                .map(step -> "witness " + step + " works")
                .toArray(String[]::new);
        assertThat(judge(cell, lines(output, witnessed)).problems()).isEmpty();
        assertThat(judge(cell, output).problems())
                .hasSameSizeAs(witnessed)
                .contains("witness create_qp: the program did not report it");
        witnessed[5] = "witness create_qp IllegalStateException cap.maxSendWr is 1, not 2";
        assertThat(judge(cell, lines(output, witnessed)).problems())
                .containsExactly("witness create_qp: IllegalStateException cap.maxSendWr is 1, not 2");
    }

    @Test
    void oldLibraryMustReportItselfWhateverProviderLacks() {
        Cell foreign = Samples.cell(2, 2, 1, new Subject("their.jar", Path.of("their.jar"), 2, 1, true), 2);
        CellResult result = judge(
                foreign,
                lines(
                        OLD,
                        "new falls works fall-back",
                        "new always works",
                        "new missing EOPNOTSUPP the device can't",
                        "new dependent unreached needs missing",
                        "new past EOPNOTSUPP past: no",
                        "mask bit_device ENOSYS the library is too old",
                        "mask bit ENOSYS the library is too old"));
        assertThat(result.problems()).hasSize(1).first().asString().startsWith("new missing: expected ENOSYS");
    }

    @Test
    void compilerMustMissOnlyNewSymbols() {
        Cell cell = Samples.cell(2, 1, 1, 1, 1);
        String missing = "A.java:1: cannot find symbol\n  symbol:   class Symbol\n  location: package io.verbs4j";
        assertThat(compiled(cell, error("compiler.err.cant.resolve.location", missing))
                        .green())
                .isTrue();
        assertThat(compiled(cell, error("compiler.err.cant.resolve.location", missing))
                        .detail())
                .isEqualTo("does not compile, 1 errors: cannot find Symbol (javac)");
        assertThat(compiled(cell, error("compiler.err.cant.resolve.location", "class Other"))
                        .green())
                .isFalse();
        // A method with a new parameter is missing under its old form; a method of another name is not.
        String form = "A.java:2: method %s in class io.verbs4j.CompletionQueue cannot be applied to given types";
        assertThat(compiled(
                                cell,
                                error("compiler.err.cant.resolve.location", missing),
                                error("compiler.err.cant.apply.symbol", form.formatted("Symbol")))
                        .green())
                .isTrue();
        assertThat(compiled(
                                cell,
                                error("compiler.err.cant.resolve.location", missing),
                                error("compiler.err.cant.apply.symbol", form.formatted("other")))
                        .problems())
                .hasSize(1);
        // The same for a method reference; on JDK 25 the programs of the matrix cause such errors.
        String reference = "A.java:3: invalid method reference\n  cannot find symbol\n    symbol:   method %s()\n"
                + "    location: class io.verbs4j.CompletionQueue";
        assertThat(compiled(cell, error("compiler.err.invalid.mref", reference.formatted("Symbol")))
                        .green())
                .isTrue();
        assertThat(compiled(
                                cell,
                                error("compiler.err.cant.resolve.location", missing),
                                error("compiler.err.invalid.mref", reference.formatted("other")))
                        .problems())
                .hasSize(1);
        assertThat(compiled(cell, error("compiler.err.expected", missing)).problems())
                .hasSize(1);
        assertThat(compiled(cell).problems())
                .containsExactly("it compiles against a header that should lack its symbols");
        assertThat(compiled(newest, error("compiler.err.cant.resolve", missing)).problems())
                .hasSize(1)
                .first()
                .asString()
                .startsWith("it does not compile");
    }

    /** A member is named with its class, which may be missing itself. */
    @Test
    void missingNamesIncludeTheirClass() {
        MissingNames missing = new MissingNames();
        assertThat(missing.has("Type.value")).isFalse();
        missing.add("symbol:   variable value\n  location: class Type");
        assertThat(missing.has("Type.value")).isTrue();
        assertThat(missing.has("Other.value")).isFalse();
        missing.add("symbol:   method verb(<nulltype>)\n  location: class io.verbs4j.Handle");
        assertThat(missing.has("Handle.verb")).isTrue();
        missing.add("symbol:   class Attr\n  location: package io.verbs4j");
        assertThat(List.of(missing.has("Attr"), missing.has("Attr.any"), missing.has("Handle.other")))
                .containsExactly(true, true, false);
        missing.add("A.java:1: package io.verbs4j.slot is not visible\n (package io.verbs4j.slot is declared ...)");
        assertThat(missing.has("slot.Verb")).isTrue();
        missing.add("A.java:1: no suitable method found for poll(int,int)\n    method io.verbs4j.Queue.poll(int) is not"
                + " applicable");
        assertThat(missing.has("Queue.poll")).isTrue();
        assertThat(missing.has("Handle.poll")).isFalse();
    }

    /** A device reports beforehand what it lacks, which still counts as a refusal. */
    @Test
    void verbMissingInDeviceMustBeRefused() {
        List<String> lines = new java.util.ArrayList<>(List.of(
                "provider p used 1",
                "old open_device works",
                "old create_qp works",
                "old send works 10 bytes verified",
                "old rdma_write works 10 bytes verified",
                "old close works",
                "new falls works extended",
                "new always works",
                "new missing EOPNOTSUPP the device can't",
                "new dependent works",
                "new past works",
                "mask bit EOPNOTSUPP the mask has bits that this library does not know",
                "mask bit_device EOPNOTSUPP bit: EOPNOTSUPP",
                "end main works"));
        assertThat(Judge.ran(newest, Samples.output(0, lines.toArray(String[]::new)))
                        .problems())
                .hasSize(1);
        lines.add("lacks missing works");
        CellResult result = Judge.ran(newest, Samples.output(0, lines.toArray(String[]::new)));
        assertThat(result.problems()).isEmpty();
        assertThat(result.skipped()).containsExactly("missing: the device reports that it lacks it");
        lines.set(8, "new missing ENOSYS the library is too old");
        assertThat(Judge.ran(newest, Samples.output(0, lines.toArray(String[]::new)))
                        .problems())
                .hasSize(1);
    }

    private static Compilation.Complaint error(String code, String text) {
        return new Compilation.Complaint(code, text);
    }

    private static CellResult compiled(Cell cell, Compilation.Complaint... errors) {
        return Judge.compiled(cell, new Compilation("javac", Path.of("classes"), List.of(errors)));
    }
}
