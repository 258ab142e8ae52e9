/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import static io.verbs4j.core.Failures.assertFails;
import static org.mockito.Mockito.clearInvocations;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;

import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MulticastTest {
    private static final Gid GROUP = AllVerbs.GROUP;

    private final Rig rig = new Rig();
    private final QueuePair qp = rig.udQp();
    private final QueuePair rc = rig.qp(QpType.RC);

    @BeforeEach
    void forgetTheSetUp() {
        clearInvocations(rig.ops);
    }

    @Test
    void onlyTypeUdHasMulticast() {
        assertFails(Errno.EINVAL, () -> rc.attachMcast(GROUP, 0), "attach_mcast", "type RC", "type UD");
        assertFails(Errno.EINVAL, () -> rc.detachMcast(GROUP, 0), "detach_mcast", "type RC");
        verifyNoInteractions(rig.ops);
    }

    @Test
    void groupMustBeMulticastAddress() {
        assertFails(Errno.EINVAL, () -> qp.attachMcast(null, 0), "gid is null");
        assertFails(
                Errno.EINVAL, () -> qp.attachMcast(Gid.of(0xfe80L << 48, 1), 0), "fe80:", "not a multicast address");
        assertFails(Errno.EINVAL, () -> qp.attachMcast(GROUP, -1), "lid is -1");
        assertFails(Errno.EINVAL, () -> qp.attachMcast(GROUP, 0x10000), "lid is 65536");
        assertFails(Errno.EINVAL, () -> qp.detachMcast(null, 0), "gid is null");
        verifyNoInteractions(rig.ops);
    }

    @Test
    void attachedQueuePairIsBusy() {
        Gid another = Gid.of(0xff0eL << 48, 2);
        qp.attachMcast(GROUP, 0);
        qp.attachMcast(another, 0);

        assertFails(
                Errno.EBUSY,
                qp::close,
                "queue pair " + qp.qpNum() + " of fake0 still has 2 multicast attachments",
                "detach it");
        verify(rig.ops, never()).destroyQp(qp);

        qp.detachMcast(another, 0);
        assertFails(Errno.EBUSY, qp::close, "1 multicast attachment;");
        qp.detachMcast(GROUP, 0);
        verify(rig.ops).detachMcast(qp, GROUP, 0);
        qp.close();
    }

    @Test
    void attachingTwiceAttachesOnce() {
        qp.attachMcast(GROUP, 3);
        qp.attachMcast(Gid.of(GROUP.subnetPrefix(), GROUP.interfaceId()), 3);

        verify(rig.ops, times(1)).attachMcast(qp, GROUP, 3);
        qp.detachMcast(GROUP, 3);
        qp.close();
    }

    @Test
    void detachingUnattachedGroupFails() {
        qp.attachMcast(GROUP, 3);

        assertFails(Errno.EINVAL, () -> qp.detachMcast(GROUP, 4), "is not attached to ff0e:", "LID 4");
        verify(rig.ops, never()).detachMcast(qp, GROUP, 4);
        qp.detachMcast(GROUP, 3);
        assertFails(Errno.EINVAL, () -> qp.detachMcast(GROUP, 3), "is not attached");
    }

    @Test
    void failedAttachChangesNothing() {
        doThrow(new VerbsException(Errno.ENOMEM, "attach_mcast", "full"))
                .doNothing()
                .when(rig.ops)
                .attachMcast(qp, GROUP, 0);
        doThrow(new VerbsException(Errno.EIO, "detach_mcast", "not now"))
                .doNothing()
                .when(rig.ops)
                .detachMcast(qp, GROUP, 0);

        assertFails(Errno.ENOMEM, () -> qp.attachMcast(GROUP, 0));
        assertFails(Errno.EINVAL, () -> qp.detachMcast(GROUP, 0));
        qp.attachMcast(GROUP, 0);
        assertFails(Errno.EIO, () -> qp.detachMcast(GROUP, 0));
        assertFails(Errno.EBUSY, qp::close);
        qp.detachMcast(GROUP, 0);
        qp.close();
    }
}
