/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.QpCreateSendOps;
import org.junit.jupiter.api.Test;

/** What a device must have, and what is said where it has not. */
class RcStrategyTest {
    private static final long ALL = QpCreateSendOps.SEND
            | QpCreateSendOps.RDMA_WRITE
            | QpCreateSendOps.RDMA_WRITE_WITH_IMM
            | QpCreateSendOps.RDMA_READ;

    @Test
    void deviceWithAllIsTaken() {
        assertThat(RcStrategy.missing(ALL, 1)).isNull();
        assertThat(RcStrategy.missing(ALL | QpCreateSendOps.FLUSH, 16)).isNull();
    }

    @Test
    void eachOperationIsNamedWhereItIsMissing() {
        for (long operation = 1; operation <= ALL; operation <<= 1) {
            if ((ALL & operation) != 0) {
                assertThat(RcStrategy.missing(ALL & ~operation, 1))
                        .isEqualTo(QpCreateSendOps.toString(operation))
                        .isNotBlank();
            }
        }
        assertThat(RcStrategy.missing(ALL, 0)).contains("depth of reads is 0");
    }
}
