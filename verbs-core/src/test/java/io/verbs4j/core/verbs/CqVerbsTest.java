/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import static io.verbs4j.core.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.Mockito.clearInvocations;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doCallRealMethod;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;

import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Errno;
import io.verbs4j.core.Fakes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CqVerbsTest {
    private final Rig rig = new Rig();

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0})
    void queueNeedsAtLeastOneEntry(int cqe) {
        CompletionQueue cq = rig.cq();
        clearInvocations(rig.ops);

        assertFails(Errno.EINVAL, () -> rig.context.createCq(cqe), "create_cq", "cqe is " + cqe);
        assertFails(Errno.EINVAL, () -> cq.resize(cqe), "resize_cq", "cqe is " + cqe);
        verifyNoInteractions(rig.ops);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 4, Integer.MAX_VALUE})
    void vectorOutOfRangeIsRefused(int vector) {
        assertFails(
                Errno.EINVAL,
                () -> rig.context.createCq(1, null, null, vector),
                "create_cq",
                "compVector is " + vector,
                "0 to 3");
        verify(rig.ops, never()).createCq(anyInt(), any(), any(), anyInt());
        rig.context.close(); // nothing was counted
    }

    @Test
    void lastVectorIsAccepted() {
        assertThat(rig.context.createCq(1, null, null, 3)).isNotNull();
    }

    @Test
    void impossibleNumberOfVectorsIsProvidersDefect() {
        doReturn(0).when(rig.ops).numCompVectors();

        assertFails(Errno.EIO, () -> rig.context.createCq(1), "create_cq", "0 completion vectors");
    }

    @Test
    void closedChannelIsRefused() {
        CompletionChannel channel = rig.channel();
        channel.close();
        clearInvocations(rig.ops);

        assertFails(Errno.EINVAL, () -> rig.cq(channel), "completion channel of fake0 is closed");
        verifyNoInteractions(rig.ops);
    }

    @Test
    void handleReportsWhatProviderCreated() {
        CompletionChannel channel = rig.channel();

        CompletionQueue cq = rig.context.createCq(7, "mine", channel, 0);

        assertThat(cq.cqe()).isEqualTo(7);
        assertThat(cq.userContext()).isEqualTo("mine");
        assertThat(cq.channel()).isSameAs(channel);
        assertThat(cq.context()).isSameAs(rig.context);
    }

    @Test
    void vendorAttributesReachProvider() {
        Object vendor = new Object();
        doAnswer(i -> new Fakes.FakeCq(rig.context, i.getArgument(0), i.getArgument(1), i.getArgument(2)))
                .when(rig.ops)
                .createCq(anyInt(), any(), any(), anyInt(), any());

        CompletionQueue cq = rig.context.createCq(7, "mine", null, 1, vendor);

        assertThat(cq.userContext()).isEqualTo("mine");
        verify(rig.ops).createCq(7, "mine", null, 1, vendor);
        verify(rig.ops, never()).createCq(anyInt(), any(), any(), anyInt());
        assertFails(Errno.EINVAL, () -> rig.context.createCq(7, null, null, 1, null), "vendor is null");
        assertFails(Errno.EINVAL, () -> rig.context.createCq(0, null, null, 1, vendor), "cqe is 0");
    }

    @Test
    void providerWithoutVendorAttributesRefusesThem() {
        doCallRealMethod().when(rig.ops).createCq(anyInt(), any(), any(), anyInt(), any());

        assertFails(
                Errno.EOPNOTSUPP,
                () -> rig.context.createCq(7, null, null, 1, "a string"),
                "create_cq",
                "java.lang.String");
    }
}
