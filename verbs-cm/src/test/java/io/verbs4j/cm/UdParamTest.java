/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.AhAttr;
import io.verbs4j.Gid;
import io.verbs4j.GlobalRoute;
import io.verbs4j.VerbsException;
import org.junit.jupiter.api.Test;

class UdParamTest {
    private static AhAttr fabric() {
        return new AhAttr()
                .dlid(0x1234)
                .sl(3)
                .srcPathBits(1)
                .staticRate(4)
                .isGlobal(false)
                .portNum(2)
                .grh(new GlobalRoute()
                        .dgid(Gid.of(5, 6))
                        .flowLabel(0xabcde)
                        .sgidIndex(7)
                        .hopLimit(9)
                        .trafficClass(10));
    }

    @Test
    void addressIsCopiedCompletely() {
        AhAttr given = fabric();
        UdParam param = UdParam.of(given, 0x123456, 0x8000_0001);
        given.dlid(1).grh().hopLimit(1);
        assertThat(param.ahAttr().toString()).isEqualTo(fabric().toString());
        param.ahAttr().sl(0).grh().flowLabel(0);
        assertThat(param.ahAttr()).usingRecursiveComparison().isEqualTo(fabric());
        assertThat(param.dgid()).isEqualTo(Gid.of(5, 6));
        assertThat(param.qpNum()).isEqualTo(0x123456);
        assertThat(param.qkey()).isEqualTo(0x8000_0001);
        assertThat(param.privateData()).isEmpty();
    }

    @Test
    void privateDataIsCopied() {
        byte[] data = {1, 2};
        UdParam param = UdParam.of(fabric(), 1, 2).withPrivateData(data);
        data[0] = 9;
        param.privateData()[1] = 9;
        assertThat(param.privateData()).containsExactly(1, 2);
        assertThat(param.ahAttr()).usingRecursiveComparison().isEqualTo(fabric());
    }

    @Test
    void invalidArgumentsAreRefused() {
        assertThatThrownBy(() -> UdParam.of(null, 1, 2)).isInstanceOf(VerbsException.class);
        assertThatThrownBy(() -> UdParam.of(fabric().grh(null), 1, 2)).isInstanceOf(VerbsException.class);
        assertThatThrownBy(() -> UdParam.of(fabric(), 1 << 24, 2)).isInstanceOf(VerbsException.class);
        assertThatThrownBy(() -> UdParam.of(fabric(), 1, 2).withPrivateData((byte[]) null))
                .isInstanceOf(VerbsException.class);
    }
}
