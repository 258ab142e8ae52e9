/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.ArgumentMatchers.same;
import static org.mockito.Mockito.inOrder;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;
import static org.mockito.Mockito.verifyNoMoreInteractions;

import io.verbs4j.Context;
import io.verbs4j.ContextOps;
import io.verbs4j.Errno;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpCap;
import io.verbs4j.QpType;
import io.verbs4j.VerbsException;
import io.verbs4j.core.Failures;
import io.verbs4j.core.Fakes;
import io.verbs4j.core.discovery.Library;
import io.verbs4j.core.discovery.TimeLimit;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mockito.InOrder;
import org.mockito.Mockito;

/** What holds of every verb: how the provider is called, and what becomes of what it throws. */
class DelegationTest {

    static Set<String> verbs() {
        return AllVerbs.VERBS.keySet();
    }

    /** The verbs that wait for events answer differently where what they wait on is closed. */
    static Stream<String> verbsThatDoNotWait() {
        return verbs().stream().filter(verb -> !verb.startsWith("get_"));
    }

    @ParameterizedTest
    @MethodSource("verbs")
    void callsTheProviderOnceWithTheSameArguments(String name) {
        AllVerbs v = new AllVerbs();
        AllVerbs.Verb verb = AllVerbs.VERBS.get(name);

        verb.application().accept(v);

        verb.expected().accept(v);
        if (name.equals("create_cq")) {
            verify(v.rig.ops).numCompVectors();
        }
        if (name.equals("modify_qp")) {
            verify(v.rig.ops).queryQp(any(), any(), anyInt(), any());
        }
        verifyNoMoreInteractions(v.rig.ops);
    }

    /** So that no verb is left out of the tests in this class. */
    @Test
    void everyVerbIsTried() {
        Set<String> tried = new HashSet<>();
        for (AllVerbs.Verb verb : AllVerbs.VERBS.values()) {
            AllVerbs v = new AllVerbs();
            verb.application().accept(v);
            Mockito.mockingDetails(v.rig.ops)
                    .getInvocations()
                    .forEach(invocation -> tried.add(invocation.getMethod().getName()));
        }
        Set<String> declared = Arrays.stream(ContextOps.class.getDeclaredMethods())
                .filter(method -> method.isDefault())
                .map(method -> method.getName())
                .collect(Collectors.toSet());

        declared.removeAll(tried);

        // Those that need an event or an attachment first; EventsTest, MulticastTest, LifecycleTest, VendorTest and
        // ExplanationsTest
        // have them.
        assertThat(declared)
                .containsExactlyInAnyOrder(
                        "ackAsyncEvent",
                        "ackCqEvents",
                        "detachMcast",
                        "close",
                        "vendor",
                        "asyncEventDescriptor",
                        "compChannelDescriptor",
                        "explainSend",
                        "explainRecv",
                        "explainSrqRecv");
    }

    @ParameterizedTest
    @MethodSource("verbs")
    void containsWhatTheProviderThrows(String name) {
        AllVerbs v = new AllVerbs();
        RuntimeException thrown = new IllegalStateException("oops");
        v.rig.fault(thrown);

        VerbsException e = Failures.assertFails(
                Errno.EIO,
                () -> AllVerbs.VERBS.get(name).application().accept(v),
                "provider 'fake'",
                "IllegalStateException: oops",
                "report it");

        assertThat(e).hasCause(thrown);
    }

    @ParameterizedTest
    @MethodSource("verbs")
    void containsErrors(String name) {
        AllVerbs v = new AllVerbs();
        v.rig.fault(new NoSuchMethodError("x.y()"));

        Failures.assertFails(
                Errno.EIO, () -> AllVerbs.VERBS.get(name).application().accept(v), "NoSuchMethodError", "x.y()");

        v.rig.fault(new InternalError("oops"));

        Failures.assertFails(
                Errno.EIO, () -> AllVerbs.VERBS.get(name).application().accept(v), "InternalError: oops");
    }

    @ParameterizedTest
    @MethodSource("verbs")
    void outOfMemoryIsReportedAsEnomem(String name) {
        AllVerbs v = new AllVerbs();
        OutOfMemoryError thrown = new OutOfMemoryError("for the test");
        v.rig.fault(thrown);

        VerbsException e = Failures.assertFails(
                Errno.ENOMEM,
                () -> AllVerbs.VERBS.get(name).application().accept(v),
                "provider 'fake'",
                "OutOfMemoryError: for the test");

        assertThat(e).hasCause(thrown);
    }

    @ParameterizedTest
    @MethodSource("verbs")
    void passesProvidersExceptionOn(String name) {
        AllVerbs v = new AllVerbs();
        VerbsException thrown = new VerbsException(Errno.ENOMEM, "some_verb", "the device is full");
        v.rig.fault(thrown);

        assertThatThrownBy(() -> AllVerbs.VERBS.get(name).application().accept(v))
                .isSameAs(thrown);
    }

    @ParameterizedTest
    @MethodSource("verbs")
    void negativeErrnoBecomesPositive(String name) {
        AllVerbs v = new AllVerbs();
        VerbsException thrown = new VerbsException(-Errno.ENOSPC, "some_verb", "the device is full");
        v.rig.fault(thrown);

        VerbsException e = Failures.assertFails(
                Errno.ENOSPC, () -> AllVerbs.VERBS.get(name).application().accept(v), "-28", "the device is full");

        assertThat(e).hasCause(thrown);
        assertThat(e.verb()).isEqualTo("some_verb");
    }

    @Test
    void errnoZeroBecomesError() {
        Rig rig = new Rig();
        rig.fault(new VerbsException(0, "alloc_pd", "no reason"));

        Failures.assertFails(Errno.EIO, rig.context::allocPd, "no reason");
    }

    @Test
    void smallestErrnoBecomesError() {
        Rig rig = new Rig();
        rig.fault(new VerbsException(Integer.MIN_VALUE, "alloc_pd", "no reason"));

        Failures.assertFails(Errno.EIO, rig.context::allocPd, "no reason");
    }

    @Test
    void containsStackOverflow() {
        Rig rig = new Rig();
        rig.fault(new StackOverflowError());

        Failures.assertFails(Errno.EIO, rig.context::allocPd, "StackOverflowError");
    }

    @Test
    void containsUnprintableException() {
        Rig rig = new Rig();
        rig.fault(new RuntimeException() {
            private static final long serialVersionUID = 1L;

            @Override
            public String getMessage() {
                throw new IllegalStateException("not even that");
            }
        });

        Failures.assertFails(Errno.EIO, rig.context::allocPd, "provider 'fake'", DelegationTest.class.getName());
    }

    @ParameterizedTest
    @MethodSource("verbs")
    void verbCanBeCalledAgainAfterFailure(String name) {
        AllVerbs v = new AllVerbs();
        AllVerbs.Verb verb = AllVerbs.VERBS.get(name);
        v.rig.fault(new VerbsException(Errno.EAGAIN, name, "not now"));
        Failures.assertFails(Errno.EAGAIN, () -> verb.application().accept(v));
        v.rig.fault(null);

        verb.application().accept(v);

        verb.expected().accept(v);
    }

    @ParameterizedTest
    @MethodSource("verbsThatDoNotWait")
    void verbsOfClosedContextFailWithoutReachingProvider(String name) {
        AllVerbs v = new AllVerbs();
        v.closeAll();
        Mockito.clearInvocations(v.rig.ops);
        AllVerbs.Verb verb = AllVerbs.VERBS.get(name);

        boolean closes = name.startsWith("de") && !name.startsWith("detach");
        if (closes) {
            verb.application().accept(v); // closed before: nothing happens
        } else {
            Failures.assertFails(Errno.EINVAL, () -> verb.application().accept(v), "fake0 is closed");
        }

        verifyNoInteractions(v.rig.ops);
    }

    @Test
    void modifyQueriesStateFirst() {
        AllVerbs v = new AllVerbs();

        v.qp.modify(v.toReset);

        InOrder order = inOrder(v.rig.ops);
        order.verify(v.rig.ops).queryQp(same(v.qp), any(), eq(QpAttrMask.STATE), any());
        order.verify(v.rig.ops).modifyQp(v.qp, v.toReset, QpAttrMask.STATE);
    }

    @Test
    void providerJudgesCapacities() {
        Rig rig = new Rig();
        var pd = rig.pd();
        var init = Rig.qpInit(rig.cq(), QpType.RC).cap(new QpCap().maxSendWr(3));
        Mockito.doAnswer(i -> {
                    init.cap().maxSendWr(64).maxInlineData(128);
                    return new Fakes.FakeQp(pd, init, 5);
                })
                .when(rig.ops)
                .createQp(any(), any());

        pd.createQp(init);

        assertThat(init.cap().maxSendWr()).isEqualTo(64);
        assertThat(init.cap().maxInlineData()).isEqualTo(128);
    }

    @Test
    void defaultOfHeaderPassesThrough() {
        Fakes.FakeDevice device = new Fakes.FakeDevice("bare0");
        Fakes.FakeProvider provider = new Fakes.FakeProvider("bare", device);
        provider.opener = (d, c) -> new ContextOps() {};
        Library library = new Library(() -> List.of(provider.found()), TimeLimit::ofProperty);

        Context context = library.open(device, 1);

        Failures.assertFails(Errno.EOPNOTSUPP, context::allocPd, "alloc_pd");
        assertThat(context.numCompVectors()).isEqualTo(1);
        context.close();
    }
}
