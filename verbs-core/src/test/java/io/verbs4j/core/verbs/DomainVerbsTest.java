/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import static io.verbs4j.core.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;

import io.verbs4j.CompletionQueue;
import io.verbs4j.ContextSlot;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.CqInitAttrMask;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ParentDomain;
import io.verbs4j.ParentDomainInitAttr;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RingAllocator;
import io.verbs4j.TdInitAttr;
import io.verbs4j.ThreadDomain;
import org.junit.jupiter.api.Test;

/** The library's part of thread domains and parent domains. */
class DomainVerbsTest {
    private final MemoryRig rig = new MemoryRig();
    private final ProtectionDomain pd = rig.context.allocPd();
    private final ThreadDomain td = rig.context.allocTd(new TdInitAttr());

    private ParentDomain parent() {
        return rig.context.allocParentDomain(new ParentDomainInitAttr().pd(pd).td(td));
    }

    @Test
    void parentDomainKeepsItsParts() {
        ParentDomain parent = parent();

        assertFails(Errno.EBUSY, pd::close, "dealloc_pd", "1 protection domain");
        assertFails(Errno.EBUSY, td::close, "dealloc_td", "thread domain", "1 protection domain");
        parent.close();
        verify(rig.ops).deallocPd(parent);
        td.close();
        td.close();
        verify(rig.deallocTd).deallocTd(td);
        pd.close();
    }

    @Test
    void parentDomainServesAsProtectionDomain() {
        ParentDomain parent = parent();
        CompletionQueue cq = rig.context.createCqEx(new CqInitAttrEx().cqe(1).parentDomain(parent));
        QueuePair qp =
                parent.createQp(new QpInitAttr().qpType(QpType.RC).sendCq(cq).recvCq(cq));
        MemoryRegion mr = parent.regMr(0x1000, 10, 0);

        assertThat(qp.pd()).isSameAs(parent);
        assertThat(qp.pd().base()).isSameAs(pd).isSameAs(mr.pd().base());
        assertThat(pd.base()).isSameAs(pd);
        assertFails(Errno.EBUSY, parent::close, "dealloc_pd", "1 completion queue", "1 memory region", "1 queue pair");
        mr.close();
        qp.close();
        assertFails(Errno.EBUSY, parent::close, "dealloc_pd", "1 completion queue");
        cq.close();
        parent.close();
        assertFails(
                Errno.EINVAL,
                () -> rig.context.createCqEx(new CqInitAttrEx().cqe(1).parentDomain(parent)),
                "create_cq_ex",
                "closed");
    }

    @Test
    void allocatorsReachProviderAndItsHandle() {
        RingAllocator allocators = mock(RingAllocator.class);
        ParentDomainInitAttr attr =
                new ParentDomainInitAttr().pd(pd).allocators(allocators).pdContext("mine");

        ParentDomain parent = rig.context.allocParentDomain(attr);

        verify(rig.allocParentDomain).allocParentDomain(attr);
        assertThat(parent.allocators()).isSameAs(allocators);
        assertThat(parent.pdContext()).isEqualTo("mine");
        assertThat(parent.td()).isNull();
        td.close();
    }

    @Test
    void whatIsWrongIsTold() {
        ParentDomain parent = parent();
        ParentDomainInitAttr later = new ParentDomainInitAttr().pd(pd);
        later.masks(1L << 32, 0);
        MemoryRig other = new MemoryRig();
        ProtectionDomain foreign = other.context.allocPd();
        ParentDomainInitAttr[] wrong = {
            null,
            new ParentDomainInitAttr(),
            new ParentDomainInitAttr().pd(parent),
            new ParentDomainInitAttr().pd(foreign),
            new ParentDomainInitAttr().pd(pd).td(other.context.allocTd(new TdInitAttr())),
        };
        String[] texts = {"attr is null", "pd is null", "itself a parent domain", "another context", "another context"};
        for (int i = 0; i < wrong.length; i++) {
            ParentDomainInitAttr attr = wrong[i];
            assertFails(Errno.EINVAL, () -> rig.context.allocParentDomain(attr), "alloc_parent_domain", texts[i]);
        }
        assertFails(Errno.EOPNOTSUPP, () -> rig.context.allocParentDomain(later), "alloc_parent_domain", "0x100000000");
        assertFails(Errno.EINVAL, () -> rig.context.allocTd(null), "alloc_td", "attr is null");
        CqInitAttrEx none = new CqInitAttrEx().cqe(1);
        none.masks(CqInitAttrMask.PD, 0);
        assertFails(Errno.EINVAL, () -> rig.context.createCqEx(none), "create_cq_ex", "parentDomain is null");
        verifyNoInteractions(rig.createCqEx);
    }

    @Test
    void domainOfOtherPartsThanRequestedIsBroken() {
        doAnswer(i -> new MemoryRig.FakeParentDomain(new ParentDomainInitAttr().pd(pd)))
                .when(rig.allocParentDomain)
                .allocParentDomain(any());
        assertFails(Errno.EIO, this::parent, "alloc_parent_domain", "thread domain");
        td.close(); // nothing is left behind
    }

    @Test
    void nothingStandsInForThem() {
        MemoryRig bare = new MemoryRig(ContextSlot.ALLOC_TD, ContextSlot.ALLOC_PARENT_DOMAIN);
        String can = "the device can't: ";
        assertFails(Errno.EOPNOTSUPP, () -> bare.context.allocTd(new TdInitAttr()), can + "alloc_td came");
        assertFails(
                Errno.EOPNOTSUPP,
                () -> bare.context.allocParentDomain(new ParentDomainInitAttr()),
                can + "alloc_parent_domain came");
    }
}
