/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The path MTU that fits an interface, including headers. */
class LocalInterfaceTest {
    @ParameterizedTest
    @CsvSource({"65536,4096", "9000,4096", "4200,4096", "4175,2048", "2200,2048", "1500,1024", "1280,1024", "576,256"})
    void pathMtuFitsInterface(int mtu, int expected) {
        assertThat(LocalInterface.pathMtu(mtu)).isEqualTo(expected);
    }
}
