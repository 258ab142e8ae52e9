/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv.steering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import java.nio.ByteBuffer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class HeaderChangesTest {
    private static void refused(ThrowingCallable body) {
        assertThatThrownBy(body)
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
    }

    /** Compares with the layouts of set_action_in, add_action_in and copy_action_in. */
    @Test
    void changesAreEncodedForDevice() {
        HeaderChanges changes = new HeaderChanges()
                .set(ModifyField.UDP_DPORT, 3, 13, 0x1234)
                .set(ModifyField.SIPV4, 0, 32, -2)
                .add(ModifyField.IP_TTL, -1)
                .copy(ModifyField.METADATA_REGC_1, 4, 16, ModifyField.TCP_SPORT, 8)
                .raw(0x0102030405060708L);
        assertThat(changes.length()).isEqualTo(40);
        ByteBuffer bytes = ByteBuffer.wrap(changes.toBytes());
        assertThat(bytes.getLong()).isEqualTo(0x100c_030d_0000_1234L);
        assertThat(bytes.getLong()).isEqualTo(0x1015_0000_ffff_fffeL); // 0 stands for 32 bits
        assertThat(bytes.getLong()).isEqualTo(0x200a_0000_ffff_ffffL);
        assertThat(bytes.getLong()).isEqualTo(0x3052_0410_0008_0800L);
        assertThat(bytes.getLong()).isEqualTo(0x0102030405060708L);
    }

    @Test
    void outOfRangeChangesFail() {
        HeaderChanges changes = new HeaderChanges();
        refused(() -> changes.set(0x1000, 0, 8, 1));
        refused(() -> changes.set(-1, 0, 8, 1));
        refused(() -> changes.set(1, 0, 8, 0x100));
        refused(() -> changes.set(1, 30, 3, 1));
        refused(() -> changes.set(1, -1, 3, 1));
        refused(() -> changes.set(1, 0, 0, 0));
        refused(() -> changes.set(1, 0, 33, 0));
        refused(() -> changes.add(0x1000, 1));
        refused(() -> changes.copy(1, 0, 16, 2, 17));
        refused(() -> changes.copy(1, 17, 16, 2, 0));
        refused(() -> changes.copy(1, 0, 16, 0x1000, 0));
        assertThat(changes.length()).isZero();
    }
}
