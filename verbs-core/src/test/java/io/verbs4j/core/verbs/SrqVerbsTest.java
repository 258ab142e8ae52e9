/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import static io.verbs4j.core.Failures.assertFails;
import static org.mockito.Mockito.clearInvocations;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;

import io.verbs4j.ContextOps;
import io.verbs4j.Errno;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqAttrMask;
import io.verbs4j.SrqInitAttr;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SrqVerbsTest {
    private final Rig rig = new Rig();
    private final ProtectionDomain pd = rig.pd();
    private final SharedReceiveQueue srq = rig.srq(pd);

    @BeforeEach
    void forgetTheSetUp() {
        clearInvocations(rig.ops);
    }

    @Test
    void creationChecksItsArguments() {
        assertFails(Errno.EINVAL, () -> pd.createSrq(null), "attr is null");
        assertFails(Errno.EINVAL, () -> pd.createSrq(new SrqInitAttr().attr(null)), "attr.attr is null");
        assertFails(Errno.EINVAL, () -> pd.createSrq(init(-1, 1)), "maxWr is -1");
        assertFails(Errno.EINVAL, () -> pd.createSrq(init(1, -1)), "maxSge is -1");
        verifyNoInteractions(rig.ops);
    }

    private static SrqInitAttr init(int maxWr, int maxSge) {
        return new SrqInitAttr().attr(new SrqAttr().maxWr(maxWr).maxSge(maxSge));
    }

    @Test
    void limitIsIgnoredAtCreation() {
        SrqInitAttr attr = init(1, 1);
        attr.attr().srqLimit(-5);

        pd.createSrq(attr);

        verify(rig.ops).createSrq(pd, attr);
    }

    @Test
    void modifyChecksItsArguments() {
        ContextOps ops = ((LibraryContext) rig.context).libraryOps();

        assertFails(Errno.EINVAL, () -> srq.modify(new SrqAttr()), "the mask is 0", "SrqAttrMask");
        assertFails(Errno.EINVAL, () -> ops.modifySrq(srq, null, SrqAttrMask.LIMIT), "attr is null");
        assertFails(Errno.EINVAL, () -> srq.modify(new SrqAttr().maxWr(0)), "maxWr is 0");
        assertFails(Errno.EINVAL, () -> srq.modify(new SrqAttr().srqLimit(-1)), "srqLimit is -1");
        assertFails(Errno.EINVAL, () -> srq.modify(new SrqAttr().maxWr(4).srqLimit(5)), "srqLimit is 5", "0 to 4");
        assertFails(Errno.EINVAL, () -> ops.querySrq(srq, null), "attr is null");
        verifyNoInteractions(rig.ops);
    }

    @Test
    void providerJudgesDeviceLimitsOfModify() {
        SrqAttr attr = new SrqAttr().maxWr(1 << 30).srqLimit(1 << 30);

        srq.modify(attr);

        verify(rig.ops).modifySrq(srq, attr, SrqAttrMask.MAX_WR | SrqAttrMask.LIMIT);
    }
}
