/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import static io.verbs4j.core.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.verifyNoInteractions;

import io.verbs4j.DeviceAttr;
import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.PortAttr;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.ArgumentMatchers;

class DeviceVerbsTest {
    private final Rig rig = new Rig();

    @Test
    void answersComeFromProvider() {
        doAnswer(i -> i.<DeviceAttr>getArgument(0).maxQp(77)).when(rig.ops).queryDevice(ArgumentMatchers.any());
        doAnswer(i -> i.<PortAttr>getArgument(1).lid(5))
                .when(rig.ops)
                .queryPort(ArgumentMatchers.eq(1), ArgumentMatchers.any());
        Gid gid = Gid.of(1, 2);
        doReturn(gid).when(rig.ops).queryGid(1, 0);
        doReturn(0x8001).when(rig.ops).queryPkey(1, 0);

        assertThat(rig.context.queryDevice().maxQp()).isEqualTo(77);
        assertThat(rig.context.queryPort(1).lid()).isEqualTo(5);
        assertThat(rig.context.queryGid(1, 0)).isSameAs(gid);
        assertThat(rig.context.queryPkey(1, 0)).isEqualTo(0x8001);
        assertThat(rig.context.numCompVectors()).isEqualTo(4);
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 256})
    void portsAreNumberedFromOne(int port) {
        assertFails(Errno.EINVAL, () -> rig.context.queryPort(port), "portNum is " + port, "1 to 255");
        assertFails(Errno.EINVAL, () -> rig.context.queryGid(port, 0), "portNum is " + port);
        assertFails(Errno.EINVAL, () -> rig.context.queryPkey(port, 0), "portNum is " + port);
        verifyNoInteractions(rig.ops);
    }

    @Test
    void indicesAreNotNegative() {
        assertFails(Errno.EINVAL, () -> rig.context.queryGid(1, -1), "query_gid", "index is -1");
        assertFails(Errno.EINVAL, () -> rig.context.queryPkey(1, -1), "query_pkey", "index is -1");
        verifyNoInteractions(rig.ops);
    }

    @Test
    void attributesAreNotNull() {
        LibraryOps ops = (LibraryOps) ((LibraryContext) rig.context).libraryOps();

        assertFails(Errno.EINVAL, () -> ops.queryDevice(null), "attr is null");
        assertFails(Errno.EINVAL, () -> ops.queryPort(1, null), "attr is null");
        verifyNoInteractions(rig.ops);
    }

    @Test
    void nonsenseIsReportedAsProvidersDefect() {
        doReturn(null).when(rig.ops).queryGid(1, 0);
        doReturn(0x10000).when(rig.ops).queryPkey(1, 0);
        doReturn(-1).when(rig.ops).queryPkey(1, 1);
        doReturn(0).when(rig.ops).numCompVectors();

        assertFails(Errno.EIO, () -> rig.context.queryGid(1, 0), "provider 'fake' returned null");
        assertFails(Errno.EIO, () -> rig.context.queryPkey(1, 0), "65536", "not a P_Key");
        assertFails(Errno.EIO, () -> rig.context.queryPkey(1, 1), "-1", "not a P_Key");
        assertFails(Errno.EIO, rig.context::numCompVectors, "0 completion vectors");
    }
}
