/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.bulk.model.Model;
import io.verbs4j.bulk.model.ModelProvider;
import org.junit.jupiter.api.Test;

/** Devices that are of no use to the transport. */
class BulkStrategyTest {
    @Test
    void deviceWithoutWriteIsRefused() {
        try (Context context = ModelProvider.open(0, Model.WITHOUT_WRITE)) {
            assertThatThrownBy(() -> BulkEndpoint.open(BulkConfig.of(context)))
                    .isInstanceOfSatisfying(
                            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EOPNOTSUPP))
                    .hasMessageContainingAll("nowrite", "RDMA_WRITE", "another device");
        }
    }
}
