/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbs4j.compat.built.JarContent;
import io.verbs4j.compat.services.ChildJvm;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.Hours;
import io.verbs4j.testsupport.program.Jdk;
import io.verbs4j.testsupport.program.Program;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;

/** A staged release is complete and signed, independent of where it is built, and all that an application needs. */
@Full
class StagingIT {
    private static final int SECONDS = 600;
    private static final String BOM = "verbs4j-bom";
    private static final String PASSPHRASE = "once";

    @TempDir
    static Path scratch;

    /** A separate folder, which disappears with its keys and its agent. */
    @TempDir
    static Path keys;

    private static Staging staging;

    @BeforeAll
    static void stage() throws Exception {
        staging = Staging.in(scratch.resolve("first"), Program.isOnPath("gpg") ? throwAwayKey() : Map.of());
    }

    private static Map<String, String> throwAwayKey() throws Exception {
        gpg("--quick-gen-key", "test@example.com", "rsa2048");
        String key = gpg("--armor", "--export-secret-keys").text();
        return Map.of("MAVEN_GPG_KEY", key, "MAVEN_GPG_PASSPHRASE", PASSPHRASE);
    }

    private static Program.Result gpg(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("gpg", "-q", "--batch", "--homedir", keys.toString()));
        command.addAll(List.of("--pinentry-mode", "loopback", "--passphrase", PASSPHRASE));
        command.addAll(List.of(arguments));
        return Program.run(command, SECONDS);
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> walk = Files.walk(folder)) {
            return walk.filter(Files::isRegularFile).sorted().toList();
        }
    }

    /** {@return the published files, without checksums and signatures} */
    private static List<Path> published() throws IOException {
        return files(staging.repository()).stream()
                .filter(file -> file.toString().matches(".*\\.(pom|jar|json)"))
                .toList();
    }

    @Test
    void eachPublishedModuleIsComplete() throws Exception {
        List<String> names = new ArrayList<>();
        for (Path artefact : staging.artefacts()) {
            String name = artefact.getParent().getFileName().toString();
            names.add(name);
            standsAlone(Staging.file(artefact, ".pom"));
            if (!name.equals(BOM)) {
                assertThat(JarContent.of(Staging.file(artefact, ".jar")).names())
                        .contains("META-INF/MANIFEST.MF");
                assertThat(JarContent.of(Staging.file(artefact, "-sources.jar")).names())
                        .anyMatch(file -> file.endsWith(".java"));
                assertThat(Staging.file(artefact, "-javadoc.jar")).isNotEmptyFile();
                assertThat(Files.readString(Staging.file(artefact, "-cyclonedx.json")))
                        .contains("\"specVersion\" : \"1.6\"", "pkg:maven/io.verbs4j/" + name + "@" + Staging.version())
                        .doesNotContain("junit-jupiter-engine");
            }
        }
        assertThat(names)
                .containsExactlyInAnyOrder(
                        BOM,
                        "compat-tests",
                        "provider-efa",
                        "provider-gaudi",
                        "provider-mlx5",
                        "provider-rxe",
                        "verbs-bulk",
                        "verbs-cm",
                        "verbs-core",
                        "verbs-device-code",
                        "verbs-micrometer",
                        "verbs-native",
                        "verbs-netty",
                        "verbs-rdma-core",
                        "verbs-spi",
                        "verbs-tools",
                        "verbs4j");
    }

    private static void standsAlone(Path pom) throws Exception {
        Document document =
                DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(pom.toFile());
        XPath path = XPathFactory.newInstance().newXPath();
        for (String needed : List.of(
                "name",
                "description",
                "url",
                "licenses/license/name",
                "developers/developer/name",
                "scm/connection",
                "scm/url")) {
            assertThat(path.evaluate("/project/" + needed, document))
                    .as("%s of %s", needed, pom)
                    .isNotBlank();
        }
        for (String unwanted : List.of("parent", "build", "//scope[.='test']", "//systemPath")) {
            String place = unwanted.startsWith("//") ? unwanted : "/project/" + unwanted;
            assertThat(path.evaluate("count(" + place + ")", document))
                    .as("%s of %s", unwanted, pom)
                    .isEqualTo("0");
        }
        assertThat(Files.readString(pom)).doesNotContain("${", "junit-bom", "test-support");
    }

    @Test
    void checksumsMatchFiles() throws Exception {
        int compared = 0;
        for (Path file : files(staging.repository())) {
            for (Map.Entry<String, String> kind :
                    Map.of("MD5", ".md5", "SHA-1", ".sha1").entrySet()) {
                Path sum = Path.of(file + kind.getValue());
                if (Files.exists(sum)) {
                    byte[] digest = MessageDigest.getInstance(kind.getKey()).digest(Files.readAllBytes(file));
                    String expected = String.format("%0" + 2 * digest.length + "x", new BigInteger(1, digest));
                    assertThat(Files.readString(sum).strip()).as("%s", sum).isEqualTo(expected);
                    compared++;
                } else {
                    assertThat(file.toString()).matches(".*\\.(md5|sha1|asc)");
                }
            }
        }
        assertThat(compared).isGreaterThan(100);
    }

    @Test
    void signaturesMatchKey() throws Exception {
        assumeTrue(Program.isOnPath("gpg"), "no gpg: install gnupg");
        int verified = 0;
        for (Path file : published()) {
            gpg("--verify", file + ".asc", file.toString()).text();
            verified++;
        }
        assertThat(verified).isGreaterThan(50);
        Path changed = scratch.resolve("changed");
        Path pom = Staging.file(staging.artefacts().get(0), ".pom");
        Files.writeString(changed, Files.readString(pom) + " ");
        assertThat(gpg("--verify", pom + ".asc", changed.toString()).status()).isNotZero();
    }

    /** This build ran in another folder, with another umask, locale and time zone. */
    @Test
    void stagedJarsEqualThoseOfBuild() throws Exception {
        int compared = 0;
        for (Path artefact : staging.artefacts()) {
            Path built = Staging.ROOT
                    .resolve(artefact.getParent().getFileName())
                    .resolve(System.getProperty("verbs4j.target"));
            for (String end : List.of(".jar", "-sources.jar")) {
                Path staged = Staging.file(artefact, end);
                if (Files.exists(staged)) {
                    assertThat(staged).hasSameBinaryContentAs(built.resolve(staged.getFileName()));
                    compared++;
                }
            }
            assertThat(Staging.file(artefact, ".pom")).hasSameBinaryContentAs(built.resolve("published-pom.xml"));
        }
        assertThat(compared).isEqualTo(32);
    }

    /** Includes the documentation and the lists of parts, which the usual build does not make. */
    @Test
    @Hours
    void stagingTwiceIsReproducible() throws Exception {
        Staging second = Staging.in(scratch.resolve("second"), Map.of());
        List<Path> first = published();
        assertThat(first).hasSizeGreaterThan(50);
        first.forEach(file -> assertThat(
                        second.repository().resolve(staging.repository().relativize(file)))
                .hasSameBinaryContentAs(file));
    }

    @Test
    void applicationBuildsFromStagingAloneAndRuns() throws Exception {
        Path project = scratch.resolve("consumer");
        Path local = scratch.resolve("consumers-repository");
        Path classes = project.resolve("src/main/java");
        Files.createDirectories(classes);
        Files.copy(Path.of("src/it/consumer/pom.xml"), project.resolve("pom.xml"));
        PackagedProgram.writeSources(classes);
        Program.run(
                        List.of(
                                Staging.ROOT.resolve("mvnw").toString(),
                                "-o",
                                "-q",
                                "-f",
                                project.toString(),
                                "-s",
                                Path.of("src/it/consumer/settings.xml").toString(),
                                "-Dmaven.repo.local=" + local,
                                "-Daether.offline.protocols=file",
                                "-Dstaging=" + staging.repository().toUri(),
                                "-Dfetched="
                                        + Path.of(System.getProperty("verbs4j.fetched"))
                                                .toUri(),
                                "-Dversion.verbs4j=" + Staging.version(),
                                "package"),
                        SECONDS)
                .text();

        for (Path artefact : staging.artefacts()) {
            Path taken =
                    local.resolve(staging.repository().relativize(artefact)).resolve("_remote.repositories");
            assertThat(Files.readString(taken)).contains(">staging=").doesNotContain(">central=");
        }
        Path target = project.resolve("target");
        Path program = target.resolve("consumer-1.jar");
        Path lib = target.resolve("lib");
        String all = lib + "/*:" + program;
        for (Jdk jdk : Jdk.all()) {
            connects(jdk, "-cp", all, PackagedProgram.MAIN);
            connects(
                    jdk,
                    "-p",
                    lib + ":" + program,
                    "--add-modules",
                    "com.sun.jna",
                    "-m",
                    PackagedProgram.MODULE + "/" + PackagedProgram.MAIN);
            connects(jdk, "-jar", target.resolve("consumer-1-shaded.jar").toString());
            connects(jdk, "-jar", target.resolve("consumer-1-boot.jar").toString());
        }
    }

    private static void connects(Jdk jdk, String... arguments) throws InterruptedException {
        ChildJvm jvm = ChildJvm.run(jdk, scratch, List.of(arguments));
        assertThat(jvm.status()).as("%s", jvm).isZero();
        assertThat(String.join("\n", jvm.out()))
                .as("%s", jvm)
                .contains("RxeProvider", "Mlx5Provider", "EfaProvider", "GaudiProvider", "RdmaCoreProvider")
                .contains("connected by rxe_emb0")
                .doesNotContain("services");
        assertThat(jvm.err()).doesNotContain("through the JDK's channels");
    }
}
