/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.compat.built.JarContent;
import io.verbs4j.testsupport.Full;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command with a third-party provider of few abilities. */
@Full
class ThirdPartyIT {
    @TempDir
    Path scratch;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @BeforeEach
    void tellFolders() {
        System.setProperty("verbs4j.frozen", Parties.frozenFolder().toString());
    }

    @AfterEach
    void forgetFolders() {
        System.clearProperty("verbs4j.frozen");
    }

    private Path paper(Paper paper) {
        return paper.jar(scratch);
    }

    private int run(String... args) {
        return Main.run(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                args);
    }

    private String text() {
        return out.toString(StandardCharsets.UTF_8) + err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void missingVerbsAreSkippedAndNegotiationIsJudged() throws IOException {
        Path json = scratch.resolve("rows.json");
        Path html = scratch.resolve("page.html");
        Path markdown = scratch.resolve("page.md");
        Path junit = scratch.resolve("rows.xml");
        int status = run(
                "--provider",
                paper(Paper.provider()).toString(),
                "--json=" + json,
                "--html=" + html,
                "--markdown=" + markdown,
                "--junit=" + junit);
        // It moves no data: it breaks no rule, but certifies no combination.
        assertThat(status).as(this::text).isEqualTo(3);
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("22 combinations, all as expected, but 16 not shown: the device moved no data")
                .contains("The eight rows, where old is level 2", "The eight rows, where old is level 3")
                .contains("UNSHOWN")
                .contains("skipped: create_qp: create_qp: EOPNOTSUPP")
                .contains("not run: requires --native or --full");
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("[22/22]");
        assertThat(Files.readString(json))
                .contains("\"provider\":\"paper.jar\"", "open_xrcd works", "open_xrcd ENOSYS")
                .contains(
                        "\"status\":3",
                        "\"sha256\":\"" + RunRecord.sha256(Parties.build().header()));
        assertThat(html).content().contains("id=\"c7\"");
        assertThat(markdown).content().contains("| 8 | new | new | new | UNSHOWN |");
        assertThat(junit)
                .content()
                .contains("tests=\"22\" failures=\"16\"", "type=\"UNSHOWN\"")
                .doesNotContain("RED");
        assertThat(Files.size(html)).isLessThan(500_000);
    }

    @Test
    void providerBreakingPromiseIsRed() {
        Path jar = paper(Paper.provider().edit("return new Domain(context);", "return null;"));
        assertThat(run("--provider", jar.toString())).as(this::text).isEqualTo(1);
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("RED row 8", "new open_xrcd: expected works , but was EIO");
    }

    @Test
    void oldLibrarySetsAsideProviderNeedingNewerOne() {
        Path jar = paper(Paper.provider().edit("return 1; // minimum", "return 2;"));
        List<String> command = new ArrayList<>(List.of("--provider", jar.toString()));
        if (Parties.FULL) {
            command.addAll(List.of("--full", "--jdk", System.getProperty("java.home")));
        }
        assertThat(run(command.toArray(String[]::new))).as(this::text).isEqualTo(3);
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("ASIDE", "all as expected");
    }

    /** {@return the jar of the guide's example, which lacks READ and atomics} */
    private Path loop() throws IOException {
        Path example = Parties.frozenFolder()
                .resolve("../../examples/third-party-provider/src/main")
                .normalize();
        Map<String, String> sources = new HashMap<>();
        try (Stream<Path> files = Files.walk(example.resolve("java"))) {
            for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
                sources.put(example.resolve("java").relativize(file).toString(), Files.readString(file));
            }
        }
        sources.remove("module-info.java");
        Path jar = Sources.of(sources)
                .jar(scratch.resolve("loop.jar"), "-cp", Parties.build().header());
        String service = "META-INF/services/io.verbs4j.spi.VerbsProvider";
        byte[] registration = Files.readAllBytes(example.resolve("resources").resolve(service));
        return JarContent.of(jar).put(service, registration).writeTo(jar);
    }

    @Test
    void operationsAreTestedOnDeviceLackingRights() throws IOException {
        assertThat(run("--provider", loop().toString(), "--only", "row 8: app new"))
                .as(this::text)
                .isZero();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("1 combinations, all as expected", "skipped: get_srq_num")
                .doesNotContain("create_qp_for_operations", "post_", "builder_");
        assertThat(run("--provider", loop().toString(), "--only", "row 9")).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("no combination's name contains the text of --only: row 9");
    }

    /** Running a single combination of --full, by the command from the reports, must not start a virtual machine. */
    @Test
    void singleCombinationOfFullMatrixRuns() throws IOException {
        String own = System.getProperty("java.home");
        assertThat(run("--full", "--jdk", own, "--provider", loop().toString(), "--only", "row 8: app new"))
                .as(this::text)
                .isZero();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("not run: --only skips it; add --native")
                .contains("not run: --only skips it; add --schemes");
    }

    @Test
    void unusableProviderIsNamed() {
        Path jar = Parties.build().header();
        assertThat(run("--provider", jar.toString())).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("no provider found in " + jar);
        assertThat(run("--provider", scratch.resolve("none.jar").toString())).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("no such file");
        Path without = paper(Paper.provider().edit("return List.of(DEVICE);", "return List.of();"));
        assertThat(run("--provider", without.toString())).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("has no device on this machine");
        Path ahead = paper(Paper.provider().edit("return 2;", "return 9;"));
        assertThat(run("--provider", ahead.toString())).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("is set aside: it was written for level 9");
    }
}
