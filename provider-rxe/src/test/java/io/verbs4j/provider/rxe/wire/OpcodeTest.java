/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OpcodeTest {
    private static final int[] KNOWN =
            IntStream.range(0, 256).filter(Opcode::isKnown).toArray();

    /** Numbers, names and extension headers according to table 38 of the specification. */
    @ParameterizedTest
    @CsvSource({
        "0x00, RC_SEND_FIRST, ''",
        "0x01, RC_SEND_MIDDLE, ''",
        "0x02, RC_SEND_LAST, ''",
        "0x03, RC_SEND_LAST_WITH_IMM, imm",
        "0x04, RC_SEND_ONLY, ''",
        "0x05, RC_SEND_ONLY_WITH_IMM, imm",
        "0x06, RC_RDMA_WRITE_FIRST, reth",
        "0x07, RC_RDMA_WRITE_MIDDLE, ''",
        "0x08, RC_RDMA_WRITE_LAST, ''",
        "0x09, RC_RDMA_WRITE_LAST_WITH_IMM, imm",
        "0x0a, RC_RDMA_WRITE_ONLY, reth",
        "0x0b, RC_RDMA_WRITE_ONLY_WITH_IMM, reth imm",
        "0x0c, RC_RDMA_READ_REQUEST, reth",
        "0x0d, RC_RDMA_READ_RESPONSE_FIRST, aeth",
        "0x0e, RC_RDMA_READ_RESPONSE_MIDDLE, ''",
        "0x0f, RC_RDMA_READ_RESPONSE_LAST, aeth",
        "0x10, RC_RDMA_READ_RESPONSE_ONLY, aeth",
        "0x11, RC_ACKNOWLEDGE, aeth",
        "0x12, RC_ATOMIC_ACKNOWLEDGE, aeth atomicack",
        "0x13, RC_COMPARE_SWAP, atomic",
        "0x14, RC_FETCH_ADD, atomic",
        "0x16, RC_SEND_LAST_WITH_INV, ieth",
        "0x17, RC_SEND_ONLY_WITH_INV, ieth",
        "0x1c, RC_FLUSH, feth reth",
        "0x1d, RC_ATOMIC_WRITE, reth",
        "0xd3, MASKED_COMPARE_SWAP, masked",
        "0xd4, MASKED_FETCH_ADD, masked",
        "0x20, UC_SEND_FIRST, ''",
        "0x21, UC_SEND_MIDDLE, ''",
        "0x22, UC_SEND_LAST, ''",
        "0x23, UC_SEND_LAST_WITH_IMM, imm",
        "0x24, UC_SEND_ONLY, ''",
        "0x25, UC_SEND_ONLY_WITH_IMM, imm",
        "0x26, UC_RDMA_WRITE_FIRST, reth",
        "0x27, UC_RDMA_WRITE_MIDDLE, ''",
        "0x28, UC_RDMA_WRITE_LAST, ''",
        "0x29, UC_RDMA_WRITE_LAST_WITH_IMM, imm",
        "0x2a, UC_RDMA_WRITE_ONLY, reth",
        "0x2b, UC_RDMA_WRITE_ONLY_WITH_IMM, reth imm",
        "0xa0, XRC_SEND_FIRST, xrceth",
        "0xa1, XRC_SEND_MIDDLE, xrceth",
        "0xa2, XRC_SEND_LAST, xrceth",
        "0xa3, XRC_SEND_LAST_WITH_IMM, xrceth imm",
        "0xa4, XRC_SEND_ONLY, xrceth",
        "0xa5, XRC_SEND_ONLY_WITH_IMM, xrceth imm",
        "0xa6, XRC_RDMA_WRITE_FIRST, xrceth reth",
        "0xa7, XRC_RDMA_WRITE_MIDDLE, xrceth",
        "0xa8, XRC_RDMA_WRITE_LAST, xrceth",
        "0xa9, XRC_RDMA_WRITE_LAST_WITH_IMM, xrceth imm",
        "0xaa, XRC_RDMA_WRITE_ONLY, xrceth reth",
        "0xab, XRC_RDMA_WRITE_ONLY_WITH_IMM, xrceth reth imm",
        "0xac, XRC_RDMA_READ_REQUEST, xrceth reth",
        "0xad, XRC_RDMA_READ_RESPONSE_FIRST, aeth",
        "0xae, XRC_RDMA_READ_RESPONSE_MIDDLE, ''",
        "0xaf, XRC_RDMA_READ_RESPONSE_LAST, aeth",
        "0xb0, XRC_RDMA_READ_RESPONSE_ONLY, aeth",
        "0xb1, XRC_ACKNOWLEDGE, aeth",
        "0xb2, XRC_ATOMIC_ACKNOWLEDGE, aeth atomicack",
        "0xb3, XRC_COMPARE_SWAP, xrceth atomic",
        "0xb4, XRC_FETCH_ADD, xrceth atomic",
        "0xb6, XRC_SEND_LAST_WITH_INV, xrceth ieth",
        "0xb7, XRC_SEND_ONLY_WITH_INV, xrceth ieth",
        "0x64, UD_SEND_ONLY, deth",
        "0x65, UD_SEND_ONLY_WITH_IMM, deth imm",
    })
    void opcodesHaveTheirHeaders(int opcode, String name, String headers) {
        assertThat(Opcode.name(opcode)).isEqualTo(name);
        List<String> found = new ArrayList<>();
        int length = Bth.LENGTH;
        length += note(found, "xrceth", Opcode.hasXrceth(opcode), 4);
        length += note(found, "feth", Opcode.hasFeth(opcode), 4);
        length += note(found, "masked", Opcode.hasMaskedAtomicEth(opcode), 48);
        length += note(found, "reth", Opcode.hasReth(opcode), 16);
        length += note(found, "atomic", Opcode.hasAtomicEth(opcode), 28);
        length += note(found, "deth", Opcode.hasDeth(opcode), 8);
        length += note(found, "aeth", Opcode.hasAeth(opcode), 4);
        length += note(found, "atomicack", Opcode.hasAtomicAckEth(opcode), 8);
        length += note(found, "imm", Opcode.hasImmDt(opcode), 4);
        length += note(found, "ieth", Opcode.hasIeth(opcode), 4);
        assertThat(String.join(" ", found)).isEqualTo(headers);
        assertThat(Opcode.headerLength(opcode)).isEqualTo(length);
    }

    @Test
    void noOtherOpcodeIsKnown() {
        assertThat(KNOWN).hasSize(64);
        for (int opcode : new int[] {
            0x15,
            0x18,
            0x1f,
            0x2c,
            0x40,
            0x60,
            0x66,
            0x80,
            0xb5,
            0xb8,
            0x3c,
            0xbc,
            0xbd,
            0xc0,
            0xd5,
            Opcode.CNP,
            0xff,
            256,
            -1
        }) {
            assertThat(Opcode.isKnown(opcode)).isFalse();
            assertThat(Opcode.headerLength(opcode)).isEqualTo(-1);
            assertThat(Opcode.hasPayload(opcode) || Opcode.isRequest(opcode) || Opcode.isResponse(opcode))
                    .isFalse();
        }
        assertThat(Opcode.name(Opcode.CNP)).isEqualTo("CNP");
        assertThat(Opcode.name(0xff)).isEqualTo("unknown opcode 0xff");
        assertThat(Opcode.name(-1)).startsWith("unknown");
    }

    @Test
    void opcodeHasOnePlaceKindAndDirection() {
        for (int opcode : KNOWN) {
            String name = Opcode.name(opcode);
            assertThat(count(
                            Opcode.isFirst(opcode),
                            Opcode.isMiddle(opcode),
                            Opcode.isLast(opcode),
                            Opcode.isOnly(opcode)))
                    .as(name)
                    .isOne();
            assertThat(count(
                            Opcode.isSend(opcode),
                            Opcode.isWrite(opcode),
                            Opcode.isReadRequest(opcode),
                            Opcode.isReadResponse(opcode),
                            Opcode.isAtomicRequest(opcode),
                            Opcode.isAtomicAck(opcode),
                            Opcode.isAck(opcode),
                            Opcode.hasFeth(opcode),
                            opcode == Opcode.RC_ATOMIC_WRITE))
                    .as(name)
                    .isOne();
            assertThat(Opcode.isRequest(opcode)).as(name).isNotEqualTo(Opcode.isResponse(opcode));
            assertThat(Opcode.isStart(opcode)).as(name).isEqualTo(Opcode.isFirst(opcode) || Opcode.isOnly(opcode));
            assertThat(Opcode.isEnd(opcode)).as(name).isEqualTo(Opcode.isLast(opcode) || Opcode.isOnly(opcode));
            assertThat(Opcode.hasPayload(opcode))
                    .as(name)
                    .isEqualTo(Opcode.isSend(opcode)
                            || Opcode.isWrite(opcode)
                            || Opcode.isReadResponse(opcode)
                            || opcode == Opcode.RC_ATOMIC_WRITE);
        }
    }

    @Test
    void propertiesMatchName() {
        for (int opcode : KNOWN) {
            String name = Opcode.name(opcode);
            assertThat(Opcode.service(opcode))
                    .as(name)
                    .isEqualTo(
                            switch (name.substring(0, 2)) {
                                case "RC", "MA" -> Opcode.RC;
                                case "UC" -> Opcode.UC;
                                case "XR" -> Opcode.XRC;
                                default -> Opcode.UD;
                            });
            assertThat(Opcode.isFirst(opcode)).as(name).isEqualTo(name.contains("_FIRST"));
            assertThat(Opcode.isMiddle(opcode)).as(name).isEqualTo(name.contains("_MIDDLE"));
            assertThat(Opcode.isLast(opcode)).as(name).isEqualTo(name.contains("_LAST"));
            assertThat(Opcode.isSend(opcode)).as(name).isEqualTo(name.contains("_SEND_"));
            assertThat(Opcode.isWrite(opcode)).as(name).isEqualTo(name.contains("_WRITE_"));
            assertThat(Opcode.isReadRequest(opcode)).as(name).isEqualTo(name.contains("READ_REQUEST"));
            assertThat(Opcode.isReadResponse(opcode)).as(name).isEqualTo(name.contains("READ_RESPONSE"));
            assertThat(Opcode.isAck(opcode)).as(name).isEqualTo(name.endsWith("RC_ACKNOWLEDGE"));
        }
    }

    private static int note(List<String> found, String name, boolean present, int length) {
        if (present) {
            found.add(name);
        }
        return present ? length : 0;
    }

    private static long count(Boolean... values) {
        return Arrays.stream(values).filter(v -> v).count();
    }
}
