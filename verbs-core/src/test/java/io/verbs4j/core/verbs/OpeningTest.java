/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import static io.verbs4j.core.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

import io.verbs4j.Context;
import io.verbs4j.ContextAttr;
import io.verbs4j.ContextOps;
import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.Errno;
import io.verbs4j.OpenAttr;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpType;
import io.verbs4j.SrqInitAttrEx;
import io.verbs4j.SrqType;
import io.verbs4j.VerbsException;
import io.verbs4j.XrcdInitAttr;
import io.verbs4j.core.Fakes;
import io.verbs4j.core.discovery.Library;
import io.verbs4j.core.discovery.TimeLimit;
import io.verbs4j.slot.AllocDm;
import io.verbs4j.slot.AllocTd;
import io.verbs4j.slot.OpenXrcd;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/** The negotiation between library and provider when a device is opened. */
class OpeningTest {
    private final Fakes.FakeDevice device = new Fakes.FakeDevice("ext0");
    private final ContextOps ops = mock(ContextOps.class);

    private Context open(int level, BiConsumer<ContextOps, ContextTable> init) {
        ExtendedRig.Provider provider = new ExtendedRig.Provider(device, ops, level, init);
        return new Library(() -> List.of(provider.found()), TimeLimit::ofProperty).open(device, 2);
    }

    @Test
    void providerGetsTableOfLibrarysSize() {
        AtomicReference<ContextTable> shown = new AtomicReference<>();

        Context context = open(2, (opened, table) -> {
            assertThat(opened).isSameAs(ops);
            assertThat(table.size()).isEqualTo(ContextSlot.LEVEL_4_COUNT);
            assertThat(table.fillProvider(ContextSlot.LEVEL_4_COUNT, "of a later level"))
                    .isFalse();
            shown.set(table);
        });

        shown.get()
                .fillProvider(ContextSlot.OPEN_XRCD, (OpenXrcd) attr -> null); // its own: nobody looks there any more
        assertThat(context.queryContext().tableSize()).isEqualTo(ContextSlot.LEVEL_4_COUNT);
        assertThat(context.queryContext().hasVerb(ContextSlot.OPEN_XRCD)).isFalse();
    }

    @Test
    void providersTableCannotChangeLibrarysTable() {
        Context context = open(2, (opened, table) -> {
            table.fillLibrary(ContextSlot.OPEN_QP, "the provider's");
            table.seal();
        });

        assertThat(context.queryContext().slots().get(ContextSlot.OPEN_QP, ContextAttr.SLOT_STATE))
                .isEqualTo(ContextAttr.LIBRARY_HAS);
        context.close();
    }

    @Test
    void attributesNotHonouredByProviderAreRefused() {
        OpenAttr attr = new OpenAttr().vendor("of another vendor");
        ExtendedRig.Provider provider = new ExtendedRig.Provider(device, ops, 2, (opened, table) -> {});
        Library library = new Library(() -> List.of(provider.found()), TimeLimit::ofProperty);

        assertFails(Errno.EOPNOTSUPP, () -> library.open(device, 2, attr), "open_device", "VENDOR", "did not honour");
        verify(ops).close();
        OpenAttr optional = new OpenAttr();
        optional.masks(1L << 60, 0);
        assertThat(library.open(device, 2, optional).openAttr()).isSameAs(optional);
    }

    @Test
    void verbWithFallBackIsCallable() {
        Context context = open(2, (opened, table) -> {});

        assertThat(context.queryContext().hasVerb(ContextSlot.CREATE_QP_EX)).isFalse();
        assertThat(context.queryContext().canCall(ContextSlot.CREATE_QP_EX)).isTrue();
        assertThat(context.queryContext().canCall(ContextSlot.OPEN_QP)).isFalse();
        assertThat(context.queryContext().canCall(1000)).isFalse();
    }

    @Test
    void providerOfLaterLevelFillsWhatFits() {
        OpenXrcd xrcd = attr -> null;
        Context context = open(9, (opened, table) -> {
            table.fillProvider(ContextSlot.OPEN_XRCD, xrcd);
            table.fillProvider(ContextSlot.CLOSE_XRCD, (io.verbs4j.slot.CloseXrcd) x -> {});
            table.fillProvider(1000, "of level 9");
        });

        assertThat(context.queryContext().providerLevel()).isEqualTo(9);
        assertThat(context.queryContext().hasVerb(ContextSlot.OPEN_XRCD)).isTrue();
    }

    @Test
    void providerOfLevelOneGetsNoTable() {
        Context context = open(1, (opened, table) -> {
            throw new AssertionError("asked");
        });

        assertThat(context.queryContext().hasVerb(ContextSlot.OPEN_XRCD)).isFalse();
    }

    @Test
    void providerOfLevelOneHasFallBacks() {
        Rig rig = new Rig();
        ContextAttr attr = rig.context.queryContext();
        assertThat(attr.slots().get(ContextSlot.OPEN_XRCD, ContextAttr.SLOT_STATE))
                .isEqualTo(ContextAttr.LIBRARY_HAS);

        QpInitAttrEx rc = new QpInitAttrEx()
                .qpType(QpType.RC)
                .pd(rig.pd())
                .sendCq(rig.cq())
                .recvCq(rig.cq());
        assertThat(rig.context.createQpEx(rc).qpType()).isEqualTo(QpType.RC);
        assertThat(rig.context.createSrqEx(new SrqInitAttrEx().pd(rig.pd())).srqType())
                .isEqualTo(SrqType.BASIC);
        assertFails(
                Errno.EOPNOTSUPP,
                () -> rig.context.createQpEx(
                        new QpInitAttrEx().qpType(QpType.XRC_SEND).pd(rig.pd())),
                "create_qp_ex came with level 2",
                "the library is level 4",
                "provider 'fake' of level 1 from here");
        assertFails(Errno.EOPNOTSUPP, () -> rig.context.openXrcd(new XrcdInitAttr()), "open_xrcd", "level 2");
    }

    @Test
    void slotOfWrongTypeIsProvidersDefect() {
        for (int slot = 0; slot < ContextSlot.COUNT; slot++) {
            int wrong = slot;
            assertFails(
                    Errno.EIO,
                    () -> open(3, (opened, table) -> table.fillProvider(wrong, "nonsense")),
                    "provider 'ext' put a java.lang.String into the slot of " + ContextSlot.verb(slot)
                            + ", which takes a io.verbs4j.slot.");
        }
        verify(ops, times(ContextSlot.COUNT)).close();
    }

    /** Else neither the object nor the context could be closed. */
    @Test
    void createVerbNeedsDestroyVerb() {
        assertUnpaired(ContextSlot.OPEN_XRCD, (OpenXrcd) attr -> null, "has open_xrcd but not close_xrcd");
        assertUnpaired(ContextSlot.ALLOC_TD, (AllocTd) attr -> null, "has alloc_td but not dealloc_td");
        assertUnpaired(ContextSlot.ALLOC_DM, (AllocDm) attr -> null, "has alloc_dm but not free_dm");
        verify(ops, times(3)).close();
    }

    private void assertUnpaired(int slot, Object function, String words) {
        assertFails(
                Errno.EIO,
                () -> open(3, (opened, table) -> table.fillProvider(slot, function)),
                "provider 'ext' " + words,
                "this is a bug in the provider");
    }

    @Test
    void failedInitContextClosesDevice() {
        doThrow(new IllegalStateException("and that fails too")).when(ops).close();

        assertFails(
                Errno.EIO,
                () -> open(2, (opened, table) -> {
                    throw new IllegalStateException("oops");
                }),
                "open_device",
                "provider 'ext' failed with",
                "oops");
        verify(ops).close();
        assertFails(
                Errno.ENOMEM,
                () -> open(2, (opened, table) -> {
                    throw new VerbsException(Errno.ENOMEM, "open_device", "no more");
                }),
                "no more");
    }

    @Test
    void openedContextIsNotClosed() {
        open(2, (opened, table) -> {});

        verify(ops, never()).close();
    }
}
