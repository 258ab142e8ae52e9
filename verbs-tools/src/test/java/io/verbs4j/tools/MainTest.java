/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.VerbsLevel;
import io.verbs4j.testsupport.StrictJson;
import io.verbs4j.tools.base.ExitCode;
import io.verbs4j.tools.device.FakeDevices;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private FakeDevices devices = new FakeDevices("fake_0", "fake_1");

    private int run(String... args) {
        return Main.run(
                devices,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                args);
    }

    private int runLine(String line) {
        return run(line.isEmpty() ? new String[0] : line.split(" ", -1));
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"devices --\u001b[31m", "\u001b]0;title\u0007", "ping host --\u009b2J"})
    void usageErrorsPrintArgumentsWithoutEscapes(String line) {
        assertThat(runLine(line)).isEqualTo(ExitCode.USAGE);
        assertThat(err().lines()).allSatisfy(shown -> assertThat(shown).doesNotContainPattern("\\p{Cntrl}|\u009b"));
    }

    /** The message names the mistake, standard output stays empty, and no stack trace is printed. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "\"\"|no command given: use devices, info, ping, pingpong, bench, copy or top",
                "frobnicate                       | frobnicate",
                "devices --provider /no/such.jar  | --provider /no/such.jar: no such jar",
                "--provider /etc/passwd devices   | --provider /etc/passwd: can't be read as a jar",
                "info --provider /etc             | --provider /etc: registers no provider: a provider's jar contains"
                        + " META-INF",
                "devices --jsn                    | --jsn",
                "info -i 0                        | -i 0: must be 1 to 255",
                "info -i 3                        | -i 3: fake_0 has ports 1 to 2",
                "info -i x                        | 'x' is not an int",
                "pingpong uc host --cm            | --cm is for rc, srq and ud; uc is not connected by RDMA-CM",
                "pingpong rc host --cm -g 1       | --cm chooses port, GID and MTU by address",
                "bench send host --cm -m 512      | --cm chooses port, GID and MTU by address",
                "ping host --server               | --server waits for a client: leave out 'host', or give it to -a",
                "ping host -P                     | -a and -P are for the server: add --server",
                "ping -s -P --json                | --json needs a result, and -P has none",
                "ping -S 25                       | -S 25: must be 26 to 65535",
                "ping -S 65536                    | -S 65536: must be 26 to 65535",
                "ping -C -1                       | -C -1: must be at least 0",
                "ping -p 65536                    | -p 65536: must be 0 to 65535",
                "copy                             | no files or no destination given: use FILE... HOST:",
                "copy pom.xml                     | no files or no destination given: use FILE... HOST:",
                "copy pom.xml host                | 'host' is not a destination: the last argument must be HOST: or",
                "copy no.such host:               | no.such: no such file",
                "copy src host:                   | src: is a folder; name its files",
                "copy /dev/null host:             | /dev/null: is not a regular file",
                "copy pom.xml ./pom.xml host:     | two files are named 'pom.xml'",
                "copy pom.xml host: -p 0          | -p 0 is for the receiver",
                "copy pom.xml host: -p 65536      | -p 65536: must be 0 to 65535",
                "copy pom.xml host: --retry -1    | --retry -1: must be at least 0",
                "copy pom.xml host: --limit -1    | --limit -1: must be at least 0",
                "copy pom.xml host: --once        | --once and -a are for the receiver: add --receive DIR",
                "copy pom.xml --receive src       | --receive waits for senders: leave out 'pom.xml'",
                "copy --receive pom.xml           | --receive pom.xml: no such folder",
                "copy --receive src --json        | --json needs --once",
                "pingpong tcp host                | 'tcp' is not a type; the types are rc, uc, ud, srq and srd",
                "pingpong rc host --both          | leave out 'host'",
                "pingpong rc host more            | more",
                "pingpong -s 0                    | -s 0: must be 1 to 1073741824",
                "pingpong -s 2000000000           | -s 2000000000: must be 1 to 1073741824",
                "pingpong -n 0                    | -n 0: must be at least 1",
                "pingpong -r 0                    | -r 0: must be 1 to 16777216",
                "pingpong -r 2147483647           | -r 2147483647: must be 1 to 16777216",
                "pingpong -r 16352 -d fake_0      | -r 16352: the device supports at most 16351 receives",
                "pingpong srq -r 16384 --both -s 1| -r 16384: the device supports at most 16383 receives",
                "pingpong --warm-up -1            | --warm-up -1.0: 0 seconds or more",
                "pingpong --warm-up NaN           | --warm-up NaN: 0 seconds or more",
                "pingpong rc host --warm-up 1     | --warm-up is for both sides on this machine",
                "pingpong rc --warm-up 1          | --warm-up is for both sides on this machine",
                "pingpong -m 1000                 | -m 1000: an MTU is 256, 512, 1024, 2048 or 4096",
                "pingpong -m 8192                 | -m 8192: an MTU is",
                "pingpong -p 70000                | -p 70000: must be 0 to 65535",
                "pingpong -l 16                   | -l 16: must be 0 to 15",
                "pingpong -g -2                   | -g -2: must be -1 to 65535",
                "pingpong -i 256                  | -i 256: must be 1 to 255",
                "pingpong -n 99999999999          | --iters",
                "pingpong -q 4                    | -q is for srq only; rc uses one queue pair",
                "pingpong srq -q 300 --both       | -q 300: must be 1 to 255",
                "pingpong srq -q 16 -r 8 --both   | -r 8 is too small for 16 queue pairs",
                "pingpong --timeout -1            | --timeout -1",
                "pingpong srq -s 8000000 -r 500   | need 3936 MiB",
                "pingpong -i 7                    | -i 7: fake_0 has ports 1 to 2",
                "pingpong --pcap /no/such/x.pcap  | --pcap /no/such/x.pcap: no such folder: /no/such",
                "pingpong -g 9 -d fake_0          | -g 9: the GID table of port 1 of fake_0 has entries 0 to 2",
                "pingpong -m 4096 -d fake_0 -i 2  | -m 4096: the port's MTU is 2048",
                "pingpong ud -s 3000 -i 2 --both  | -s 3000: a datagram is one packet, and the port's MTU is 2048",
                "bench                            | no operation given: use send, write, read or atomic, or --server",
                "bench fly                        | 'fly' is not an operation: use send, write, read or atomic",
                "bench send --lat --bw            | --lat",
                "bench write --lat -e             | -e: a write raises no event at its target",
                "bench send -s 8 --all            | --all",
                "bench send -s 9M                 | -s 9437184: must be 1 to 8388608",
                "bench send -s 8Q                 | '8Q' is not a size like 64, 64K or 8M",
                "bench send --qp srq              | --qp srq: the services are rc, uc, ud and srd",
                "bench write --qp ud              | --qp ud does not support write; use it with rc, uc and srd",
                "bench read --qp uc               | --qp uc does not support read; use it with rc and srd",
                "bench atomic -c SRD              | --qp SRD does not support atomic; use it with rc only",
                "bench atomic -s 16               | -s 16: an atomic is always 8 bytes",
                "bench send --qp ud -s 8K -i 2    | the port's MTU is 2048",
                "bench send --depth 0             | --depth 0: must be 1 to 1024",
                "bench send --depth 1025          | --depth 1025: must be 1 to 1024",
                "bench send -g 9 -i 2             | -g 9: the GID table of port 2 of fake_0 has entries 0 to 2",
                "bench --server -g 9 -d fake_0    | -g 9: the GID table of port 1 of fake_0 has entries 0 to 2",
                "bench send -l 16                 | -l 16: must be 0 to 15",
                "bench send -p -1                 | -p -1: must be 0 to 65535",
                "bench send --timeout -1          | --timeout -1: must be at least 0",
                "bench send --warm-up 1e9         | --warm-up 1.0E9: 0 seconds or more, at most a day",
                "bench send -n 5 --duration 3     | --duration",
                "bench send --duration -1         | --duration -1.0: more than 0 seconds",
                "bench send host --in-process     | leave out 'host'",
                "bench send --server              | --server takes no operation",
                "bench send -m 77                 | -m 77: an MTU is",
                "bench send --plot /no/such/a.svg | --plot /no/such/a.svg",
            })
    void misuseFailsWithMessageAndHelpHint(String line, String message) {
        assertThat(runLine(line)).as(err()).isEqualTo(ExitCode.USAGE);
        assertThat(err()).contains(message).contains("--help").doesNotContain("\tat ");
        assertThat(out()).isEmpty();
        assertThat(devices.open()).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "info -d mlx7      | no device 'mlx7'; providers and devices found:",
                "pingpong -d mlx7  | no device 'mlx7'; providers and devices found:",
                "copy pom.xml h: -d mlx7 | no device 'mlx7'; providers and devices found:",
                "bench send -d mlx7| no device 'mlx7'; providers and devices found:",
                "ping -d mlx7 host | no device 'mlx7'; providers and devices found:",
                "ping 127.0.0.1    | fake_0: create_id: EOPNOTSUPP: no connection manager for the device" + " fake_0:",
                "pingpong -d fake_0| alloc_pd: EOPNOTSUPP",
                "bench send -c SRD | --qp SRD: SRD needs an EFA device, and fake_0 is not one",
            })
    void missingDeviceOrFeatureFailsAsNotAvailable(String line, String message) {
        assertThat(runLine(line)).as(err()).isEqualTo(ExitCode.NOT_AVAILABLE);
        assertThat(err()).contains(message).doesNotContain("\tat ");
        assertThat(devices.open()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "devices",
                "info",
                "ping",
                "ping 127.0.0.1",
                "ping -s",
                "pingpong",
                "bench send",
                "copy --receive src"
            })
    void missingDevicesAreReportedWithReasons(String line) {
        devices = new FakeDevices().setAside("mlx5", "libmlx5.so.1 is not installed");
        assertThat(runLine(line)).isEqualTo(ExitCode.NOT_AVAILABLE);
        assertThat(err()).contains("no device has an active port").contains("mlx5 [] libmlx5.so.1 is not installed");
    }

    @Test
    void devicesAreListedWithTheirProviders() {
        devices.setAside("mlx5", "libmlx5.so.1 is not installed");
        assertThat(run("devices")).isZero();
        assertThat(out()).isEqualTo("""
                            device          \t   node GUID    \tkind    \tprovider
                            ------          \t----------------\t----    \t--------
                            fake_0          \t0002c90300a1b2c3\thardware\tfake
                            fake_1          \t0002c90300a1b2c4\thardware\tfake

                        default: fake_0, the first with an active port; -Dio.verbs4j.device=NAME takes another

                        set aside:
                            mlx5 (/jars/broken.jar): libmlx5.so.1 is not installed
                        """);
        assertThat(err()).isEmpty();
    }

    /** A provider may give its devices any name. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "devices",
                "devices --json",
                "info",
                "info --json",
                "info -l",
                "info --levels",
                "info -d mlx7",
                "info -i 3",
                "pingpong -g 9 -i 2"
            })
    void deviceNameIsPrintedWithoutEscapes(String line) {
        devices = new FakeDevices("x\u001b[31m\u202e\u009by");
        runLine(line);
        assertThat(out() + err())
                .containsAnyOf("x.[31m..y", "x\\u001b[31m\\u202e\\u009by")
                .doesNotContain("\u001b", "\u202e", "\u009b");
    }

    @Test
    void devicesJsonHasDevicesDefaultAndProviders() {
        devices.setAside("mlx5", "broken");
        assertThat(run("devices", "--json")).isZero();
        Map<String, Object> map = StrictJson.object(out());
        assertThat((List<?>) map.get("devices")).hasSize(2);
        Map<?, ?> device = (Map<?, ?>) ((List<?>) map.get("devices")).get(0);
        assertThat(device.get("name")).isEqualTo("fake_0");
        assertThat(device.get("provider")).isEqualTo("fake");
        assertThat(device.get("kind")).isEqualTo("hardware");
        assertThat(((Map<?, ?>) map.get("default")).get("device")).isEqualTo("fake_0");
        Map<?, ?> aside = (Map<?, ?>) ((List<?>) map.get("providers")).get(1);
        assertThat(aside.get("reason")).isEqualTo("broken");
        assertThat(aside.get("used")).isEqualTo(false);
    }

    @Test
    void infoPrintsAllDevicesOrSelectedPort() {
        assertThat(run("info")).isZero();
        assertThat(out())
                .contains("hca_id:\tfake_0\n")
                .contains("hca_id:\tfake_1\n")
                .contains("\t\tport:\t2\n");
        out.reset();
        assertThat(run("info", "-d", "fake_1", "-i", "2")).isZero();
        assertThat(out()).startsWith("hca_id:\tfake_1\n").contains("port:\t2\n").doesNotContain("port:\t1\n");
        assertThat(devices.open()).isZero();
    }

    @Test
    void infoJsonHasAllDevices() {
        assertThat(run("info", "--json")).isZero();
        assertThat((List<?>) StrictJson.read(out())).hasSize(2);
    }

    @Test
    void infoListPrintsNamesOnly() {
        assertThat(run("info", "-l")).isZero();
        assertThat(out()).isEqualTo("2 HCAs found:\n\tfake_0\n\tfake_1\n\n");
        out.reset();
        assertThat(run("info", "-l", "--json")).isZero();
        assertThat(StrictJson.read(out())).isEqualTo(List.of("fake_0", "fake_1"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--help",
                "devices --help",
                "info -h",
                "ping --help",
                "pingpong --help",
                "bench --help",
                "copy --help",
                "help bench"
            })
    void helpGoesToStandardOutput(String line) {
        assertThat(runLine(line)).isZero();
        assertThat(out()).contains("Usage: verbs").contains("Exit codes:").contains("3   no device");
        assertThat(err()).isEmpty();
        assertThat(out())
                .doesNotContain("--child")
                .doesNotContain("DEFAULT-VALUE")
                .doesNotContain("\u001b");
    }

    @Test
    void helpExplainsWhyGidIndexDiffersFromC() {
        run("pingpong", "--help");
        assertThat(out()).contains("-g, --gid-idx=INDEX").contains("no GID, which works on InfiniBand only: on RoCE a");
    }

    @Test
    void versionPrintsReleaseLevelAndJava() {
        assertThat(run("--version")).isZero();
        assertThat(out())
                .startsWith("verbs4j ")
                .contains("API level " + VerbsLevel.CURRENT)
                .contains("Java " + Runtime.version());
    }

    @Test
    void dashDOptionSetsSystemProperty(@TempDir Path folder) {
        System.clearProperty("io.verbs4j.test.faults");
        try {
            assertThat(run("devices", "-Dio.verbs4j.test.faults=drop=0.05,seed=7"))
                    .isZero();
            assertThat(System.getProperty("io.verbs4j.test.faults")).isEqualTo("drop=0.05,seed=7");
        } finally {
            System.clearProperty("io.verbs4j.test.faults");
        }
    }
}
