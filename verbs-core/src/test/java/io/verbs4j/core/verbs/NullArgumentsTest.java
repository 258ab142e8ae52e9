/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import static io.verbs4j.core.Failures.assertFails;
import static org.mockito.Mockito.clearInvocations;
import static org.mockito.Mockito.verifyNoInteractions;

import io.verbs4j.CompletionChannel;
import io.verbs4j.Errno;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.SharedReceiveQueue;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** A null that a method of the header looks at by itself is told as any other bad argument is. */
class NullArgumentsTest {
    private final Rig rig = new Rig();

    @Test
    void attributesToModify() {
        QueuePair qp = rig.qp(QpType.RC);
        SharedReceiveQueue srq = rig.srq(rig.pd());
        clearInvocations(rig.ops);

        assertFails(Errno.EINVAL, () -> qp.modify(null), "modify_qp", "attr is null");
        assertFails(Errno.EINVAL, () -> srq.modify(null), "modify_srq", "attr is null");
        verifyNoInteractions(rig.ops);
    }

    @Test
    void unitsOfTimeouts() {
        CompletionChannel channel = rig.channel();
        clearInvocations(rig.ops);

        assertFails(Errno.EINVAL, () -> channel.getEvent(1, null), "get_cq_event", "unit is null");
        assertFails(Errno.EINVAL, () -> rig.context.getAsyncEvent(1, null), "get_async_event", "unit is null");
        verifyNoInteractions(rig.ops);
    }

    @Test
    void completionsThatLeadBack() {
        ProtectionDomain pd = rig.pd();
        clearInvocations(rig.ops);
        ByteBuffer grh = ByteBuffer.allocate(40);

        assertFails(Errno.EINVAL, () -> rig.context.initAhFromWc(1, null, grh), "init_ah_from_wc", "wc is null");
        assertFails(Errno.EINVAL, () -> pd.createAhFromWc(null, grh, 1), "init_ah_from_wc", "wc is null");
        verifyNoInteractions(rig.ops);
    }
}
