/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.Mtu;
import io.verbs4j.PortAttr;
import io.verbs4j.VerbsException;
import org.junit.jupiter.api.Test;

/** The path MTU is limited by the network interface. */
class RxeLimitsTest {
    private static final Gid GID = Gid.of(0, 0xffff_0a00_0005L);

    @Test
    void pathMtuBeyondInterfaceIsRefused() {
        assertThatCode(() -> RxeLimits.checkPathMtu(Mtu.MTU_1024, 0, GID, 1024)).doesNotThrowAnyException();
        assertThatCode(() -> RxeLimits.checkPathMtu(Mtu.MTU_4096, 0, GID, 4096)).doesNotThrowAnyException();
        assertThatThrownBy(() -> RxeLimits.checkPathMtu(Mtu.MTU_2048, 0, GID, 1024))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
                .hasMessageContaining("MTU_2048")
                .hasMessageContaining("at most MTU_1024 (active_mtu of query_port): use that on both sides");
        assertThatThrownBy(() -> RxeLimits.checkPathMtu(Mtu.MTU_4096, 2, GID, 2048))
                .hasMessageContaining("GID index 2")
                .hasMessageContaining("MTU_2048: use");
    }

    @Test
    void loopbackInterfaceCarriesEveryPathMtu() {
        try (TestContext context = TestContext.open((String) null)) {
            PortAttr port = context.queryPort(1);
            assertThat(port.maxMtu()).isEqualTo(Mtu.MTU_4096);
            assertThat(port.activeMtu()).isEqualTo(Mtu.fromBytes(context.port().pathMtu(0)));
        }
    }
}
