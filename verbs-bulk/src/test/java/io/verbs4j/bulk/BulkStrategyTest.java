/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.bulk.model.Model;
import io.verbs4j.bulk.model.ModelProvider;
import io.verbs4j.testsupport.Patience;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Devices that the transport can't use. */
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

    /** A connection manager connects only reliable queue pairs. */
    @Test
    void connectionManagerRefusesDatagrams() {
        try (Context context = ModelProvider.open(0, Model.DATAGRAMS_ALONE)) {
            BulkConfig config = BulkConfig.of(context).withConnections(BulkConnections.CM);
            assertThatThrownBy(() -> BulkEndpoint.open(config))
                    .isInstanceOfSatisfying(
                            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EOPNOTSUPP))
                    .hasMessageContainingAll("datagrams", "no reliable connections", "BulkConnections.TCP");
        }
    }

    private static BulkConfig tcp(Context context) {
        return BulkConfig.of(context).withConnections(BulkConnections.TCP);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void reliableAndDatagramEndpointsCannotConnect(boolean first) {
        Model here = first ? Model.DATAGRAMS_ALONE : Model.ALL;
        Model there = first ? Model.ALL : Model.DATAGRAMS_ALONE;
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (Context one = ModelProvider.open(0, here);
                Context other = ModelProvider.open(1, there);
                BulkEndpoint client = BulkEndpoint.open(tcp(one));
                BulkEndpoint server =
                        BulkEndpoint.open(tcp(other).withAddress(any).withProgress(BulkProgress.SERVICE))) {
            assertThatThrownBy(() -> client.connect(server.address(), Patience.SECONDS, TimeUnit.SECONDS))
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContainingAll(
                            first ? "rejected the connection: this is a bulk endpoint" : "supports only datagrams",
                            first ? "the device of this side lacks datagrams" : "of this side supports none");
        }
    }
}
