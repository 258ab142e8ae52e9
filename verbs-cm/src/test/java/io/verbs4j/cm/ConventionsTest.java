/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Invalid arguments fail with EINVAL and closed objects with EBADF; nothing else is thrown. */
class ConventionsTest {
    private static void refused(int errno, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        VerbsException.class,
                        e -> assertThat(Errno.name(e.errno())).as("%s", e).isEqualTo(Errno.name(errno)));
    }

    @Test
    void invalidParametersFailWithEinval() {
        refused(Errno.EINVAL, () -> ConnParam.DEFAULT.withRetryCount(8));
        refused(Errno.EINVAL, () -> ConnParam.DEFAULT.withRnrRetryCount(-1));
        refused(Errno.EINVAL, () -> ConnParam.DEFAULT.withInitiatorDepth(256));
        refused(Errno.EINVAL, () -> ConnParam.DEFAULT.withQpNum(1 << 24));
        refused(Errno.EINVAL, () -> ConnParam.DEFAULT.withPrivateData((byte[]) null));
        refused(Errno.EINVAL, () -> CmOptions.DEFAULT.withAckTimeout(32));
        refused(Errno.EINVAL, () -> CmOptions.DEFAULT.withTrafficClass(-1));
        refused(Errno.EINVAL, () -> CmOptions.DEFAULT.withHandshakeTimeout(0, TimeUnit.SECONDS));
        refused(Errno.EINVAL, () -> CmOptions.DEFAULT.withHandshakeTimeout(1, null));
    }

    @Test
    void invalidChannelArgumentsFailWithEinvalAndClosedChannelWithEbadf() {
        EventChannel channel = EventChannel.create();
        refused(Errno.EINVAL, () -> channel.createId(null, PortSpace.TCP));
        refused(Errno.EINVAL, () -> channel.getEvent(1, null));
        channel.close();
        refused(Errno.EBADF, () -> channel.getEvent(1, TimeUnit.SECONDS));
    }
}
