/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Wireshark reads our captures as intended: a second opinion on headers, padding and files. */
class TsharkTest {
    private static final String[] FIELDS = {
        "infiniband.bth.opcode",
        "infiniband.bth.psn",
        "infiniband.bth.destqp",
        "infiniband.bth.padcnt",
        "infiniband.bth.p_key",
        "infiniband.bth.a",
        "infiniband.reth.dmalen",
        "infiniband.reth.va",
        "infiniband.reth.r_key",
        "infiniband.atomiceth.swapdt",
        "infiniband.atomiceth.cmpdt",
        "infiniband.aeth.syndrome.opcode",
        "infiniband.aeth.msn",
        "infiniband.atomicacketh.origremdt",
        "infiniband.deth.q_key",
        "infiniband.deth.srcqp",
        "infiniband.immdt",
        "infiniband.ieth",
        "data.data",
        "infiniband.invariant.crc",
        "frame.time_epoch",
        "ip.id",
        "ip.checksum.status",
        "udp.checksum.status",
        "_ws.malformed",
        "_ws.expert.message",
    };

    @TempDir
    Path folder;

    @BeforeAll
    static void isThere() {
        boolean found;
        try {
            found = new ProcessBuilder("tshark", "--version")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException | InterruptedException e) {
            found = false;
        }
        assumeTrue(found, "tshark is not installed (apt-get install --no-install-recommends tshark)");
    }

    @Test
    void tsharkReadsEveryOpcode() throws Exception {
        SplittableRandom random = new SplittableRandom(11);
        Path file = folder.resolve("all.pcap");
        List<List<String>> expected = new ArrayList<>();
        int[] opcodes = IntStream.range(0, 256).filter(Opcode::isKnown).toArray();
        Icrc icrc = new Icrc();
        Packet packet = new Packet();
        ByteBuffer b = ByteBuffer.allocateDirect(1024);
        try (PcapWriter writer = new PcapWriter(file, 1 << 30)) {
            for (int i = 0; i < 4 * opcodes.length; i++) {
                int length = TestPackets.any(b, 0, opcodes[i / 4], 1 + random.nextInt(300), random);
                boolean ipv4 = i % 2 == 0;
                if (ipv4) {
                    TestPackets.appendV4(icrc, b, 0, length, i);
                } else {
                    TestPackets.appendV6(icrc, b, 0, length);
                }
                assertThat(packet.parse(b, 0, length + Icrc.LENGTH)).isEqualTo(Packet.OK);
                long nanos = 1_700_000_000_000_000_001L + i;
                writer.write(
                        nanos,
                        b,
                        0,
                        length + Icrc.LENGTH,
                        ipv4 ? 0 : TestPackets.V6_HIGH_A,
                        ipv4 ? TestPackets.V4_A : TestPackets.V6_LOW_A,
                        ipv4 ? 0 : TestPackets.V6_HIGH_B,
                        ipv4 ? TestPackets.V4_B : TestPackets.V6_LOW_B,
                        49152,
                        4791,
                        i);
                expected.add(expected(packet, nanos, ipv4 ? i : -1));
            }
        }
        List<List<String>> seen = tshark(file);
        assertThat(seen).hasSize(expected.size());
        for (int i = 0; i < seen.size(); i++) {
            assertThat(seen.get(i)).as(Opcode.name(opcodes[i / 4])).isEqualTo(expected.get(i));
        }
    }

    /** Fields that tshark leaves empty for XRC: it knows the names of the opcodes, but nothing that follows the BTH. */
    private static final int AFTER_BTH = 6;

    private static final int ICRC_FIELD = 19;

    private static List<String> expected(Packet p, long nanos, int ipId) {
        List<String> all = allFields(p, nanos, ipId);
        if (Opcode.service(p.opcode()) == Opcode.XRC || isNew(p.opcode())) {
            for (int i = AFTER_BTH; i <= ICRC_FIELD; i++) {
                all.set(i, "");
            }
        }
        return all;
    }

    /** Opcodes that tshark considers reserved: newer than it, or private ones. */
    private static boolean isNew(int opcode) {
        return Opcode.hasFeth(opcode) || opcode == Opcode.RC_ATOMIC_WRITE || Opcode.hasMaskedAtomicEth(opcode);
    }

    /** The fields as printed by tshark, in the order of {@link #FIELDS}. */
    private static List<String> allFields(Packet p, long nanos, int ipId) {
        int opcode = p.opcode();
        ByteBuffer b = p.buffer();
        // Its "data" includes the padding.
        byte[] payload = new byte[p.payloadLength() + p.padCount()];
        b.get(p.payloadOffset(), payload);
        boolean atomic = Opcode.hasAtomicEth(opcode);
        return Arrays.asList(
                Integer.toString(opcode),
                Integer.toString(p.psn()),
                hex(p.destQpn(), 6),
                Integer.toString(p.padCount()),
                Integer.toString(p.pkey()),
                p.ackReq() ? "1" : "0",
                Opcode.hasReth(opcode) ? Long.toString(p.rethLength()) : "",
                // The fields of the RETH are also used for the AtomicETH.
                Opcode.hasReth(opcode) ? hex(p.rethVa(), 16) : atomic ? hex(p.atomicVa(), 16) : "",
                Opcode.hasReth(opcode) ? hex(p.rethRkey(), 8) : atomic ? hex(p.atomicRkey(), 8) : "",
                atomic ? Long.toUnsignedString(p.swapAdd()) : "",
                atomic ? Long.toUnsignedString(p.compare()) : "",
                Opcode.hasAeth(opcode) ? Integer.toString(p.aethSyndrome() >>> 5 & 3) : "",
                Opcode.hasAeth(opcode) ? Integer.toString(p.aethMsn()) : "",
                Opcode.hasAtomicAckEth(opcode) ? Long.toUnsignedString(p.atomicOrig()) : "",
                Opcode.hasDeth(opcode) ? hex(Integer.toUnsignedLong(p.qkey()), 16) : "",
                Opcode.hasDeth(opcode) ? hex(p.srcQpn(), 8) : "",
                Opcode.hasImmDt(opcode) ? HexFormat.of().toHexDigits(p.immData()) : "",
                Opcode.hasIeth(opcode) ? HexFormat.of().toHexDigits(p.invalidateRkey()) : "",
                HexFormat.of().formatHex(payload),
                hex(b.getInt(p.offset() + p.length() - Icrc.LENGTH), 8),
                nanos / 1_000_000_000 + "." + String.format("%09d", nanos % 1_000_000_000),
                ipId < 0 ? "" : hex(ipId, 4),
                ipId < 0 ? "" : "1",
                "1",
                "",
                "");
    }

    private static String hex(long value, int digits) {
        return "0x" + HexFormat.of().toHexDigits(value, digits);
    }

    private static List<List<String>> tshark(Path file) throws Exception {
        List<String> command = new ArrayList<>(List.of("tshark", "-n", "-r", file.toString(), "-T", "fields"));
        command.addAll(List.of(
                "-o",
                "ip.check_checksum:TRUE",
                "-o",
                "udp.check_checksum:TRUE",
                "-E",
                "separator=/t",
                "-E",
                "occurrence=f"));
        // They would occasionally mistake a random payload for theirs.
        Stream.of(
                        "infiniband.eoib",
                        "rpcordma",
                        "smb_direct",
                        "smc",
                        "iser",
                        "lnet",
                        "nvme-rdma",
                        "infiniband_sdp",
                        "fcoib")
                .forEach(protocol -> command.addAll(List.of("--disable-protocol", protocol)));
        Stream.of(FIELDS).forEach(field -> command.addAll(List.of("-e", field)));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        assertThat(process.waitFor()).isZero();
        return text.lines().map(line -> Arrays.asList(line.split("\t", -1))).toList();
    }
}
