/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.QpAttrMask;
import io.verbs4j.QpState;
import org.junit.jupiter.api.Test;

/** The states of an SRD queue pair. */
class EfaStatesTest {
    private static final int START = QpAttrMask.PKEY_INDEX | QpAttrMask.PORT | QpAttrMask.QKEY;

    @Test
    void usualTransitionsAreAllowed() {
        assertThat(EfaStates.check(QpState.RESET, QpState.INIT, QpAttrMask.STATE | START))
                .isNull();
        assertThat(EfaStates.check(QpState.INIT, QpState.RTR, QpAttrMask.STATE)).isNull();
        assertThat(EfaStates.check(QpState.RTR, QpState.RTS, QpAttrMask.STATE | QpAttrMask.SQ_PSN))
                .isNull();
        assertThat(EfaStates.check(
                        QpState.RTR, QpState.RTS, QpAttrMask.STATE | QpAttrMask.SQ_PSN | QpAttrMask.RNR_RETRY))
                .isNull();
        assertThat(EfaStates.check(
                        QpState.INIT, QpState.RTR, QpAttrMask.STATE | QpAttrMask.QKEY | QpAttrMask.PKEY_INDEX))
                .isNull();
        assertThat(EfaStates.check(QpState.RTS, QpState.SQD, QpAttrMask.STATE)).isNull();
        assertThat(EfaStates.check(QpState.RTS, QpState.SQD, QpAttrMask.STATE | QpAttrMask.EN_SQD_ASYNC_NOTIFY))
                .isNull();
        assertThat(EfaStates.check(QpState.SQE, QpState.RTS, QpAttrMask.STATE)).isNull();
        assertThat(EfaStates.check(QpState.SQD, QpState.RTS, QpAttrMask.STATE)).isNull();
    }

    @Test
    void everyStateLeadsToResetAndAllButResetToError() {
        for (int from = QpState.RESET; from <= QpState.ERR; from++) {
            assertThat(EfaStates.check(from, QpState.RESET, QpAttrMask.STATE)).isNull();
            String toError = EfaStates.check(from, QpState.ERR, QpAttrMask.STATE);
            assertThat(toError == null).isEqualTo(from != QpState.RESET);
        }
    }

    @Test
    void missingAndSurplusAttributesAreNamed() {
        assertThat(EfaStates.check(QpState.RESET, QpState.INIT, QpAttrMask.STATE | QpAttrMask.PORT))
                .contains("missing PKEY_INDEX|QKEY");
        assertThat(EfaStates.check(QpState.RTR, QpState.RTS, QpAttrMask.STATE)).contains("missing SQ_PSN");
        assertThat(EfaStates.check(QpState.RTS, QpState.RTS, QpAttrMask.RNR_RETRY))
                .contains("surplus RNR_RETRY");
        assertThat(EfaStates.check(QpState.RESET, QpState.RTS, QpAttrMask.STATE))
                .contains("is not allowed", "from RESET to INIT, RTR, RTS");
    }
}
