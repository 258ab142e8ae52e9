/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The bytes that the user's side writes over the remains of an earlier entry. */
class BulkEntriesTest {
    @Test
    void entryLayoutIsFixed() {
        byte[] dirty = new byte[64];
        Arrays.fill(dirty, (byte) 0xff);
        ByteBuffer bytes = ByteBuffer.wrap(dirty).order(ByteOrder.LITTLE_ENDIAN);
        BulkEntries entries = new BulkEntries(bytes);
        entries.remote(0, BulkOpcode.GET, 0x11121314, 0x21222324, 0x31, 0x41, 0x51, 0x61, 0x71);
        assertThat(HexFormat.of().formatHex(dirty))
                .isEqualTo("0200000014131211" + "7100000000000000" + "6100000000000000" + "2423222100000000"
                        + "3100000000000000" + "4100000000000000" + "5100000000000000" + "0000000000000000");
        entries.flags(0, BulkFlags.NOTIFY | BulkFlags.LINK);
        entries.stream(0, 0x8182);
        entries.deadline(0, 0x91929394);
        entries.value(0, 0xa1);
        assertThat(HexFormat.of().formatHex(dirty))
                .isEqualTo("0211828114131211" + "7100000000000000" + "6100000000000000" + "2423222194939291"
                        + "3100000000000000" + "4100000000000000" + "5100000000000000" + "a100000000000000");
    }
}
