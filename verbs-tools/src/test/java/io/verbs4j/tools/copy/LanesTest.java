/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.Context;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.bulk.BulkConfig;
import io.verbs4j.bulk.BulkEndpoint;
import io.verbs4j.core.Verbs;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** There is a lane for each connection up to the limit, whatever happened to earlier lanes. */
class LanesTest {
    private static final int MOST = 2;

    private final Context context = Verbs.open(Verbs.defaultDevice(), VerbsLevel.CURRENT);
    private final BulkEndpoint endpoint = BulkEndpoint.open(BulkConfig.of(context));
    private final Lanes lanes = new Lanes(endpoint, MOST);

    @AfterEach
    void close() {
        endpoint.close();
        context.close();
    }

    @Test
    void reusableLaneIsUsedAgain() {
        Lane first = lanes.take();
        Lane second = lanes.take();
        assertThat(lanes.take()).as("a third lane").isNull();
        lanes.give(first, true);
        assertThat(lanes.take()).isSameAs(first).isNotSameAs(second);
        assertThat(lanes.take()).isNull();
    }

    @Test
    void unusableLaneIsReplaced() {
        Lane first = lanes.take();
        Lane second = lanes.take();
        lanes.give(first, false);
        assertThat(lanes.take()).isNotNull().isNotSameAs(first).isNotSameAs(second);
        assertThat(lanes.take()).isNull();
    }

    @Test
    void failedLaneTakesNoPlace() {
        endpoint.close();
        for (int i = 0; i < 2 * MOST; i++) {
            assertThatThrownBy(lanes::take).isInstanceOf(VerbsException.class);
        }
    }
}
