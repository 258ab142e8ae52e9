/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.hbldv;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HblWqArrayTest {
    private static HblWqArray array(int wqs) {
        return new HblPortExAttr()
                .wqArray(HblWqArrays.GENERIC, wqs, 256, HblMemIds.HOST, HblGranularities.BYTES_64)
                .wqArray(HblWqArrays.GENERIC);
    }

    @Test
    void sameValuesAreEqual() {
        assertThat(array(16)).isEqualTo(array(16)).hasSameHashCodeAs(array(16)).isNotEqualTo(array(17));
        assertThat(array(16)).isNotEqualTo("HblWqArray");
    }

    @Test
    void toStringNamesClassAndValues() {
        assertThat(array(16))
                .hasToString("HblWqArray[wqs=16, wqes=256, memId=" + HblMemIds.HOST + ", granularity="
                        + HblGranularities.BYTES_64 + "]");
    }
}
